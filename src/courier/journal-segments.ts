import { statSync } from 'node:fs';
import { join } from 'node:path';

import type { Logger } from 'pino';
import { isMissing } from '../base/unknown-error.ts';

import { CLOCK_SKEW_MAX_MS, TOKEN_LIFE_MAX_MS } from '../beacons/beacon.ts';
import { closedSegments, isWriterRunning } from '../journal/closed.ts';
import type { KeptSegment } from '../journal/retention.ts';
import { isSealed } from '../journal/seal.ts';
import { readSegmentHeader } from '../journal/segment-header.ts';
import {
  SCHEMA_OF,
  SEGMENT_SUFFIX,
  type JournalStream,
  type JournalWriter,
  type SegmentHeader,
} from '../journal/segment.ts';
import { DirectoryChanges } from './directory-changes.ts';
import type { Acknowledged, ShippingState } from './shipping-state.ts';

export interface JournalSegmentsOptions {
  readonly directory: string;
  /** Of the node's data directory; see `journal/incarnation.ts`. */
  readonly incarnation: string;
  readonly logger: Logger;
  /** Unix time in milliseconds. */
  readonly now: () => number;
  /** Whether the process that wrote a segment's header runs still. */
  readonly isRunning?: (writer: SegmentHeader) => boolean;
}

/** A segment of one stream with bytes that are not acknowledged. */
export interface WaitingSegment {
  readonly name: string;
  readonly schema: number;
  /** Where the header ends; 0 where that is damaged and one of the lines. */
  readonly headerEnd: number;
  /** Where the first byte stands that is not acknowledged; 0 covers the header. */
  readonly start: number;
  /** Bytes that wait, without the header. */
  readonly bytes: number;
  /** To be called when no whole line was found from the start up to this offset. */
  foundNothing(upTo: number): void;
}

/** What is known of a segment. */
interface Known {
  readonly name: string;
  readonly stream: JournalStream;
  /** Null while its first line is not whole, and where that is damaged. */
  header: SegmentHeader | null;
  headerEnd: number;
  /** Who wrote it; null while its first line is not whole. */
  writer: JournalWriter | null;
  /** It cannot be shipped, which has been said in the log. */
  unreadable: boolean;
  bytes: number;
  modifiedMs: number;
  /** It ends before what was acknowledged of it, which has been said in the log. */
  isShort: boolean;
  /** All of it is known to be on the disk; see `journal/seal.ts`. */
  sealed: boolean;
  /** Up to here there is no whole line that is not acknowledged: what follows is a torn one. */
  barrenTo: number;
  /** Closed, and all of it is acknowledged: it is not looked at any more. */
  settled: boolean;
}

/** A starting tracker reads from its predecessors' segments what must not count again. */
const BEACONS_KEPT_MS = TOKEN_LIFE_MAX_MS + 2 * CLOCK_SKEW_MAX_MS;

type Acknowledgements = ShippingState['acknowledged'];

/**
 * The segments of the node's journal, as the courier finds them: it ships them and removes them. Their
 * sizes are asked for synchronously: to hand that to the thread pool costs more than it takes.
 */
export class JournalSegments {
  readonly #options: JournalSegmentsOptions;
  readonly #known = new Map<string, Known>();
  readonly #directory: DirectoryChanges;

  constructor(options: JournalSegmentsOptions) {
    this.#options = options;
    this.#directory = new DirectoryChanges(options.directory);
  }

  /** Segments of the money stream that are left as they are, since this version cannot read them. */
  get unreadable(): number {
    const segments = [...this.#known.values()];
    return segments.filter(({ stream, unreadable }) => stream === 'money' && unreadable).length;
  }

  /** Segments of the money stream that end before what was acknowledged of them. */
  get shortened(): number {
    return [...this.#known.values()].filter(({ isShort }) => isShort).length;
  }

  /** What is to be shipped, in the order of the segments' names: the oldest process first. */
  async waiting(
    acknowledged: Acknowledgements,
    stream: JournalStream = 'money',
  ): Promise<readonly WaitingSegment[]> {
    this.#list();
    const waiting: WaitingSegment[] = [];
    for (const segment of this.#known.values()) {
      if (segment.stream !== stream || segment.settled || segment.unreadable) continue;
      await this.#look(segment);
      const { name, header, headerEnd, bytes, unreadable, writer } = segment;
      this.#checkLength(segment, acknowledged.get(name)?.offset ?? 0);
      if (unreadable || writer === null || hasNothing(segment, acknowledged.get(name))) continue;
      if (this.#isDoubtful(segment)) continue;
      const start = acknowledged.get(name)?.offset ?? 0;
      waiting.push({
        name,
        schema: header?.schema ?? SCHEMA_OF[stream],
        headerEnd,
        start,
        bytes: bytes - Math.max(start, headerEnd),
        foundNothing: (upTo) => {
          segment.barrenTo = upTo;
        },
      });
    }
    return waiting;
  }

  /**
   * Segments of the money stream that hold something not acknowledged, also what cannot be shipped
   * now or at all, and their size in bytes.
   */
  async unacknowledged(acknowledged: Acknowledgements): Promise<ReadonlyMap<string, number>> {
    this.#list();
    const sizes = new Map<string, number>();
    for (const segment of this.#known.values()) {
      if (segment.stream !== 'money' || segment.settled) continue;
      await this.#look(segment);
      const { name, writer, bytes, unreadable } = segment;
      if (writer === null && !unreadable) continue;
      if (unreadable || !hasNothing(segment, acknowledged.get(name))) sizes.set(name, bytes);
    }
    return sizes;
  }

  /**
   * Whether a tracker ended before it knew what of its last segment is on the disk. Its successor
   * finds out and seals the segment; until then a sync of ours could not be believed either.
   */
  #isDoubtful({ sealed, writer, header }: Known): boolean {
    const { isRunning = isWriterRunning } = this.#options;
    return writer === 'tracker' && !sealed && (header === null || !isRunning(header));
  }

  /** All of the stream's segments wait again: what was acknowledged of them is not any more. */
  beginAgain(stream: JournalStream): void {
    for (const segment of this.#known.values()) {
      if (segment.stream === stream) Object.assign(segment, { settled: false, barrenTo: 0 });
    }
  }

  /** Every segment of both streams, and whether it may be removed. */
  async survey(acknowledged: Acknowledgements): Promise<readonly KeptSegment[]> {
    const { now, isRunning = isWriterRunning } = this.#options;
    this.#list();
    const segments = [...this.#known.values()];
    for (const segment of segments) if (!segment.settled) await this.#look(segment);
    const closed = closedSegments(segments, now(), isRunning);
    for (const segment of segments) {
      if (segment.unreadable || segment.settled || !closed.has(segment.name)) continue;
      // Its process may have written once more before it ended: only now is the size the last one.
      await this.#look(segment);
      segment.settled = hasNothing(segment, acknowledged.get(segment.name));
    }
    return segments.map(({ name, stream, writer, bytes, modifiedMs, settled }) => ({
      name,
      stream,
      bytes,
      modifiedMs,
      closed: settled || closed.has(name),
      acknowledgedMs: settled ? (acknowledged.get(name)?.atMs ?? modifiedMs) : null,
      // A file may bear an older time than its last line; what was acknowledged had been written.
      heldUntilMs:
        writer === 'tracker'
          ? Math.max(modifiedMs, acknowledged.get(name)?.atMs ?? 0) + BEACONS_KEPT_MS
          : 0,
    }));
  }

  #list(): void {
    const names = this.#directory.list();
    if (names === null) return;
    const present = new Set(names.filter((name) => streamOf(name) !== null));
    for (const name of this.#known.keys()) if (!present.has(name)) this.#known.delete(name);
    for (const name of [...present].sort()) {
      const stream = streamOf(name);
      if (stream === null || this.#known.has(name)) continue;
      this.#known.set(name, { ...UNKNOWN, name, stream });
    }
  }

  /** Looks at the header, until it is whole, and at the size. */
  async #look(segment: Known): Promise<void> {
    const path = join(this.#options.directory, segment.name);
    if (segment.writer === null && !segment.unreadable) await this.#readHeader(segment, path);
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return;
    segment.bytes = found.size;
    segment.sealed = isSealed(found.mode);
    segment.modifiedMs = found.mtimeMs;
  }

  async #readHeader(segment: Known, path: string): Promise<void> {
    const read = await whenPresent(readSegmentHeader(path));
    if (read === null || read.kind === 'torn') return;
    if (read.kind === 'foreign') {
      this.#refuse(segment, 'its first line is the header of another version');
      return;
    }
    if (read.kind === 'damaged') {
      segment.writer = read.writer;
      return;
    }
    const { schema, incarnation, stream, writer } = read.header;
    segment.header = read.header;
    segment.headerEnd = read.end;
    segment.writer = writer;
    if (stream !== segment.stream) this.#refuse(segment, `it says that it holds ${stream}`);
    else if (incarnation !== this.#options.incarnation) {
      this.#refuse(segment, `it is of another data directory, ${incarnation}`);
    } else if (schema !== SCHEMA_OF[stream]) {
      this.#refuse(segment, `its records have version ${schema}, not ${SCHEMA_OF[stream]}`);
    }
  }

  /** What was acknowledged is in the store; what else was written behind it is not known. */
  #checkLength(segment: Known, acknowledgedTo: number): void {
    const { name, stream, bytes, isShort } = segment;
    if (isShort || stream !== 'money' || bytes >= acknowledgedTo) return;
    segment.isShort = true;
    this.#options.logger.error(
      { segment: name, bytes, acknowledgedTo },
      'a segment of the journal has lost its end',
    );
  }

  #refuse(segment: Known, reason: string): void {
    if (segment.unreadable) return;
    segment.unreadable = true;
    const { logger } = this.#options;
    const details = { segment: segment.name, reason };
    if (segment.stream === 'money') {
      logger.error(details, 'a segment of the journal cannot be shipped and is left as it is');
    } else logger.info(details, 'a segment of traces is not shipped');
  }
}

const UNKNOWN = {
  header: null,
  headerEnd: 0,
  writer: null,
  unreadable: false,
  bytes: 0,
  modifiedMs: 0,
  isShort: false,
  sealed: false,
  barrenTo: 0,
  settled: false,
} as const;

function hasNothing({ bytes, headerEnd, barrenTo }: Known, at: Acknowledged | undefined): boolean {
  return bytes <= Math.max(at?.offset ?? 0, headerEnd, barrenTo);
}

function streamOf(name: string): JournalStream | null {
  if (!name.endsWith(SEGMENT_SUFFIX)) return null;
  if (name.startsWith('money-')) return 'money';
  return name.startsWith('trace-') ? 'trace' : null;
}

/** Null for what does not exist (any more). */
async function whenPresent<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
