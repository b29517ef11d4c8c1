import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { isMissing } from '../base/unknown-error.ts';

import { checkLine } from '../journal/checked-line.ts';
import { DamageFinder, type Damage } from '../journal/damage.ts';
import { encodeManifest, MANIFEST_BYTES_MAX } from '../ports/batch-wire.ts';
import {
  BATCH_BYTES_MAX,
  BATCH_SEGMENTS_MAX,
  DAMAGED_BYTES_MAX,
  type BatchManifest,
  type BatchStream,
  type DamagedRange,
  type SegmentRange,
} from '../ports/batch.ts';
import { syncDirectory, synced } from './durable-file.ts';
import type { WaitingSegment } from './journal-segments.ts';
import { lastLineBefore, rememberLine, type LastLines } from './last-lines.ts';

/** What the buffer needs of an open segment; `node:fs/promises` has it. */
export interface SegmentFile {
  read(
    buffer: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly bytesRead: number }>;
  stat(): Promise<{ readonly size: number }>;
  datasync(): Promise<void>;
  close(): Promise<void>;
}

export interface BatchBufferOptions {
  /** Where the segments are. */
  readonly directory: string;
  readonly incarnation: string;
  readonly stream: BatchStream;
  /** For tests, which hand in a broken disk. */
  readonly openSegment?: (path: string) => Promise<SegmentFile>;
}

/** A batch that is in the buffer. */
export interface FilledBatch {
  readonly manifest: BatchManifest;
  /** Unix time in milliseconds of its oldest record; null where no record says. */
  readonly oldestMs: number | null;
}

const NEWLINE = 0x0a;
/** Where the records begin; the manifest is put right before them. */
const RECORDS_AT = MANIFEST_BYTES_MAX;

/** A range whose damage is known, and not yet what is kept of it. */
export type PlannedRange = Omit<SegmentRange, 'damaged'> & { readonly damaged: readonly Damage[] };

/** A part of a segment, in byte offsets. */
interface Part {
  readonly start: number;
  readonly end: number;
}

/**
 * The one batch that the courier holds: the only memory that shipping takes, whatever waits on the
 * disk. Its bytes stay as they are until it is filled anew, for as many offers as it needs.
 */
export class BatchBuffer {
  readonly #options: BatchBufferOptions;
  readonly #bytes = Buffer.allocUnsafeSlow(MANIFEST_BYTES_MAX + BATCH_BYTES_MAX);
  /** Of the records. */
  #length = 0;
  /** What is kept of what is damaged. */
  #damaged: Buffer[] = [];
  #oldestMs: number | null = null;

  constructor(options: BatchBufferOptions) {
    this.#options = options;
  }

  /**
   * Fills the buffer with the next whole lines of the segments, one after the other, and brings what
   * it has taken to the disk: what control has must not be lost here. Lines that are damaged are left
   * out of the records.
   *
   * @returns null when there is no whole line.
   * @throws SyncFailure, or the system's error when a segment cannot be read
   */
  async gather(
    segments: readonly WaitingSegment[],
    lastLines: LastLines,
  ): Promise<FilledBatch | null> {
    this.#empty();
    const ranges: SegmentRange[] = [];
    const lines = new Map(lastLines);
    let schema = 1;
    for (const segment of segments) {
      if (ranges.length === BATCH_SEGMENTS_MAX || this.#length === BATCH_BYTES_MAX) break;
      const range = await this.#take(segment, lines);
      if (range === 'full') break;
      if (range === null) continue;
      ranges.push(range);
      schema = Math.max(schema, segment.schema);
    }
    if (ranges.length === 0) return null;
    // The names of new segments have to survive as well.
    if (ranges.some(({ start }) => start === 0)) await syncDirectory(this.#options.directory);
    const { incarnation, stream } = this.#options;
    const of = stream === 'money' ? {} : { stream };
    return this.#filled({ incarnation, ...of, schema, segments: ranges });
  }

  /**
   * Fills the buffer with the very bytes that a manifest names.
   *
   * @returns null when they are not there (any more), or are not what was written.
   */
  async restore(manifest: BatchManifest): Promise<FilledBatch | null> {
    this.#empty();
    for (const range of manifest.segments) {
      const there = await this.#readRange(range);
      if (!this.#isIntact(range, there)) return null;
      const { damaged = [] } = range;
      const found = this.#sift(range, there, damaged);
      const isSame = (each: DamagedRange, index: number): boolean =>
        each.kept === damaged[index]?.kept && each.crc === damaged[index].crc;
      if (!found.every(isSame)) return null;
    }
    return this.#filled(manifest);
  }

  /** Fills the buffer with what these ranges leave of a batch that cannot be made again. */
  async repair(
    { segments: _, ...rest }: BatchManifest,
    ranges: readonly PlannedRange[],
  ): Promise<FilledBatch> {
    this.#empty();
    const segments: SegmentRange[] = [];
    for (const { damaged: planned, ...range } of ranges) {
      const there = await this.#readRange(range);
      const damaged = this.#sift(range, there, planned);
      segments.push(damaged.length === 0 ? range : { ...range, damaged });
    }
    return this.#filled({ ...rest, segments });
  }

  /** The batch as it is sent; see `ports/batch-wire.ts`. */
  body(manifest: BatchManifest): Buffer {
    const line = encodeManifest(manifest);
    const start = RECORDS_AT - line.length;
    if (start < 0) throw new RangeError(`A manifest has at most ${MANIFEST_BYTES_MAX} bytes.`);
    line.copy(this.#bytes, start);
    let end = RECORDS_AT + this.#length;
    for (const bytes of this.#damaged) end += bytes.copy(this.#bytes, end);
    return this.#bytes.subarray(start, end);
  }

  #empty(): void {
    this.#length = 0;
    this.#damaged = [];
    this.#oldestMs = null;
  }

  #filled(manifest: BatchManifest): FilledBatch {
    return { manifest, oldestMs: this.#oldestMs };
  }

  /** Appends what fits of a segment; null when it has no whole line, `full` when none fits. */
  async #take(
    segment: WaitingSegment,
    lines: Map<string, number>,
  ): Promise<SegmentRange | 'full' | null> {
    const path = join(this.#options.directory, segment.name);
    const from = Math.max(segment.start, segment.headerEnd);
    const room = BATCH_BYTES_MAX - this.#length;
    const file = await this.#open(path);
    try {
      const read = await this.#read(file, from, room);
      let length = this.#wholeLines(read);
      if (length === 0) {
        if (read < room) segment.foundNothing(from + read);
        if (read < BATCH_BYTES_MAX) return read < room ? null : 'full';
        // No record is as long: what stands here is damaged.
        length = read;
      }
      await synced(path, () => file.datasync());
      // A write that failed halfway is cut off again: what was read of it does not exist.
      if ((await file.stat()).size < from + length) return null;
      return this.#appendLines(segment, { start: from, end: from + length }, lines);
    } finally {
      await file.close();
    }
  }

  /** Takes over lines that have been read, as far as they are intact. */
  #appendLines(
    { name, start }: WaitingSegment,
    { start: from, end }: Part,
    lines: Map<string, number>,
  ): SegmentRange {
    const finder = new DamageFinder(lastLineBefore(name, start, lines));
    this.#findDamage(from, { start: from, end }, finder);
    const { damage, lastLine } = finder.take();
    const range = {
      segment: name,
      start,
      end,
      ...(from === start ? {} : { from }),
      ...(lastLine === null ? {} : { last_line: lastLine }),
    };
    rememberLine(lines, range);
    const damaged = this.#sift(range, end - from, damage);
    return damaged.length === 0 ? range : { ...range, damaged };
  }

  /** @param from where the bytes stand in the segment that were read last. */
  #findDamage(from: number, { start, end }: Part, finder: DamageFinder): void {
    const shift = RECORDS_AT + this.#length - from;
    let at = start;
    while (at < end) {
      const newline = this.#bytes.indexOf(NEWLINE, at + shift) - shift;
      const isWhole = newline >= at && newline < end;
      const to = isWhole ? newline + 1 : end;
      const mark = isWhole ? checkLine(this.#bytes, at + shift, newline + shift) : null;
      if (mark !== null) finder.intact(mark, at);
      // The first line was the header.
      else finder.damaged(at, to, isWhole && at > 0 ? 1 : 0);
      at = to;
    }
  }

  /** Reads a range behind what the buffer holds: how many of its bytes are there, and fit. */
  async #readRange({ segment, start, from = start, end }: SegmentRange): Promise<number> {
    const length = Math.min(end - from, BATCH_BYTES_MAX - this.#length);
    try {
      const file = await this.#open(join(this.#options.directory, segment));
      try {
        return await this.#read(file, from, length);
      } finally {
        await file.close();
      }
    } catch (error) {
      if (isMissing(error)) return 0;
      throw error;
    }
  }

  /** Whether all lines that a range has among its records are there, as they were written. */
  #isIntact(range: SegmentRange, there: number): boolean {
    const from = range.from ?? range.start;
    return recordParts(range, range.damaged ?? []).every(({ start, end }) => {
      if (end > from + there) return false;
      const finder = new DamageFinder(null);
      this.#findDamage(from, { start, end }, finder);
      const { damage, lastLine } = finder.take();
      const last = end === range.end ? (range.last_line ?? lastLine) : lastLine;
      return damage.length === 0 && lastLine === last;
    });
  }

  /**
   * Leaves of the range that was read what belongs to the records, and keeps the beginning of what is
   * damaged.
   */
  #sift(range: SegmentRange, there: number, damage: readonly Damage[]): DamagedRange[] {
    const from = range.from ?? range.start;
    const read = this.#bytes.subarray(RECORDS_AT + this.#length).subarray(0, there);
    const damaged = damage.map(({ start, end, missing }): DamagedRange => {
      const kept = Buffer.from(
        read.subarray(start - from, Math.min(end - from, start - from + DAMAGED_BYTES_MAX)),
      );
      this.#damaged.push(kept);
      return { start, end, missing, kept: kept.length, crc: crc32(kept) };
    });
    let length = 0;
    for (const { start, end } of recordParts(range, damage)) {
      length += read.copy(read, length, start - from, end - from);
    }
    this.#oldestMs = earlier(this.#oldestMs, timeOf(read.subarray(0, length)));
    this.#length += length;
    return damaged;
  }

  #open(path: string): Promise<SegmentFile> {
    return (this.#options.openSegment ?? open)(path);
  }

  /** Reads behind what the buffer holds; fewer bytes than asked for at the end of the file only. */
  async #read(file: SegmentFile, from: number, length: number): Promise<number> {
    let read = 0;
    while (read < length) {
      const at = RECORDS_AT + this.#length + read;
      const { bytesRead } = await file.read(this.#bytes, at, length - read, from + read);
      if (bytesRead === 0) break;
      read += bytesRead;
    }
    return read;
  }

  /** How many of the bytes just read are whole lines. */
  #wholeLines(read: number): number {
    const at = RECORDS_AT + this.#length;
    return this.#bytes.subarray(at, at + read).lastIndexOf(NEWLINE) + 1;
  }
}

/** The parts of a range whose lines are among the records, in order. */
function recordParts(range: SegmentRange, damage: readonly Part[]): Part[] {
  const left = [...damage, ...(range.loaded ?? [])].toSorted((a, b) => a.start - b.start);
  const parts: Part[] = [];
  let at = range.from ?? range.start;
  for (const { start, end } of [...left, { start: range.end, end: range.end }]) {
    if (start > at) parts.push({ start: at, end: start });
    at = Math.max(at, end);
  }
  return parts;
}

/** When the first of these records happened: its `at_ms`, which every record has. */
function timeOf(records: Buffer): number | null {
  const end = records.indexOf(NEWLINE);
  if (end < 0) return null;
  try {
    const record: unknown = JSON.parse(records.toString('utf8', 0, end));
    if (typeof record !== 'object' || record === null || !('at_ms' in record)) return null;
    return typeof record.at_ms === 'number' ? record.at_ms : null;
  } catch {
    return null;
  }
}

function earlier(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}
