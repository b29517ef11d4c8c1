import { DatabaseSync } from 'node:sqlite';

/** SQLite's result code for a lock that another process holds. */
const SQLITE_BUSY = 5;

/** Held here because a database that is garbage collected is closed, and its lock is gone. */
const held = new Set<DatabaseSync>();

/** A lock that this process holds. */
export interface FileLock {
  release(): void;
}

/**
 * Locks a file for this process. The lock is an open transaction on a small SQLite file: the kernel
 * holds it and drops it with the process, however that ends, so no lock is ever left behind.
 *
 * @returns null when another process holds it
 * @throws the system's error when the file cannot be used
 */
export function lockFile(path: string): FileLock | null {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path);
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database?.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) return null;
    throw error;
  }
  const taken = database;
  held.add(taken);
  return {
    release: () => {
      taken.close();
      held.delete(taken);
    },
  };
}
