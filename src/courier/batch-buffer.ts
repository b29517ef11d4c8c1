import { open } from 'node:fs/promises';
import { join } from 'node:path';

import { readSegmentHeader } from '../journal/segment-header.ts';
import { encodeManifest, MANIFEST_BYTES_MAX } from '../ports/batch-wire.ts';
import {
  BATCH_BYTES_MAX,
  BATCH_SEGMENTS_MAX,
  type BatchManifest,
  type BatchStream,
  type SegmentRange,
} from '../ports/batch.ts';
import { syncDirectory, synced } from './durable-file.ts';
import type { WaitingSegment } from './journal-segments.ts';

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

/**
 * The one batch that the courier holds: the only memory that shipping takes, whatever waits on the
 * disk. Its bytes stay as they are until it is filled anew, for as many offers as it needs.
 */
export class BatchBuffer {
  readonly #options: BatchBufferOptions;
  readonly #bytes = Buffer.allocUnsafeSlow(MANIFEST_BYTES_MAX + BATCH_BYTES_MAX);
  /** Of the records. */
  #length = 0;

  constructor(options: BatchBufferOptions) {
    this.#options = options;
  }

  /**
   * Fills the buffer with the next whole lines of the segments, one after the other, and brings what
   * it has taken to the disk: what control has must not be lost here.
   *
   * @returns null when there is no whole line.
   * @throws SyncFailure, or the system's error when a segment cannot be read
   */
  async gather(segments: readonly WaitingSegment[]): Promise<FilledBatch | null> {
    this.#length = 0;
    const ranges: SegmentRange[] = [];
    let schema = 1;
    let oldestMs: number | null = null;
    for (const segment of segments) {
      if (ranges.length === BATCH_SEGMENTS_MAX || this.#length === BATCH_BYTES_MAX) break;
      const at = RECORDS_AT + this.#length;
      const range = await this.#take(segment);
      if (range === 'full') break;
      if (range === null) continue;
      ranges.push(range);
      schema = Math.max(schema, segment.schema);
      const firstMs = timeOf(this.#bytes.subarray(at, RECORDS_AT + this.#length));
      if (firstMs !== null) oldestMs = Math.min(firstMs, oldestMs ?? Infinity);
    }
    if (ranges.length === 0) return null;
    // The names of new segments have to survive as well.
    if (ranges.some(({ start }) => start === 0)) await syncDirectory(this.#options.directory);
    const { incarnation, stream } = this.#options;
    const of = stream === 'money' ? {} : { stream };
    return { manifest: { incarnation, ...of, schema, segments: ranges }, oldestMs };
  }

  /**
   * Fills the buffer with the very bytes that a manifest names.
   *
   * @returns null when they are not there (any more).
   */
  async restore(manifest: BatchManifest): Promise<FilledBatch | null> {
    this.#length = 0;
    let oldestMs: number | null = null;
    for (const range of manifest.segments) {
      const at = RECORDS_AT + this.#length;
      if (!(await this.#takeAgain(range))) return null;
      const firstMs = timeOf(this.#bytes.subarray(at, RECORDS_AT + this.#length));
      if (firstMs !== null) oldestMs = Math.min(firstMs, oldestMs ?? Infinity);
    }
    return { manifest, oldestMs };
  }

  /** The batch as it is sent; see `ports/batch-wire.ts`. */
  body(manifest: BatchManifest): Buffer {
    const line = encodeManifest(manifest);
    const start = RECORDS_AT - line.length;
    if (start < 0) throw new RangeError(`A manifest has at most ${MANIFEST_BYTES_MAX} bytes.`);
    line.copy(this.#bytes, start);
    return this.#bytes.subarray(start, RECORDS_AT + this.#length);
  }

  /** Appends what fits of a segment; null when it has no whole line, `full` when none fits. */
  async #take(segment: WaitingSegment): Promise<SegmentRange | 'full' | null> {
    const path = join(this.#options.directory, segment.name);
    const from = Math.max(segment.start, segment.headerEnd);
    const room = BATCH_BYTES_MAX - this.#length;
    const file = await this.#open(path);
    try {
      const read = await this.#read(file, from, room);
      const length = this.#wholeLines(read);
      if (length === 0) {
        if (read < room) segment.foundNothing(from + read);
        else if (room === BATCH_BYTES_MAX) segment.refuse('it has a line longer than a batch');
        return read < room || room === BATCH_BYTES_MAX ? null : 'full';
      }
      await synced(path, () => file.datasync());
      // A write that failed halfway is cut off again: what was read of it does not exist.
      if ((await file.stat()).size < from + length) return null;
      this.#length += length;
      return { segment: segment.name, start: segment.start, end: from + length };
    } finally {
      await file.close();
    }
  }

  async #takeAgain({ segment, start, end }: SegmentRange): Promise<boolean> {
    const path = join(this.#options.directory, segment);
    try {
      const header = await readSegmentHeader(path);
      if (header.kind !== 'header') return false;
      const from = Math.max(start, header.end);
      const length = end - from;
      if (length < 0 || length > BATCH_BYTES_MAX - this.#length) return false;
      const file = await this.#open(path);
      try {
        if ((await this.#read(file, from, length)) < length) return false;
      } finally {
        await file.close();
      }
      if (this.#wholeLines(length) < length) return false;
      this.#length += length;
      return true;
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
      throw error;
    }
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
