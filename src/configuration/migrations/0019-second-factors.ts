import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** People's second factors, and whether who changes anything needs one. Nobody did before. */
export const secondFactors: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('second_factors')
      .addColumn('user_id', 'integer', (column) =>
        column.primaryKey().references('users.id').onDelete('cascade'),
      )
      .addColumn('secret', 'text', (column) => column.notNull())
      .addColumn('last_step', 'bigint', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('confirmed_at', 'bigint')
      .execute();
    await db.schema
      .alterTable('exchange_settings')
      .addColumn('require_second_factor', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
  },
};
