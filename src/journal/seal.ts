import fsPromises from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The mode of a segment in which every line is known to be on the disk. A durable journal seals its
 * segments as it closes them; one that can still be written, and whose process has ended, may hold
 * lines that are in the kernel's cache alone.
 */
export const SEALED_MODE = 0o400;
const OWNER_WRITES = 0o200;

/** The end of the name of a copy that is being made. */
const DRAFT = '.draft';

const PIECE_BYTES = 1024 * 1024;

/** What sealing needs of a file system; `node:fs/promises` has it. */
export interface SealFs {
  open(path: string, flags: string, mode?: number): Promise<SealFile>;
  rename(from: string, to: string): Promise<void>;
}

export interface SealFile {
  /** From where the last one ended. */
  read(
    buffer: Uint8Array,
    offset: number,
    length: number,
    position: null,
  ): Promise<{ readonly bytesRead: number }>;
  /** All of the bytes, after what was written before. */
  writeFile(bytes: Uint8Array): Promise<void>;
  chmod(mode: number): Promise<void>;
  stat(): Promise<{ readonly nlink: number }>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** @param mode of the file, as `stat` gives it. */
export function isSealed(mode: number): boolean {
  return (mode & OWNER_WRITES) === 0;
}

/**
 * Brings what a process that has ended left in a segment to the disk, and seals it: a copy that was
 * synced takes its place, under the same name and with the same bytes, so that no reader notices.
 * The directory has to be synced afterwards.
 *
 * To sync the segment itself would prove nothing, because what the kernel could not write once
 * counts as written afterwards, for every process (fsync(2)). Neither would it help to write the
 * bytes again in their place: ext4 then reports success and reads zeros after a crash.
 *
 * @throws the system's error; the segment is as it was then
 */
export async function sealSegment(path: string, fs: SealFs = fsPromises): Promise<void> {
  const draft = `${path}${DRAFT}`;
  const from = await fs.open(path, 'r');
  try {
    await copySealed(from, await fs.open(draft, 'wx', 0o600));
    // A segment that the courier has removed meanwhile must not come back.
    if ((await from.stat()).nlink > 0) await fs.rename(draft, path);
    else await fsPromises.rm(draft);
  } finally {
    await from.close();
  }
}

/** Removes the copies that a process left unfinished; to be called while nobody seals. */
export async function removeDrafts(directory: string): Promise<void> {
  for (const name of await fsPromises.readdir(directory)) {
    if (name.endsWith(DRAFT)) await fsPromises.rm(join(directory, name), { force: true });
  }
}

async function copySealed(from: SealFile, to: SealFile): Promise<void> {
  try {
    await copy(from, to);
    // Where files have no modes the next start does this again, and that is all.
    await to.chmod(SEALED_MODE).catch(() => {});
    await to.sync();
  } finally {
    await to.close();
  }
}

async function copy(from: SealFile, to: SealFile): Promise<void> {
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  for (;;) {
    const { bytesRead } = await from.read(piece, 0, PIECE_BYTES, null);
    if (bytesRead === 0) return;
    await to.writeFile(piece.subarray(0, bytesRead));
  }
}
