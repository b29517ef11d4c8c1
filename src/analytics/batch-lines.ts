import type { Batch } from '../ports/batch.ts';

/** A line of a batch, with its newline: where it stands among the records, and in the journal. */
export interface BatchLine {
  readonly from: number;
  readonly to: number;
  readonly segment: string;
  /** Byte offset in the segment. */
  readonly start: number;
}

const NEWLINE = 0x0a;

/** The lines of a batch, in order. */
export function linesOf({ manifest, records }: Pick<Batch, 'manifest' | 'records'>): BatchLine[] {
  const lines: BatchLine[] = [];
  let from = 0;
  for (const {
    segment,
    start,
    end,
    from: first = start,
    damaged = [],
    loaded = [],
  } of manifest.segments) {
    const left = [...damaged, ...loaded].toSorted((a, b) => a.start - b.start);
    let at = first;
    for (const part of [...left, { start: end, end }]) {
      while (at < part.start) {
        const to = records.indexOf(NEWLINE, from) + 1;
        if (to === 0) return lines;
        lines.push({ from, to, segment, start: at });
        at += to - from;
        from = to;
      }
      at = Math.max(at, part.end);
    }
  }
  return lines;
}
