import type { SegmentOnDisk } from './closed.ts';
import type { JournalLimits } from './room.ts';
import type { JournalStream } from './segment.ts';

const HOUR_MS = 60 * 60 * 1000;

/**
 * Money is kept this long after it was acknowledged: a store that was brought back to an older
 * state is offered again what it has lost, and beacons are compared with those of the last hour.
 */
export const MONEY_RETENTION_MS = 6 * HOUR_MS;

/** Traces wait so long for a control that is away, and stay a little once it has them. */
export const TRACE_RETENTION_MS = 24 * HOUR_MS;
export const SHIPPED_TRACE_RETENTION_MS = HOUR_MS;

/** The journal is trimmed before its writers reach their limits: an auction must not wait for it. */
const TRIM_SHARE = 7 / 8;
/** Room is made at this multiple of the reserve, at which money would stop; trace stops at 2. */
const TRIM_RESERVES = 3;

/** A segment, and what may happen to it. */
export interface KeptSegment extends Pick<SegmentOnDisk, 'name' | 'bytes' | 'modifiedMs'> {
  readonly stream: JournalStream;
  /** Nobody writes to it any more; no other segment is ever removed. */
  readonly closed: boolean;
  /**
   * Unix time in milliseconds at which all of its records had been acknowledged; null while some are
   * not.
   */
  readonly acknowledgedMs: number | null;
  /** Unix time in milliseconds before which it is not removed, whatever room that would make. */
  readonly heldUntilMs: number;
}

export interface Surroundings {
  readonly nowMs: number;
  readonly limits: JournalLimits;
  /** Null where the system does not say. */
  readonly disk: { readonly freeBytes: number; readonly reserveBytes: number } | null;
  /** What was acknowledged may have to be offered again: no money is removed. */
  readonly keepsMoney: boolean;
}

/**
 * The segments to remove: those that have been kept long enough, then, as far as the limits ask for
 * it, the oldest of the trace, first what is acknowledged and then what is not, then the oldest of the
 * money that is acknowledged. Money that is not acknowledged, or that somebody still needs, is never
 * removed: where it alone is too much, its writers stop (see `room.ts`).
 *
 * @param segments all of the directory.
 * @returns names, in the order in which to remove them.
 */
export function segmentsToRemove(
  segments: readonly KeptSegment[],
  { nowMs, limits, disk, keepsMoney }: Surroundings,
): readonly string[] {
  const removable = segments.filter(
    (segment) => nowMs >= segment.heldUntilMs && isRemovable(segment, keepsMoney),
  );
  const expired = removable.filter((segment) => nowMs >= keptUntilMs(segment));
  const rest = removable.filter((segment) => nowMs < keptUntilMs(segment)).sort(oldestFirst);
  const traces = rest.filter(({ stream }) => stream === 'trace');
  const trace = [
    ...traces.filter(({ acknowledgedMs }) => acknowledgedMs !== null),
    ...traces.filter(({ acknowledgedMs }) => acknowledgedMs === null),
  ];
  const money = rest.filter(({ stream }) => stream === 'money');

  const freed = sumOf(expired);
  const traceBytes = sumOf(segments.filter(({ stream }) => stream === 'trace'));
  const freedTrace = sumOf(expired.filter(({ stream }) => stream === 'trace'));
  let tooMany = sumOf(segments) - freed - limits.bytesMax * TRIM_SHARE;
  if (disk !== null) {
    tooMany = Math.max(tooMany, disk.reserveBytes * TRIM_RESERVES - disk.freeBytes - freed);
  }
  let tooMuchTrace = traceBytes - freedTrace - limits.traceBytesMax * TRIM_SHARE;

  const removed = [...expired];
  for (const segment of [...trace, ...money]) {
    const excess = segment.stream === 'trace' ? Math.max(tooMany, tooMuchTrace) : tooMany;
    if (excess <= 0) continue;
    removed.push(segment);
    tooMany -= segment.bytes;
    tooMuchTrace -= segment.bytes;
  }
  return removed.map(({ name }) => name);
}

function isRemovable(
  { stream, closed, acknowledgedMs }: KeptSegment,
  keepsMoney: boolean,
): boolean {
  return closed && (stream === 'trace' || (acknowledgedMs !== null && !keepsMoney));
}

/** Unix time in milliseconds. */
function keptUntilMs({ stream, modifiedMs, acknowledgedMs }: KeptSegment): number {
  if (stream === 'money') {
    return Math.max(modifiedMs, acknowledgedMs ?? Infinity) + MONEY_RETENTION_MS;
  }
  if (acknowledgedMs === null) return modifiedMs + TRACE_RETENTION_MS;
  return Math.max(modifiedMs, acknowledgedMs) + SHIPPED_TRACE_RETENTION_MS;
}

function oldestFirst(a: KeptSegment, b: KeptSegment): number {
  return a.modifiedMs - b.modifiedMs;
}

function sumOf(segments: readonly KeptSegment[]): number {
  return segments.reduce((sum, { bytes }) => sum + bytes, 0);
}
