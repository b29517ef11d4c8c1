import * as nodeFs from 'node:fs';
import { open } from 'node:fs/promises';

/** Brings the names in a directory to the disk: a file that was renamed or linked is there after a power cut. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

interface SyncFs {
  openSync(path: string, flags: string): number;
  fsyncSync(fd: number): void;
  closeSync(fd: number): void;
}

/** The same for callers that wait. */
export function syncDirectorySync(path: string, fs: SyncFs = nodeFs): void {
  const fd = fs.openSync(path, 'r');
  try {
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}
