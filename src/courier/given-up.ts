import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from '../base/unknown-error.ts';

import { checkLine, readMark, type LineMark } from '../journal/checked-line.ts';
import { DamageFinder } from '../journal/damage.ts';
import type { BatchManifest, SegmentRange } from '../ports/batch.ts';
import type { PlannedRange } from './batch-buffer.ts';
import { lastLineBefore, rememberLine, type LastLines } from './last-lines.ts';

/** A line of a batch that cannot be made again. */
export interface LeftLine {
  readonly start: number;
  readonly end: number;
  /** What its end says, where that can be read. */
  readonly mark: LineMark | null;
  readonly isIntact: boolean;
}

/** What is left of a range. */
export interface LeftRange {
  readonly range: SegmentRange;
  /** The segment has been removed. */
  readonly isGone: boolean;
  readonly lines: readonly LeftLine[];
}

const NEWLINE = 0x0a;

/** Reads what is left of each range of a batch. */
export async function readLeft(
  directory: string,
  { segments }: BatchManifest,
): Promise<readonly LeftRange[]> {
  const left: LeftRange[] = [];
  for (const range of segments) {
    const bytes = await readBytes(directory, range);
    left.push({
      range,
      isGone: bytes === null,
      lines: bytes === null ? [] : linesOf(range, bytes),
    });
  }
  return left;
}

/** Number and checksum of all lines of which they can be read, in order; see `ports/batch-wire.ts`. */
export function marksOf(left: readonly LeftRange[]): [line: number, crc: number][] {
  return left.flatMap(({ lines }) =>
    lines.flatMap(({ mark }): [number, number][] => (mark === null ? [] : [[mark.line, mark.crc]])),
  );
}

/**
 * The ranges of the batch that takes the place of the one that is given up: what is loaded is left out
 * of it, and what is damaged.
 *
 * @param present which lines are loaded, by their places in `marksOf`.
 */
export function planRepair(
  left: readonly LeftRange[],
  present: ReadonlySet<number>,
  lastLines: LastLines,
): PlannedRange[] {
  const numbers = new Map(lastLines);
  let marks = 0;
  return left.map(({ range: { damaged: _, loaded: __, ...range }, lines }) => {
    const finder = new DamageFinder(lastLineBefore(range.segment, range.start, numbers));
    const loaded: { start: number; end: number }[] = [];
    let lastLine = -1;
    for (const { start, end, mark, isIntact } of lines) {
      const isLoaded = mark !== null && present.has(marks);
      if (mark !== null) marks += 1;
      if (isLoaded) addPart(loaded, start, end);
      if (mark !== null && (isLoaded || isIntact)) {
        finder.intact(mark, start);
        lastLine = mark.line;
      } else finder.damaged(start, end, start === 0 ? 0 : 1);
    }
    // A segment that lost bytes may have grown since: it goes on behind the last whole line.
    const end = lines.at(-1)?.end ?? range.end;
    if (lines.length === 0) finder.damaged(range.from ?? range.start, end, 0);
    const { last_line: last } = range;
    // What came after the range tells how many records its end has lost.
    if (last !== undefined && lastLine < last) finder.intact({ line: last + 1 }, end);
    const { damage } = finder.take();
    const repaired = {
      ...range,
      end,
      ...(last === undefined ? {} : { last_line: Math.max(last, lastLine) }),
      ...(loaded.length === 0 ? {} : { loaded }),
      damaged: damage,
    };
    rememberLine(numbers, repaired);
    return repaired;
  });
}

/** For traces, which are removed for want of room: what is damaged or gone is passed over. */
export function passOver({ damaged, loaded = [], ...range }: PlannedRange): PlannedRange {
  const parts = [...loaded, ...damaged.map(({ start, end }) => ({ start, end }))];
  return { ...range, loaded: parts.toSorted((one, other) => one.start - other.start), damaged: [] };
}

/** Joins what stands side by side. */
function addPart(parts: { start: number; end: number }[], start: number, end: number): void {
  const last = parts.at(-1);
  if (last?.end === start) parts[parts.length - 1] = { start: last.start, end };
  else parts.push({ start, end });
}

/** What is there of a range; null where its segment is gone. */
async function readBytes(
  directory: string,
  { segment, start, from = start, end }: SegmentRange,
): Promise<Buffer | null> {
  try {
    const file = await open(join(directory, segment));
    try {
      const bytes = Buffer.alloc(end - from);
      const { bytesRead } = await file.read(bytes, 0, bytes.length, from);
      return bytes.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

function linesOf(
  { start: rangeStart, from = rangeStart }: SegmentRange,
  bytes: Buffer,
): LeftLine[] {
  const lines: LeftLine[] = [];
  let at = 0;
  for (let to = bytes.indexOf(NEWLINE); to >= 0; to = bytes.indexOf(NEWLINE, at)) {
    const [start, end] = [from + at, from + to + 1];
    const intact = checkLine(bytes, at, to);
    lines.push({ start, end, mark: intact ?? readMark(bytes, at, to), isIntact: intact !== null });
    at = to + 1;
  }
  return lines;
}
