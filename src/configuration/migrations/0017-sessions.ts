import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The sessions of people's browsers, by their hashes; a user who goes takes them along. */
export const sessions: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('sessions')
      .addColumn('session_hash', 'text', (column) => column.primaryKey())
      .addColumn('user_id', 'integer', (column) =>
        column.notNull().references('users.id').onDelete('cascade'),
      )
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addColumn('last_used_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('sessions_user_id')
      .on('sessions')
      .columns(['user_id', 'created_at'])
      .execute();
  },
};
