import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * What the management API needs beside the resources: who changed what, links that open an account
 * once, and the secrets that stay good for a while after they were rolled.
 */
export const management: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await createAuditLog(db);
    await createOneTimeLinks(db);
    await db.schema.alterTable('applications').addColumn('previous_secret_hash', 'text').execute();
    await db.schema
      .alterTable('applications')
      .addColumn('previous_secret_until', 'bigint')
      .execute();
    await db.schema.alterTable('accounts').addColumn('previous_token_hash', 'text').execute();
    await db.schema.alterTable('accounts').addColumn('previous_token_until', 'bigint').execute();
  },
};

async function createAuditLog(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('audit_log')
    .addColumn('id', 'bigint', (column) => column.primaryKey())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('actor', 'text', (column) => column.notNull())
    .addColumn('user_id', 'integer')
    .addColumn('client_id', 'text')
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('resource', 'text', (column) => column.notNull())
    .addColumn('resource_id', 'text', (column) => column.notNull())
    .addColumn('changes', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('audit_log_resource')
    .on('audit_log')
    .columns(['resource', 'resource_id'])
    .execute();
}

async function createOneTimeLinks(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('one_time_links')
    .addColumn('token_hash', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'integer', (column) => column.references('users.id').onDelete('cascade'))
    .addColumn('purpose', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
}
