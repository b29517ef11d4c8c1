import type { Kysely } from 'kysely';
import type { SavedLeases } from '../limits/lease-book.ts';
import type { Database } from './schema.ts';

/** Rows in one statement: both dialects bound the number of values. */
const ROWS_MAX = 1_000;

/** Where control keeps what it has granted, so that another control, or the next, goes on with it. */
export interface LeaseStore {
  read(): Promise<readonly SavedLeases[]>;
  /** All of these rows or none, durable when it resolves. A row whose state is null is removed. */
  save(rows: readonly SavedLeases[]): Promise<void>;
}

/** The grants in a table of the configuration store. */
export function createLeaseStore(db: Kysely<Database>): LeaseStore {
  return {
    read: () => db.selectFrom('leases').select(['key', 'state']).orderBy('key').execute(),
    save: (rows) => save(db, rows),
  };
}

async function save(db: Kysely<Database>, rows: readonly SavedLeases[]): Promise<void> {
  if (rows.length === 0) return;
  const gone: string[] = [];
  const kept: { key: string; state: string }[] = [];
  for (const { key, state } of rows) {
    if (state === null) gone.push(key);
    else kept.push({ key, state });
  }
  await db.transaction().execute(async (transaction) => {
    for (let from = 0; from < gone.length; from += ROWS_MAX) {
      const keys = gone.slice(from, from + ROWS_MAX);
      await transaction.deleteFrom('leases').where('key', 'in', keys).execute();
    }
    for (let from = 0; from < kept.length; from += ROWS_MAX) {
      await transaction
        .insertInto('leases')
        .values(kept.slice(from, from + ROWS_MAX))
        .onConflict((conflict) =>
          conflict.column('key').doUpdateSet((row) => ({ state: row.ref('excluded.state') })),
        )
        .execute();
    }
  });
}
