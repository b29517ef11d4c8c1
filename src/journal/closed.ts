import { startOf } from '../base/process-start.ts';
import { parseSegmentName, type SegmentHeader } from './segment.ts';

/** A segment as it lies in the directory. */
export interface SegmentOnDisk {
  readonly name: string;
  /** Null where its first line was never finished. */
  readonly header: SegmentHeader | null;
  readonly bytes: number;
  /** Unix time in milliseconds of the last write. */
  readonly modifiedMs: number;
}

/** A segment that its process did not even begin is left over by then; see `SegmentWriter.open`. */
const HEADLESS_AFTER_MS = 24 * 60 * 60 * 1000;

/**
 * The names of the segments that no process will ever write to again, so that what they hold now is
 * all that they will hold: those that another one of their process followed, and those whose process
 * has ended. How old a segment is says nothing: clocks are set, and a process may have nothing to
 * write for days.
 *
 * @param segments all of the directory.
 * @param isRunning whether the process that wrote the header runs still.
 */
export function closedSegments(
  segments: readonly SegmentOnDisk[],
  nowMs: number,
  isRunning: (writer: SegmentHeader) => boolean,
): Set<string> {
  const lastOfSeries = new Map<string, number>();
  for (const { name } of segments) {
    const { series, sequence } = parseSegmentName(name) ?? { series: name, sequence: 0 };
    lastOfSeries.set(series, Math.max(sequence, lastOfSeries.get(series) ?? 0));
  }
  const closed = segments.filter(({ name, header, modifiedMs }) => {
    const { series, sequence } = parseSegmentName(name) ?? { series: name, sequence: 0 };
    if (sequence < (lastOfSeries.get(series) ?? 0)) return true;
    return header === null ? nowMs - modifiedMs >= HEADLESS_AFTER_MS : !isRunning(header);
  });
  return new Set(closed.map(({ name }) => name));
}

/** Whether the process that wrote a segment's header runs still on this machine. */
export function isWriterRunning({ pid, process_start: start }: SegmentHeader): boolean {
  if (!isProcess(pid)) return false;
  return start === undefined || start === '' || startOf(pid) === start;
}

/** Whether a process of this id runs, whoever's it is. */
function isProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
