import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Whether a publisher may ask what lost. Nobody may who is not allowed it. */
export const seatNonBids: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .alterTable('publishers')
      .addColumn('seat_non_bids', 'text', (column) => column.notNull().defaultTo('none'))
      .execute();
  },
};
