import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandError } from '../base/errors.ts';
import { makeDirectory } from '../base/make-directory.ts';
import { messageOf } from '../base/unknown-error.ts';
import { lockFile, type FileLock } from './file-lock.ts';

/** One supervisor's hold on a data directory. */
export interface DataLock {
  /** The supervisor before this one did not end by itself; its children may be ending still. */
  readonly predecessorCrashed: boolean;
  release(): void;
}

/**
 * Makes the data directory, readable by this user alone, and takes it for this process.
 *
 * @throws CommandError when another process holds the directory, or it cannot be used.
 */
export function lockDataDirectory(directory: string): DataLock {
  const pidFile = join(directory, 'supervisor.pid');
  let lock: FileLock | null = null;
  try {
    makeDirectory(directory);
    lock = lockFile(join(directory, 'supervisor.lock'));
    if (lock === null) throw inUse(directory, readPid(pidFile));
    const predecessorCrashed = readPid(pidFile) !== undefined;
    writeFileSync(pidFile, `${process.pid}\n`, { mode: 0o600 });
    return { predecessorCrashed, release: releaser(lock, pidFile) };
  } catch (error) {
    lock?.release();
    throw error instanceof CommandError ? error : unusable(directory, error);
  }
}

function releaser(lock: FileLock, pidFile: string): () => void {
  return () => {
    // The file goes first: while the lock is held, nobody else writes it.
    rmSync(pidFile, { force: true });
    lock.release();
  };
}

const HINT = 'choose another with --data (RIALTO_DATA)';

function inUse(directory: string, pid: string | undefined): CommandError {
  const holder = pid === undefined ? 'another process' : `process ${pid}`;
  return new CommandError(
    `The data directory ${directory} is in use by ${holder}; stop it or ${HINT}.`,
  );
}

function unusable(directory: string, error: unknown): CommandError {
  const reason = messageOf(error);
  return new CommandError(`The data directory ${directory} cannot be used (${reason}); ${HINT}.`, {
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
