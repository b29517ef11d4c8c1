import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * What is done with invalid traffic, what sellers.json tells, and the other names of publishers. What is stored already goes on as
 * it did: the version of the configuration stays, so that the defaults are those which a reader
 * gives to a snapshot from before (see `snapshot/stored-entity.ts`).
 */
export const trafficAndSellers: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await addText(db, 'exchange_settings', 'tag_id');
    await addText(db, 'exchange_settings', 'contact_email');
    await addText(db, 'exchange_settings', 'contact_address');
    await addText(db, 'exchange_settings', 'invalid_traffic', 'ignore');
    await addText(db, 'publishers', 'seller_type', 'PUBLISHER');
    await addText(db, 'publishers', 'invalid_traffic');
    await addText(db, 'publishers', 'aliases', '[]');
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
