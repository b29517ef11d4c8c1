import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** How often what was sent and answered is kept with a trace: 1 %, as where nothing was set. */
export const traceBodies: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .alterTable('exchange_settings')
      .addColumn('trace_bodies_bps', 'integer', (column) => column.notNull().defaultTo(100))
      .execute();
  },
};
