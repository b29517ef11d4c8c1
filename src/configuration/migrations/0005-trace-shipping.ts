import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * A node ships two streams, and may have a batch of each under way. The table is made anew, because
 * SQLite cannot change a primary key.
 */
export const traceShipping: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('pending_batches').renameTo('pending_batches_before').execute();
    await db.schema
      .createTable('pending_batches')
      .addColumn('incarnation', 'text', (column) => column.notNull())
      .addColumn('stream', 'text', (column) => column.notNull())
      .addColumn('token', 'text', (column) => column.notNull())
      .addColumn('manifest', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('pending_batches_key', ['incarnation', 'stream'])
      .execute();
    await sql`insert into pending_batches (incarnation, stream, token, manifest)
      select incarnation, 'money', token, manifest from pending_batches_before`.execute(db);
    await db.schema.dropTable('pending_batches_before').execute();
  },
};
