import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Which analytics store each control loads into, how far it was, and when the journals were last asked
 * for again; see `ports/store-register.ts`.
 */
export const analyticsStores: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('analytics_stores')
      .addColumn('place', 'text', (column) => column.primaryKey())
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('last_loaded', 'text')
      .execute();
    await db.schema
      .createTable('reoffers')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('asked_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.alterTable('pending_batches').addColumn('present', 'text').execute();
  },
};
