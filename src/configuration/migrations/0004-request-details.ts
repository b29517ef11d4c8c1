import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * What bid requests say beyond the essentials, and what bidders take. What is stored already goes on
 * as it did: the version of the configuration stays, so that the defaults are those which a reader
 * gives to a snapshot from before (see `snapshot/wire.ts`). A column at a time, because SQLite adds
 * no more at once.
 */
export const requestDetails: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await addText(db, 'exchange_settings', 'domain');
    await addText(db, 'exchange_settings', 'payment_id');
    await addText(db, 'bidders', 'mimes');
    await addFlag(db, 'bidders', 'send_viewability');
    await addFlag(db, 'bidders', 'native_in_ext');
    await addText(db, 'bidders', 'interstitial_imps', 'one');
    await addText(db, 'publishers', 'seller_id');
    await addText(db, 'publishers', 'domain');
    await addText(db, 'publishers', 'categories', '[]');
    await addFlag(db, 'publishers', 'hide_names');
    await addText(db, 'properties', 'languages', '[]');
    await addNumber(db, 'ad_spaces', 'viewability_bps');
    await addNumber(db, 'ad_spaces', 'exp');
    await addText(db, 'ad_spaces', 'iframebusters', '[]');
  },
};

/** A text, null unless there is a default. */
async function addText(
  db: Kysely<unknown>,
  table: string,
  name: string,
  otherwise?: string,
): Promise<void> {
  await db.schema
    .alterTable(table)
    .addColumn(name, 'text', (column) =>
      otherwise === undefined ? column : column.notNull().defaultTo(otherwise),
    )
    .execute();
}

async function addFlag(db: Kysely<unknown>, table: string, name: string): Promise<void> {
  await db.schema
    .alterTable(table)
    .addColumn(name, 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
}

async function addNumber(db: Kysely<unknown>, table: string, name: string): Promise<void> {
  await db.schema.alterTable(table).addColumn(name, 'integer').execute();
}
