import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { syncDirectory as syncNames } from '../base/sync-directory.ts';

/** The end of the name of a file that is being written. */
const TEMPORARY = '.tmp';

/**
 * The disk was asked to keep what it had been given, and did not. Asking again would prove nothing,
 * because the kernel forgets what it could not write: the process that sees this ends.
 */
export class SyncFailure extends Error {
  override readonly name = 'SyncFailure';

  constructor(path: string, options: ErrorOptions) {
    super(`${path} could not be brought to the disk.`, options);
  }
}

/**
 * Replaces a file. Whoever reads the path sees the old text or the new one, whole, also after a
 * crash or a power cut at any moment: the bytes are on the disk before the name is, and the name is
 * before this resolves. The directory is made when it is missing.
 *
 * @throws SyncFailure, or the system's error when the file cannot be written
 */
export async function writeDurably(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  // The process id keeps couriers that meet after a crash out of each other's file.
  const temporary = `${path}.${process.pid}${TEMPORARY}`;
  try {
    const file = await open(temporary, 'w', 0o600);
    try {
      await file.writeFile(text);
      await synced(temporary, () => file.sync());
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncDirectory(dirname(path));
}

/** Removes what processes that were killed have left half written of a file. */
export async function removeTemporaries(path: string): Promise<void> {
  const directory = dirname(path);
  const names = await readdir(directory).catch(() => []);
  for (const name of names) {
    const isOne = name.startsWith(`${basename(path)}.`) && name.endsWith(TEMPORARY);
    if (isOne) await rm(join(directory, name), { force: true });
  }
}

/** @throws SyncFailure */
export async function syncDirectory(path: string): Promise<void> {
  await synced(path, () => syncNames(path));
}

/** Turns what goes wrong into a SyncFailure. */
export async function synced(path: string, sync: () => Promise<void>): Promise<void> {
  try {
    await sync();
  } catch (error) {
    throw new SyncFailure(path, { cause: error });
  }
}
