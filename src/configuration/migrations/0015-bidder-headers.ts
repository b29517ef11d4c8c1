import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Headers that a bidder wants with every bid request: none, as before. */
export const bidderHeaders: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('bidders').addColumn('headers', 'text').execute();
  },
};
