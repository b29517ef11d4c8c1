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

/** A segment that nobody has written to for so long is closed, whoever has its process id now. */
const ABANDONED_AFTER_MS = 24 * 60 * 60 * 1000;

/**
 * The names of the segments that no process will ever write to again, so that what they hold now is
 * all that they will hold: those that another one of their process followed, and those whose process
 * has ended. A process id may have gone to another process since; of several writers with the same
 * id only the last one can be alive.
 *
 * @param segments all of the directory.
 * @param isRunning whether there is a process of that id.
 */
export function closedSegments(
  segments: readonly SegmentOnDisk[],
  nowMs: number,
  isRunning: (pid: number) => boolean,
): Set<string> {
  const lastOfSeries = new Map<string, number>();
  const lastOfPid = new Map<string, string>();
  for (const { name, header } of segments) {
    const { series, sequence } = parseSegmentName(name) ?? { series: name, sequence: 0 };
    lastOfSeries.set(series, Math.max(sequence, lastOfSeries.get(series) ?? 0));
    if (header === null) continue;
    const writer = writerOf(header);
    lastOfPid.set(writer, laterOf(series, lastOfPid.get(writer)));
  }
  const closed = segments.filter(({ name, header, modifiedMs }) => {
    const { series, sequence } = parseSegmentName(name) ?? { series: name, sequence: 0 };
    if (sequence < (lastOfSeries.get(series) ?? 0)) return true;
    if (nowMs - modifiedMs >= ABANDONED_AFTER_MS) return true;
    if (header === null) return false;
    return lastOfPid.get(writerOf(header)) !== series || !isRunning(header.pid);
  });
  return new Set(closed.map(({ name }) => name));
}

/** A process writes one series of each stream. */
function writerOf({ stream, pid }: SegmentHeader): string {
  return `${stream} ${pid}`;
}

/** Names of series sort by the start of their process. */
function laterOf(series: string, other: string | undefined): string {
  return other === undefined || series > other ? series : other;
}

/** Whether a process of this id runs on this machine, whoever's it is. */
export function isProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
