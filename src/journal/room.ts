import { join } from 'node:path';

import type { JournalFs } from './journal-fs.ts';
import { SEGMENT_SUFFIX, type JournalStream } from './segment.ts';

/** How much of the disk the journal may take. Trace goes before money at every one of the limits. */
export interface JournalLimits {
  /** All segments of the node together, in bytes. */
  readonly bytesMax: number;
  /** The segments of the trace among them, in bytes. */
  readonly traceBytesMax: number;
  /**
   * What money leaves free of the disk, and trace twice over: room in which courier and control can
   * go on, because only what they carry away makes room again. The smaller one of the two counts.
   */
  readonly reserveBytes: number;
  readonly reserveShare: number;
}

const MEBIBYTE = 1024 * 1024;

/** About four hours of a thousand auctions a second that nobody carries away. */
export const JOURNAL_LIMITS: JournalLimits = {
  bytesMax: 16 * 1024 * MEBIBYTE,
  traceBytesMax: 2 * 1024 * MEBIBYTE,
  reserveBytes: 256 * MEBIBYTE,
  reserveShare: 0.02,
};

/** Where a stream writes, and what it has to leave. */
export interface Quarters {
  readonly directory: string;
  readonly stream: JournalStream;
  readonly limits: JournalLimits;
}

/**
 * Why a stream may not write now although the disk would take it: a full disk comes to an auction
 * as the same error. Cheap enough for once a second (2 µs).
 */
export function diskProblem({ directory, stream, limits }: Quarters, fs: JournalFs): Error | null {
  const disk = diskOf(directory, limits, fs);
  if (disk === null || disk.freeBytes >= disk.reserveBytes * (stream === 'trace' ? 2 : 1)) {
    return null;
  }
  return noRoom(
    `${Math.round(disk.freeBytes)} bytes are free, and the rest of the node needs them`,
  );
}

/** Why a stream may not begin a segment; looks at every segment of the node. */
export function budgetProblem(
  { directory, stream, limits }: Quarters,
  fs: JournalFs,
): Error | null {
  const bytes = journalBytes(directory, fs);
  if (bytes.money + bytes.trace >= limits.bytesMax) {
    return noRoom(`the journal has reached its ${limits.bytesMax} bytes`);
  }
  if (stream === 'trace' && bytes.trace >= limits.traceBytesMax) {
    return noRoom(`the trace has reached its ${limits.traceBytesMax} bytes`);
  }
  return null;
}

/** Null where the system does not say. */
export function diskOf(
  directory: string,
  limits: JournalLimits,
  fs: Pick<JournalFs, 'statfsSync'>,
): { readonly freeBytes: number; readonly reserveBytes: number } | null {
  try {
    const { bsize, blocks, bavail } = fs.statfsSync(directory);
    const reserveBytes = Math.min(limits.reserveBytes, limits.reserveShare * blocks * bsize);
    return { freeBytes: bavail * bsize, reserveBytes };
  } catch {
    return null;
  }
}

function journalBytes(directory: string, fs: JournalFs): Record<JournalStream, number> {
  const bytes = { money: 0, trace: 0 };
  for (const name of fs.readdirSync(directory)) {
    if (!name.endsWith(SEGMENT_SUFFIX)) continue;
    bytes[name.startsWith('trace-') ? 'trace' : 'money'] += sizeOf(join(directory, name), fs);
  }
  return bytes;
}

/** The courier may remove a segment at any time. */
function sizeOf(path: string, fs: JournalFs): number {
  try {
    return fs.statSync(path).size;
  } catch {
    return 0;
  }
}

function noRoom(reason: string): Error {
  return Object.assign(new Error(`ENOSPC: ${reason}.`), { code: 'ENOSPC' });
}
