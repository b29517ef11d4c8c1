import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Whether a publisher confirms its wins, and whether a loss notice tells the price. What is stored
 * already goes on as it did: the version of the configuration stays, so that the defaults are those
 * which a reader gives to a snapshot from before (see `snapshot/wire.ts`).
 */
export const winsAndLosses: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .alterTable('publishers')
      .addColumn('confirms_wins', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    await db.schema
      .alterTable('exchange_settings')
      .addColumn('loss_notice_price', 'integer', (column) => column.notNull().defaultTo(1))
      .execute();
  },
};
