import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What the exchange wants of every bid; nothing, as before. */
export const bidRequirements: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .alterTable('exchange_settings')
      .addColumn('required_bid_fields', 'text', (column) => column.notNull().defaultTo('[]'))
      .execute();
    await db.schema.alterTable('exchange_settings').addColumn('adomains_max', 'integer').execute();
  },
};
