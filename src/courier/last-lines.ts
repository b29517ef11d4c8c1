import { parseSegmentName } from '../journal/segment.ts';
import type { SegmentRange } from '../ports/batch.ts';

/**
 * The number of the last record that was taken of each process, by what the names of its segments have
 * in common: the next one is its successor, or records are missing.
 */
export type LastLines = ReadonlyMap<string, number>;

/**
 * Null where it is not known what comes before this place of a segment. Segments of traces are removed
 * for want of room, so that what is not there says nothing.
 */
export function lastLineBefore(segment: string, start: number, lines: LastLines): number | null {
  if (segment.startsWith('trace-')) return null;
  const { series, sequence } = parseSegmentName(segment) ?? { series: segment, sequence: 0 };
  return lines.get(series) ?? (sequence === 1 && start === 0 ? 0 : null);
}

export function rememberLine(
  lines: Map<string, number>,
  { segment, last_line: last }: Pick<SegmentRange, 'segment' | 'last_line'>,
): void {
  if (last !== undefined) lines.set(seriesOf(segment), last);
}

export function seriesOf(segment: string): string {
  return parseSegmentName(segment)?.series ?? segment;
}
