import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** How far the journal of each node has been loaded; see `ports/offset-store.ts`. */
export const shipping: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('segment_offsets')
      .addColumn('incarnation', 'text', (column) => column.notNull())
      .addColumn('segment', 'text', (column) => column.notNull())
      .addColumn('offset_bytes', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('segment_offsets_key', ['incarnation', 'segment'])
      .execute();
    await db.schema
      .createTable('pending_batches')
      .addColumn('incarnation', 'text', (column) => column.primaryKey())
      .addColumn('token', 'text', (column) => column.notNull())
      .addColumn('manifest', 'text', (column) => column.notNull())
      .execute();
  },
};
