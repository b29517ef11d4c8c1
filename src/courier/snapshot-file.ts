import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The end of the name of a file that is being written. */
const TEMPORARY = '.tmp';

/** Where a node keeps the last snapshot that it was given. */
export function snapshotPath(dataDirectory: string): string {
  return join(dataDirectory, 'snapshot', 'current.ndjson');
}

/** The snapshot on disk; undefined when the node has never had one. Other failures throw. */
export async function readSnapshotFile(dataDirectory: string): Promise<string | undefined> {
  try {
    return await readFile(snapshotPath(dataDirectory), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Replaces the snapshot on disk. Whoever reads the path sees the old text or the new one, whole,
 * also after a crash or a power cut at any moment: the bytes are on the disk before the name is,
 * and the name is before this resolves.
 */
export async function writeSnapshotFile(dataDirectory: string, text: string): Promise<void> {
  const path = snapshotPath(dataDirectory);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  // The process id keeps couriers that meet after a crash out of each other's file.
  const temporary = `${path}.${process.pid}${TEMPORARY}`;
  try {
    await writeSynced(temporary, text);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncDirectory(dirname(path));
}

/** Removes what a courier that was killed has left half written. */
export async function removeHalfWritten(dataDirectory: string): Promise<void> {
  const directory = dirname(snapshotPath(dataDirectory));
  const names = await readdir(directory).catch(() => []);
  for (const name of names) {
    if (name.endsWith(TEMPORARY)) await rm(join(directory, name), { force: true });
  }
}

async function writeSynced(path: string, text: string): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
