import type { Kysely, Transaction } from 'kysely';
import type { SavedLeases } from '../limits/lease-book.ts';
import type { Database } from './schema.ts';

/** Rows in one statement: both dialects bound the number of values. */
const ROWS_MAX = 1_000;

/** The row that is written with all others: the number of control's start, and of the write. */
const BOOK = 'book';

/** Where control keeps what it has granted, so that another control, or the next, goes on with it. */
export interface LeaseStore {
  read(): Promise<readonly SavedLeases[]>;
  /**
   * All of these rows or none, durable when it resolves. A row whose state is null is removed.
   *
   * @throws Error when another control has saved something since `read`: nothing is saved then. Who
   *   leads is known beforehand, but a process can be held up between a look and a write.
   */
  save(rows: readonly SavedLeases[]): Promise<void>;
}

/** The grants in a table of the configuration store. */
export function createLeaseStore(db: Kysely<Database>): LeaseStore {
  let book: string | null = null;
  return {
    read: async () => {
      const rows = await db.selectFrom('leases').select(['key', 'state']).orderBy('key').execute();
      book = stateOf(BOOK, rows) ?? null;
      return rows;
    },
    save: async (rows) => {
      if (rows.length === 0) return;
      await db.transaction().execute(async (transaction) => {
        await assertOwn(transaction, book);
        await write(transaction, rows);
      });
      book = stateOf(BOOK, rows) ?? book;
    },
  };
}

function stateOf(key: string, rows: readonly SavedLeases[]): string | null | undefined {
  return rows.find((row) => row.key === key)?.state;
}

async function assertOwn(transaction: Transaction<Database>, book: string | null): Promise<void> {
  const row = await transaction
    .selectFrom('leases')
    .select('state')
    .where('key', '=', BOOK)
    .executeTakeFirst();
  if ((row?.state ?? null) !== book) throw new Error('another control has begun to grant leases');
}

async function write(
  transaction: Transaction<Database>,
  rows: readonly SavedLeases[],
): Promise<void> {
  const gone: string[] = [];
  const kept: { key: string; state: string }[] = [];
  for (const { key, state } of rows) {
    if (state === null) gone.push(key);
    else kept.push({ key, state });
  }
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
}
