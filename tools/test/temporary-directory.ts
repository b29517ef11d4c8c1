import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system in memory, on Linux. */
const IN_MEMORY = '/dev/shm';
/** Tests that run at the same time keep less than this. */
const FREE_BYTES_MIN = 4 * 2 ** 30;
const PREFIX = 'rialto-tests-';

/**
 * Makes the directory in which all tests of one run keep their files. It is in memory where there is
 * room: stores make and remove files by the thousand, which took an eighth of the gate's CPU on a disk.
 *
 * @returns its path, and what removes it with all that tests left.
 */
export function makeTemporaryDirectory(inMemory = IN_MEMORY) {
  removeAbandoned(inMemory);
  const parent = hasRoom(inMemory) ? inMemory : tmpdir();
  const path = mkdtempSync(join(parent, `${PREFIX}${process.pid}-`));
  // As root, PostgreSQL runs as an unprivileged user, from programs in here.
  chmodSync(path, 0o711);
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 3 }) };
}

/** A run that was killed has left its directory, which would fill the memory. */
function removeAbandoned(directory: string): void {
  if (!existsSync(directory)) return;
  for (const name of readdirSync(directory)) {
    const pid = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) {
      rmSync(join(directory, name), { recursive: true, force: true });
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Containers have little there, or allow no programs. */
function hasRoom(directory: string): boolean {
  if (!existsSync(directory)) return false;
  const { bavail, bsize } = statfsSync(directory);
  if (bavail * bsize < FREE_BYTES_MIN || process.availableMemory() < 2 * FREE_BYTES_MIN)
    return false;
  let probe: string | undefined;
  try {
    probe = mkdtempSync(join(directory, PREFIX));
    writeFileSync(join(probe, 'program'), '', { mode: 0o700 });
    accessSync(join(probe, 'program'), constants.X_OK);
    return true;
  } catch {
    return false;
  } finally {
    if (probe !== undefined) rmSync(probe, { recursive: true });
  }
}
