import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from '../base/unknown-error.ts';

import { removeTemporaries, writeDurably } from './durable-file.ts';

/** Where a node keeps the last snapshot that it was given. */
export function snapshotPath(dataDirectory: string): string {
  return join(dataDirectory, 'snapshot', 'current.ndjson');
}

/** The snapshot on disk; undefined when the node has never had one. Other failures throw. */
export async function readSnapshotFile(dataDirectory: string): Promise<string | undefined> {
  try {
    return await readFile(snapshotPath(dataDirectory), 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Replaces the snapshot on disk: whoever reads the path sees the old text or the new one, whole. */
export async function writeSnapshotFile(dataDirectory: string, text: string): Promise<void> {
  await writeDurably(snapshotPath(dataDirectory), text);
}

/** Removes what a courier that was killed has left half written. */
export async function removeHalfWritten(dataDirectory: string): Promise<void> {
  await removeTemporaries(snapshotPath(dataDirectory));
}
