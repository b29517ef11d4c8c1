import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { TestStore } from './configuration-store.ts';
import { postgres } from './postgres.ts';

/** A mark that moves whenever something is written to a store, be it the same bytes. */
export async function writesOf({ db, path }: TestStore): Promise<string> {
  if (!isPostgres(path)) return `${(await stat(`${path}-wal`)).size}`;
  // Whoever writes gets a number of its own, which this is the next of.
  const { rows } = await sql<{ next: string }>`
    select pg_snapshot_xmax(pg_current_snapshot())::text as next`.execute(db);
  return rows[0]?.next ?? '';
}

/** What the files of a store hold, byte by byte. */
export async function filesOf({ db, path }: TestStore): Promise<readonly Buffer[]> {
  if (!isPostgres(path)) return Promise.all([path, `${path}-wal`].map((file) => readFile(file)));
  const server = await postgres();
  await server.run('checkpoint');
  const { rows } = await sql<{ base: string; wal: string }>`
    select current_setting('data_directory') || '/base/' || oid as base,
      current_setting('data_directory') || '/pg_wal' as wal
    from pg_database where datname = current_database()`.execute(db);
  const directories = rows.flatMap(({ base, wal }) => [base, wal]);
  const files = await Promise.all(directories.map((directory) => filesIn(directory)));
  return Promise.all(files.flat().map((file) => readFile(file)));
}

async function filesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => join(directory, name));
}

/**
 * Makes every insertion of a publisher's account fail.
 *
 * @returns what lets it pass again.
 */
export async function breakAccounts(
  { db, path }: TestStore,
  message: string,
): Promise<() => Promise<void>> {
  const run = async (text: string): Promise<void> => {
    await sql.raw(text).execute(db);
  };
  if (!isPostgres(path)) {
    await run(`create trigger fault before insert on accounts when new.publisher_id is not null
      begin select raise(abort, '${message}'); end`);
    return () => run('drop trigger fault');
  }
  await run(`create function fault() returns trigger language plpgsql as
    $$ begin raise exception '${message}'; end $$`);
  await run(`create trigger fault before insert on accounts for each row
    when (new.publisher_id is not null) execute function fault()`);
  return () => run('drop trigger fault on accounts');
}

function isPostgres(path: string): boolean {
  return path.startsWith('postgresql:');
}
