import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Floors by country and format, how often an ad space is refreshed, and what it shows where nobody
 * bought: none of it, as before.
 */
export const floors: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const table of ['publishers', 'properties', 'ad_spaces']) {
      // One after the other: they share the transaction's connection.
      // oxlint-disable-next-line no-await-in-loop
      await db.schema
        .alterTable(table)
        .addColumn('floors', 'text', (column) => column.notNull().defaultTo('[]'))
        .execute();
    }
    await db.schema.alterTable('ad_spaces').addColumn('refresh', 'text').execute();
    await db.schema.alterTable('ad_spaces').addColumn('backfill', 'text').execute();
  },
};
