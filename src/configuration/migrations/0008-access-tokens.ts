import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The access tokens of applications, by their hashes; an application that goes takes them along. */
export const accessTokens: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('access_tokens')
      .addColumn('token_hash', 'text', (column) => column.primaryKey())
      .addColumn('token_prefix', 'text', (column) => column.notNull())
      .addColumn('application_id', 'integer', (column) =>
        column.notNull().references('applications.id').onDelete('cascade'),
      )
      .addColumn('scope', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addColumn('last_used_at', 'bigint')
      .execute();
    await db.schema
      .createIndex('access_tokens_application_id')
      .on('access_tokens')
      .columns(['application_id', 'created_at'])
      .execute();
    await db.schema
      .createIndex('access_tokens_expires_at')
      .on('access_tokens')
      .column('expires_at')
      .execute();
  },
};
