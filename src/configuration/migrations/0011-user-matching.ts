import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Where bidders match users, and the exchange's own vendor id; none of it, as before. */
export const userMatching: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('bidders').addColumn('sync_url', 'text').execute();
    await db.schema
      .alterTable('bidders')
      .addColumn('sync_type', 'text', (column) => column.notNull().defaultTo('image'))
      .execute();
    await db.schema.alterTable('exchange_settings').addColumn('gvl_id', 'integer').execute();
  },
};
