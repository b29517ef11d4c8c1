import { DatabaseSync } from 'node:sqlite';

import { CommandError } from '../base/errors.ts';

/** SQLite's result code for a lock that another connection holds. */
const SQLITE_BUSY = 5;

/** Held here because a database that is garbage collected is closed, and its lock is gone. */
const held = new Set<DatabaseSync>();

/**
 * Takes a file as a lock: an open transaction on it, which the kernel ends with the process. chdb
 * itself lets two processes open one directory, which destroys it.
 *
 * @returns the function that lets go.
 * @throws CommandError when another process, or another store of this one, holds it.
 */
export function lockFile(path: string): () => void {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path);
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database?.close();
    const busy = error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
    const reason = busy ? 'another process uses it' : describe(error);
    throw new CommandError(`The analytics store cannot be opened: ${path}: ${reason}.`, {
      cause: error,
    });
  }
  const lock = database;
  held.add(lock);
  return () => {
    if (!held.delete(lock)) return;
    lock.close();
  };
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
