import nodeFs from 'node:fs';

import type { JournalFs } from './journal-fs.ts';

/** What the next write meets: all bytes taken, some of them, none, or an error. */
export type WriteFate = number | 'ENOSPC' | 'EIO' | 'whole';

/** The real file system with a disk that misbehaves as a test says. */
export interface FaultFs extends JournalFs {
  /** Fates of the next writes in turn; once used up, `afterwards` holds. */
  fates: WriteFate[];
  afterwards: WriteFate;
  /** Whether a file can still be cut shorter. */
  truncates: boolean;
  /** Whether what was written reaches the disk when it is asked to. */
  syncs: boolean;
  /** The part of the disk that is free; null is the real one. */
  freeShare: number | null;
  writes: number;
  opens: number;
  /** Calls of `fdatasync` and `fsync` so far, by descriptor. */
  readonly synced: number[];
}

/** The size of the disk whose free part a test names, in bytes. */
export const FAULT_DISK_BYTES = 1_000_000_000;

/** The journal's disk for tests; without further ado it works like `node:fs`. */
export function createFaultFs(): FaultFs {
  const fs: FaultFs = {
    ...pickFs(),
    fates: [],
    afterwards: 'whole',
    truncates: true,
    syncs: true,
    freeShare: null,
    writes: 0,
    opens: 0,
    synced: [],
    openSync: (path, flags, mode) => {
      fs.opens += 1;
      return nodeFs.openSync(path, flags, mode);
    },
    writeSync: (fd, buffer, offset, length) => {
      fs.writes += 1;
      const fate = fs.fates.shift() ?? fs.afterwards;
      if (fate === 'ENOSPC' || fate === 'EIO') throw systemError(fate, 'write');
      const taken = fate === 'whole' ? length : Math.min(fate, length);
      return taken === 0 ? 0 : nodeFs.writeSync(fd, buffer, offset, taken);
    },
    ftruncateSync: (fd, length) => {
      if (!fs.truncates) throw systemError('EIO', 'ftruncate');
      nodeFs.ftruncateSync(fd, length);
    },
    fdatasync: (fd, done) => {
      fs.synced.push(fd);
      nodeFs.fdatasync(fd, (error) => done(fs.syncs ? error : systemError('EIO', 'fdatasync')));
    },
    fsync: (fd, done) => {
      fs.synced.push(fd);
      nodeFs.fsync(fd, (error) => done(fs.syncs ? error : systemError('EIO', 'fsync')));
    },
    statfsSync: (path) => {
      if (fs.freeShare === null) return nodeFs.statfsSync(path);
      return { bsize: 1, blocks: FAULT_DISK_BYTES, bavail: FAULT_DISK_BYTES * fs.freeShare };
    },
  };
  return fs;
}

function pickFs(): JournalFs {
  const { mkdirSync, openSync, readFileSync, readdirSync, statSync, statfsSync } = nodeFs;
  const { writeSync, ftruncateSync, fchmodSync, fsyncSync, fdatasync, fsync } = nodeFs;
  const { closeSync, linkSync, unlinkSync } = nodeFs;
  return {
    mkdirSync,
    openSync,
    readFileSync,
    readdirSync,
    statSync,
    statfsSync,
    writeSync,
    ftruncateSync,
    fchmodSync,
    fsyncSync,
    fdatasync,
    fsync,
    closeSync,
    linkSync,
    unlinkSync,
  };
}

function systemError(code: string, call: string): Error {
  return Object.assign(new Error(`${code}: injected, ${call}`), { code });
}
