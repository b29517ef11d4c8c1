import { chmodSync, fstatSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';

import { createFaultFs, type FaultFs } from './fault-fs.ts';
import type { SealFile, SealFs } from './seal.ts';

/**
 * A disk below the kernel's cache, as Linux with ext4 has it, for tests: what was written can be
 * read at once, and is on the disk once it was synced. Pages that a sync has failed on count as
 * clean, so that the next sync succeeds, and are lost for good, also when they are written again.
 */
export interface ForgetfulDisk {
  /** For a journal; its `syncs` says whether the disk works. */
  readonly fs: FaultFs;
  /** The same disk, for who seals segments. */
  readonly sealFs: SealFs;
  /** The machine dies and starts: files hold what the disk has, and zeros where it has nothing. */
  cutPower(): void;
}

const PAGE_BYTES = 4096;

/** One file, by its pages. */
interface Backing {
  /** What the disk has. */
  disk: Buffer;
  /** Pages that wait for a sync. */
  dirty: Set<number>;
  /** Pages that will never be on the disk. */
  readonly lost: Set<number>;
}

export function createForgetfulDisk(): ForgetfulDisk {
  const files = new Files();
  const fs = createFaultFs();
  const openSync = fs.openSync.bind(fs);
  const writeSync = fs.writeSync.bind(fs);
  const fdatasync = fs.fdatasync.bind(fs);
  const pathOf = new Map<number, string>();

  fs.openSync = (path, flags, mode) => {
    const fd = openSync(path, flags, mode);
    pathOf.set(fd, path);
    return fd;
  };
  fs.writeSync = (fd, buffer, offset, length) => {
    const at = fstatSync(fd).size;
    const written = writeSync(fd, buffer, offset, length);
    files.wrote(pathOf.get(fd) ?? '', at, written);
    return written;
  };
  fs.fdatasync = (fd, done) => {
    const settle = files.beginSync(pathOf.get(fd) ?? '');
    fdatasync(fd, (error) => {
      settle(error === null);
      done(error);
    });
  };
  const sealFs: SealFs = {
    open: (path, flags, mode) => openSealFile(path, { flags, mode, files, disk: fs }),
    rename: async (from, to) => {
      await rename(from, to);
      files.moved(from, to);
    },
  };
  return { fs, sealFs, cutPower: () => files.cutPower() };
}

interface Opening {
  readonly flags: string;
  readonly mode: number | undefined;
  readonly files: Files;
  readonly disk: Pick<FaultFs, 'syncs'>;
}

async function openSealFile(
  path: string,
  { flags, mode, files, disk }: Opening,
): Promise<SealFile> {
  const file = await open(path, flags, mode);
  if (flags.includes('x')) files.made(path);
  return {
    read: (buffer, offset, length, position) => file.read(buffer, offset, length, position),
    writeFile: async (bytes) => {
      const { size } = await file.stat();
      await file.writeFile(bytes);
      files.wrote(path, size, bytes.length);
    },
    chmod: (to) => file.chmod(to),
    stat: () => file.stat(),
    sync: async () => {
      files.beginSync(path)(disk.syncs);
      if (!disk.syncs) throw new Error('EIO: injected, fsync');
    },
    close: () => file.close(),
  };
}

/** All that was written since the power was on. */
class Files {
  readonly #backings = new Map<string, Backing>();

  made(path: string): void {
    this.#backings.delete(path);
  }

  wrote(path: string, from: number, length: number): void {
    const { dirty } = this.#backingOf(path);
    const last = Math.floor((from + length - 1) / PAGE_BYTES);
    for (let page = Math.floor(from / PAGE_BYTES); page <= last; page += 1) dirty.add(page);
  }

  moved(from: string, to: string): void {
    this.#backings.set(to, this.#backingOf(from));
    this.#backings.delete(from);
  }

  /** The pages that are dirty now are clean when the sync ends, whatever comes of it. */
  beginSync(path: string): (ok: boolean) => void {
    const backing = this.#backingOf(path);
    const pages = backing.dirty;
    backing.dirty = new Set();
    return (ok) => {
      if (!ok) for (const page of pages) backing.lost.add(page);
      const cached = readFileSync(path);
      const disk = Buffer.alloc(Math.max(backing.disk.length, cached.length));
      backing.disk.copy(disk);
      for (const page of pages) {
        const at = page * PAGE_BYTES;
        if (!backing.lost.has(page)) cached.copy(disk, at, at, at + PAGE_BYTES);
      }
      backing.disk = disk;
    };
  }

  cutPower(): void {
    for (const [path, { disk }] of this.#backings) {
      const found = statSync(path, { throwIfNoEntry: false });
      if (found === undefined) continue;
      const left = Buffer.alloc(found.size);
      disk.copy(left);
      // Another file, because nothing of the old one's pages is left.
      writeFileSync(`${path}.left`, left);
      chmodSync(`${path}.left`, found.mode);
      renameSync(`${path}.left`, path);
    }
    this.#backings.clear();
  }

  #backingOf(path: string): Backing {
    const backing = this.#backings.get(path) ?? {
      disk: Buffer.alloc(0),
      dirty: new Set(),
      lost: new Set(),
    };
    this.#backings.set(path, backing);
    return backing;
  }
}
