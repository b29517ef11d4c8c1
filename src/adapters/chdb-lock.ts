import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

import { CommandError } from '../base/errors.ts';
import { messageOf } from '../base/unknown-error.ts';

/** SQLite's result code for a lock that another connection holds. */
const SQLITE_BUSY = 5;
const RETRY_MS = 50;

/** Held here because a database that is garbage collected is closed, and its lock is gone. */
const held = new Set<DatabaseSync>();

/**
 * Takes a file as a lock: an open transaction on it, which the kernel ends with the process. chdb
 * locks its directory too, but `chdb-repair.ts` writes into it before chdb does.
 *
 * @param waitMs how long to wait for whoever holds it.
 * @returns the function that lets go.
 * @throws CommandError when another process, or another store of this one, goes on holding it.
 */
export async function lockFile(path: string, waitMs: number): Promise<() => void> {
  const deadlineMs = performance.now() + waitMs;
  for (;;) {
    const lock = tryLock(path);
    if (lock !== null) {
      held.add(lock);
      return () => {
        if (held.delete(lock)) lock.close();
      };
    }
    if (performance.now() >= deadlineMs) {
      throw new CommandError(`The analytics store ${path} is in use by another process.`);
    }
    await sleep(RETRY_MS);
  }
}

/** Null while somebody else holds it. */
function tryLock(path: string): DatabaseSync | null {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path);
    database.exec('BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database?.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) return null;
    const reason = messageOf(error);
    throw new CommandError(`The analytics store ${path} cannot be opened: ${reason}.`, {
      cause: error,
    });
  }
}
