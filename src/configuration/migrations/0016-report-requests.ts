import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** When each account asked for reports in the last hour; see `report-quota.ts`. */
export const reportRequests: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('report_requests')
      .addColumn('account', 'text', (column) => column.primaryKey())
      .addColumn('times', 'text', (column) => column.notNull())
      .execute();
  },
};
