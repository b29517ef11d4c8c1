import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import type { Logger } from 'pino';

import { CLOCK_SKEW_MAX_MS, TOKEN_LIFE_MAX_MS } from '../beacons/beacon.ts';
import { BEACON_KINDS } from '../events/beacon-record.ts';
import { closedSegments, isWriterRunning } from '../journal/closed.ts';
import type { KeptSegment } from '../journal/retention.ts';
import { isSealed } from '../journal/seal.ts';
import { readSegmentHeader } from '../journal/segment-header.ts';
import {
  SCHEMA_OF,
  SEGMENT_SUFFIX,
  type JournalStream,
  type SegmentHeader,
} from '../journal/segment.ts';
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
  /** Where the header ends. */
  readonly headerEnd: number;
  /** Where the first byte stands that is not acknowledged; 0 covers the header. */
  readonly start: number;
  /** Bytes that wait, without the header. */
  readonly bytes: number;
  /** To be called when no whole line was found from the start up to this offset. */
  foundNothing(upTo: number): void;
  /** To be called when the segment turns out not to hold lines that a batch can take. */
  refuse(reason: string): void;
}

/** What is known of a segment. */
interface Known {
  readonly name: string;
  readonly stream: JournalStream;
  /** Null while its first line is not whole. */
  header: SegmentHeader | null;
  headerEnd: number;
  /** A starting tracker reads it. */
  holdsBeacons: boolean;
  /** It cannot be shipped, which has been said in the log. */
  unreadable: boolean;
  bytes: number;
  modifiedMs: number;
  /** All of it is known to be on the disk; see `journal/seal.ts`. */
  sealed: boolean;
  /** Up to here there is no whole line that is not acknowledged: what follows is a torn one. */
  barrenTo: number;
  /** Closed, and all of it is acknowledged: it is not looked at any more. */
  settled: boolean;
}

/** A starting tracker reads from its predecessors' segments what must not count again. */
const BEACONS_KEPT_MS = TOKEN_LIFE_MAX_MS + 2 * CLOCK_SKEW_MAX_MS;

/** The first version of a stream's records that control takes. */
const SHIPPED_FROM: Readonly<Record<JournalStream, number>> = { money: 1, trace: 2 };

const BEACON = new RegExp(`^\\{"kind":"(?:${BEACON_KINDS.join('|')})"`);
const KIND_BYTES_MAX = 32;

type Acknowledgements = ShippingState['acknowledged'];

/** The segments of the node's journal, as the courier finds them: it ships them and removes them. */
export class JournalSegments {
  readonly #options: JournalSegmentsOptions;
  readonly #known = new Map<string, Known>();

  constructor(options: JournalSegmentsOptions) {
    this.#options = options;
  }

  /** Segments of the money stream that are left as they are, since this version cannot read them. */
  get unreadable(): number {
    const segments = [...this.#known.values()];
    return segments.filter(({ stream, unreadable }) => stream === 'money' && unreadable).length;
  }

  /** What is to be shipped, in the order of the segments' names: the oldest process first. */
  async waiting(
    acknowledged: Acknowledgements,
    stream: JournalStream = 'money',
  ): Promise<readonly WaitingSegment[]> {
    await this.#list();
    const waiting: WaitingSegment[] = [];
    for (const segment of this.#known.values()) {
      if (segment.stream !== stream || segment.settled || segment.unreadable) continue;
      await this.#look(segment);
      const { name, header, headerEnd, bytes, unreadable } = segment;
      if (unreadable || header === null || hasNothing(segment, acknowledged.get(name))) continue;
      if (this.#isDoubtful(segment, header)) continue;
      const start = acknowledged.get(name)?.offset ?? 0;
      waiting.push({
        name,
        schema: header.schema,
        headerEnd,
        start,
        bytes: bytes - Math.max(start, headerEnd),
        foundNothing: (upTo) => {
          segment.barrenTo = upTo;
        },
        refuse: (reason) => this.#refuse(segment, reason),
      });
    }
    return waiting;
  }

  /**
   * Segments of the money stream that hold something not acknowledged, also what cannot be shipped
   * now or at all, and their size in bytes.
   */
  async unacknowledged(acknowledged: Acknowledgements): Promise<ReadonlyMap<string, number>> {
    await this.#list();
    const sizes = new Map<string, number>();
    for (const segment of this.#known.values()) {
      if (segment.stream !== 'money' || segment.settled) continue;
      await this.#look(segment);
      const { name, header, bytes, unreadable } = segment;
      if (header === null && !unreadable) continue;
      if (unreadable || !hasNothing(segment, acknowledged.get(name))) sizes.set(name, bytes);
    }
    return sizes;
  }

  /**
   * Whether a tracker ended before it knew what of its last segment is on the disk. Its successor
   * finds out and seals the segment; until then a sync of ours could not be believed either.
   */
  #isDoubtful({ sealed }: Known, header: SegmentHeader): boolean {
    const { isRunning = isWriterRunning } = this.#options;
    return header.writer === 'tracker' && !sealed && !isRunning(header);
  }

  /** All of the stream's segments wait again: what was acknowledged of them is not any more. */
  beginAgain(stream: JournalStream): void {
    for (const segment of this.#known.values()) {
      if (segment.stream === stream) Object.assign(segment, { settled: false, barrenTo: 0 });
    }
  }

  /** Those of these segments that are not there. */
  async missing(names: readonly string[]): Promise<readonly string[]> {
    await this.#list();
    return names.filter((name) => !this.#known.has(name));
  }

  /** Every segment of both streams, and whether it may be removed. */
  async survey(acknowledged: Acknowledgements): Promise<readonly KeptSegment[]> {
    const { now, isRunning = isWriterRunning } = this.#options;
    await this.#list();
    const segments = [...this.#known.values()];
    for (const segment of segments) if (!segment.settled) await this.#look(segment);
    const closed = closedSegments(segments, now(), isRunning);
    for (const segment of segments) {
      if (segment.unreadable || segment.settled || !closed.has(segment.name)) continue;
      // Its process may have written once more before it ended: only now is the size the last one.
      await this.#look(segment);
      segment.settled = hasNothing(segment, acknowledged.get(segment.name));
    }
    return segments.map(({ name, stream, holdsBeacons, bytes, modifiedMs, settled }) => ({
      name,
      stream,
      bytes,
      modifiedMs,
      closed: settled || closed.has(name),
      acknowledgedMs: settled ? (acknowledged.get(name)?.atMs ?? modifiedMs) : null,
      // A file may bear an older time than its last line; what was acknowledged had been written.
      heldUntilMs: holdsBeacons
        ? Math.max(modifiedMs, acknowledged.get(name)?.atMs ?? 0) + BEACONS_KEPT_MS
        : 0,
    }));
  }

  async #list(): Promise<void> {
    const names = await readdir(this.#options.directory);
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
    if (segment.header === null && !segment.unreadable) await this.#readHeader(segment, path);
    const found = await whenPresent(stat(path));
    if (found === null) return;
    segment.bytes = found.size;
    segment.sealed = isSealed(found.mode);
    segment.modifiedMs = found.mtimeMs;
  }

  async #readHeader(segment: Known, path: string): Promise<void> {
    const read = await whenPresent(readSegmentHeader(path));
    if (read === null || read.kind === 'torn') return;
    if (read.kind === 'unreadable') {
      this.#refuse(segment, 'its first line is no header that this version knows');
      return;
    }
    segment.header = read.header;
    segment.headerEnd = read.end;
    const { schema, incarnation, stream, writer } = read.header;
    // Trackers of the first version did not say that they were writing.
    segment.holdsBeacons =
      writer === 'tracker' || (writer === undefined && (await beginsWithBeacon(path, read.end)));
    if (stream !== segment.stream) this.#refuse(segment, `it says that it holds ${stream}`);
    else if (incarnation !== this.#options.incarnation) {
      this.#refuse(segment, `it is of another data directory, ${incarnation}`);
    } else if (schema > SCHEMA_OF[stream]) {
      this.#refuse(segment, `its records have version ${schema}, newer than this Rialto`);
    } else if (schema < SHIPPED_FROM[stream]) {
      this.#refuse(segment, `its records have version ${schema}, which nobody reads any more`);
    }
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
  holdsBeacons: false,
  unreadable: false,
  bytes: 0,
  modifiedMs: 0,
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

/** A process writes records of one kind: the first one says which. */
async function beginsWithBeacon(path: string, headerEnd: number): Promise<boolean> {
  const file = await open(path);
  try {
    const bytes = Buffer.alloc(KIND_BYTES_MAX);
    const { bytesRead } = await file.read(bytes, 0, KIND_BYTES_MAX, headerEnd);
    return BEACON.test(bytes.toString('latin1', 0, bytesRead));
  } finally {
    await file.close();
  }
}

/** Null for what does not exist (any more). */
async function whenPresent<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
