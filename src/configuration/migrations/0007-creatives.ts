import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * What people decide about creatives, and whether these have to be approved. What is stored already
 * goes on as it did: nothing has to be. A review of everywhere or of any partner has 0 for an id, so
 * that the index keeps two reviews of the same from standing side by side.
 */
export const creatives: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const table of ['exchange_settings', 'publishers']) {
      await db.schema
        .alterTable(table)
        .addColumn('creative_review', 'text', (column) => column.notNull().defaultTo('none'))
        .execute();
    }
    await db.schema
      .createTable('creative_reviews')
      .ifNotExists()
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('publisher_id', 'integer', (column) => column.notNull())
      .addColumn('demand_partner_id', 'integer', (column) => column.notNull())
      .addColumn('target', 'text', (column) => column.notNull())
      .addColumn('value', 'text', (column) => column.notNull())
      .addColumn('verdict', 'text', (column) => column.notNull())
      .addColumn('reason', 'text', (column) => column.notNull())
      .addColumn('created_by', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .addCheckConstraint('creative_reviews_target', sql`target in ('crid', 'domain')`)
      .addCheckConstraint('creative_reviews_verdict', sql`verdict in ('blocked', 'approved')`)
      .execute();
    await db.schema
      .createIndex('creative_reviews_subject')
      .ifNotExists()
      .unique()
      .on('creative_reviews')
      .columns(['publisher_id', 'demand_partner_id', 'target', 'value'])
      .execute();
  },
};
