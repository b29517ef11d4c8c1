import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CommandError } from '../base/errors.ts';

/** SQLite's result code for a lock that another process holds. */
const SQLITE_BUSY = 5;

/** Held here because a database that is garbage collected is closed, and its lock is gone. */
const held = new Set<DatabaseSync>();

/** One supervisor's hold on a data directory. */
export interface DataLock {
  /** The supervisor before this one did not end by itself; its children may be ending still. */
  readonly predecessorCrashed: boolean;
  release(): void;
}

/**
 * Makes the data directory, readable by this user alone, and takes it for this process. The lock is
 * an open transaction on a small SQLite file: the kernel holds it and drops it with the process,
 * however that ends, so no lock is ever left behind.
 *
 * @throws CommandError when another process holds the directory, or it cannot be used.
 */
export function lockDataDirectory(directory: string): DataLock {
  const pidFile = join(directory, 'supervisor.pid');
  let database: DatabaseSync | undefined;
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    database = new DatabaseSync(join(directory, 'supervisor.lock'));
    database.exec('BEGIN EXCLUSIVE');
    const predecessorCrashed = readPid(pidFile) !== undefined;
    writeFileSync(pidFile, `${process.pid}\n`, { mode: 0o600 });
    held.add(database);
    return { predecessorCrashed, release: releaser(database, pidFile) };
  } catch (error) {
    database?.close();
    throw asCommandError(error, directory, readPid(pidFile));
  }
}

function releaser(database: DatabaseSync, pidFile: string): () => void {
  return () => {
    // The file goes first: while the lock is held, nobody else writes it.
    rmSync(pidFile, { force: true });
    database.close();
    held.delete(database);
  };
}

function asCommandError(error: unknown, directory: string, pid: string | undefined): CommandError {
  const hint = 'choose another with --data (RIALTO_DATA)';
  if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) {
    const holder = pid === undefined ? 'another process' : `process ${pid}`;
    return new CommandError(
      `The data directory ${directory} is in use by ${holder}; stop it or ${hint}.`,
      { cause: error },
    );
  }
  const reason = error instanceof Error ? error.message : String(error);
  return new CommandError(`The data directory ${directory} cannot be used (${reason}); ${hint}.`, {
    cause: error,
  });
}

function readPid(pidFile: string): string | undefined {
  try {
    return readFileSync(pidFile, 'utf8').trim();
  } catch {
    return undefined;
  }
}
