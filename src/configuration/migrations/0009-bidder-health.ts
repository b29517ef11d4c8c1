import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * What keeps a sick bidder from costing others: a limit of open calls, and the operator's stop. The
 * latter has a table of its own, so that no file which is applied touches it.
 */
export const bidderHealth: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('bidders').addColumn('max_concurrency', 'integer').execute();
    await db.schema
      .createTable('stopped_bidders')
      .addColumn('demand_partner_id', 'integer', (column) =>
        column.primaryKey().references('demand_partners.id'),
      )
      .addColumn('reason', 'text', (column) => column.notNull())
      .addColumn('stopped_at', 'bigint', (column) => column.notNull())
      .execute();
  },
};
