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
  writes: number;
  opens: number;
}

/** The journal's disk for tests; without further ado it works like `node:fs`. */
export function createFaultFs(): FaultFs {
  const fs: FaultFs = {
    ...pickFs(),
    fates: [],
    afterwards: 'whole',
    truncates: true,
    writes: 0,
    opens: 0,
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
  };
  return fs;
}

function pickFs(): JournalFs {
  const { mkdirSync, openSync, readFileSync, writeSync, ftruncateSync } = nodeFs;
  const { fsyncSync, closeSync, linkSync, unlinkSync } = nodeFs;
  return {
    mkdirSync,
    openSync,
    readFileSync,
    writeSync,
    ftruncateSync,
    fsyncSync,
    closeSync,
    linkSync,
    unlinkSync,
  };
}

function systemError(code: string, call: string): Error {
  return Object.assign(new Error(`${code}: injected, ${call}`), { code });
}
