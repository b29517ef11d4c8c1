import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What control has granted of the limits, and what was used of them; see `limits/lease-book.ts`. */
export const leases: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('leases')
      .addColumn('key', 'text', (column) => column.primaryKey())
      .addColumn('state', 'text', (column) => column.notNull())
      .execute();
  },
};
