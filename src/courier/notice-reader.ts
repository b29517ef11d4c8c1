import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';

import type { Logger } from 'pino';
import { isMissing } from '../base/unknown-error.ts';

import { MONEY_SCHEMA } from '../events/money-record.ts';
import { checkLine } from '../journal/checked-line.ts';
import { decodeSegmentStart } from '../journal/segment-header.ts';
import { parseSegmentName } from '../journal/segment.ts';
import { DirectoryChanges } from './directory-changes.ts';
import { readMoneyLine, type NoticeSink } from './notice-lines.ts';

export interface NoticeReaderOptions {
  /** Of the journal. */
  readonly directory: string;
  readonly incarnation: string;
  /** Up to where each segment was read before. */
  readonly cursors: ReadonlyMap<string, number>;
  readonly sink: NoticeSink;
  readonly logger: Logger;
  /** Unix time in milliseconds. */
  readonly now: () => number;
}

/** A segment that may make notices due. */
interface Segment {
  readonly name: string;
  /** Of which process it is, and which of its segments. */
  readonly series: string;
  readonly sequence: number;
  /** Null until its first line is whole; `none` where nothing that it holds makes a notice due. */
  content: 'auctions' | 'beacons' | 'none' | null;
  /** Up to where its lines have been read: the beginning of a line. */
  readTo: number;
  /** Up to here it was looked at: what follows `readTo` is a part of a line. */
  seenTo: number;
  /** It does not grow any more, and has been read. */
  isFinished: boolean;
}

const CONTENT_OF = { exchange: 'auctions', tracker: 'beacons', courier: 'none' } as const;

const NEWLINE = 0x0a;

/** Bytes that are read at a time: a millisecond's work. */
const PIECE_BYTES = 256 * 1024;
/** No line is longer. */
const PIECE_BYTES_MAX = 4 * 1024 * 1024;

/**
 * Follows the money stream of the node's other processes. It reads in rounds: it notes how long the
 * trackers' segments are, then how long the exchanges' are, and reads up to there, the exchanges'
 * first. So a beacon is never read before the auction that it belongs to, however much there is to
 * read. System calls are synchronous: what they read was written a moment ago, and handing them to
 * the thread pool would cost more than they do.
 */
export class NoticeReader {
  readonly #options: NoticeReaderOptions;
  readonly #segments = new Map<string, Segment>();
  /** The last segment of each series, by its sequence. */
  readonly #last = new Map<string, number>();
  /** Segments of this round, and up to where each is read, in their order. */
  #round: { readonly segment: Segment; readonly target: number }[] = [];
  #roundMs = 0;
  #readUntilMs = 0;
  readonly #directory: DirectoryChanges;
  #piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
  readonly #moved = new Map<string, number>();
  readonly #gone = new Set<string>();

  constructor(options: NoticeReaderOptions) {
    this.#options = options;
    this.#directory = new DirectoryChanges(options.directory);
    for (const [name, readTo] of options.cursors) this.#add(name, readTo);
  }

  /** Unix time in milliseconds: every line that was written before has been read. */
  get readUntilMs(): number {
    return this.#readUntilMs;
  }

  /**
   * Reads a piece of what is there.
   *
   * @returns false when the round is over, and everything has been read that was there as it began.
   * @throws the system's error when the journal cannot be read
   */
  read(): boolean {
    if (this.#round.length === 0) this.#begin();
    const [first] = this.#round;
    if (first !== undefined && this.#readPiece(first.segment, first.target)) {
      this.#round.shift();
    }
    if (this.#round.length > 0) return true;
    this.#readUntilMs = this.#roundMs;
    return false;
  }

  /** What has changed since it was last taken: how far segments are read, and which are gone. */
  takeProgress(): { cursors: [segment: string, readTo: number][]; gone: string[] } {
    const progress = { cursors: [...this.#moved], gone: [...this.#gone] };
    this.#moved.clear();
    this.#gone.clear();
    return progress;
  }

  /**
   * Whether all that a segment of this size makes due has been read.
   *
   * @returns up to where it was read; null when there is more to read.
   */
  readTo(name: string, bytes: number): number | null {
    const segment = this.#segments.get(name);
    if (segment === undefined || segment.content === null) return null;
    if (segment.content === 'none') return 0;
    return segment.seenTo >= bytes ? segment.readTo : null;
  }

  #begin(): void {
    this.#roundMs = this.#options.now();
    this.#list();
    const beacons = this.#targets('beacons');
    // Those that have begun meanwhile: their auctions may be those of the beacons.
    this.#list();
    this.#round = [...this.#targets('auctions'), ...beacons];
  }

  /** Looks for new segments and removed ones, whenever the directory has changed. */
  #list(): void {
    const names = this.#directory.list();
    if (names === null) return;
    const prefix = `money-${this.#options.incarnation}-`;
    const ours = names.filter((name) => name.startsWith(prefix));
    const present = new Set(ours.filter((name) => parseSegmentName(name) !== null));
    for (const name of this.#segments.keys()) {
      if (present.has(name)) continue;
      this.#segments.delete(name);
      this.#moved.delete(name);
      this.#gone.add(name);
    }
    for (const name of [...present].sort()) if (!this.#segments.has(name)) this.#add(name, 0);
  }

  /** The segments with something to read, and up to where. */
  #targets(content: Segment['content']): { segment: Segment; target: number }[] {
    const targets: { segment: Segment; target: number }[] = [];
    for (const segment of this.#segments.values()) {
      if (segment.isFinished) continue;
      if (segment.content === null) this.#readHeader(segment);
      if (segment.content !== content) continue;
      const target = this.#target(segment);
      if (target > segment.seenTo) targets.push({ segment, target });
    }
    return targets;
  }

  #add(name: string, readTo: number): void {
    const { series, sequence } = parseSegmentName(name) ?? { series: name, sequence: 0 };
    this.#last.set(series, Math.max(sequence, this.#last.get(series) ?? 0));
    const state = { content: null, readTo, seenTo: readTo, isFinished: false };
    this.#segments.set(name, { name, series, sequence, ...state });
  }

  #readHeader(segment: Segment): void {
    const read = decodeSegmentStart(
      this.#piece.subarray(0, this.#readBytes(segment, this.#piece, 0)),
    );
    // Who ships it says that it is of another version, and leaves it as it is.
    if (read.kind === 'torn' || read.kind === 'foreign') return;
    const [writer, end] =
      read.kind === 'header' ? [read.header.writer, read.end] : [read.writer, 0];
    if (read.kind === 'header' && read.header.schema !== MONEY_SCHEMA) return;
    segment.content = CONTENT_OF[writer];
    segment.isFinished = segment.content === 'none';
    if (segment.isFinished || segment.readTo >= end) return;
    segment.seenTo = end;
    this.#move(segment, end);
  }

  /** The size of a segment. One that is shorter than what was read has lost its end. */
  #target(segment: Segment): number {
    const { logger, directory } = this.#options;
    const size = statSync(join(directory, segment.name), { throwIfNoEntry: false })?.size ?? 0;
    if (size < segment.readTo && size > 0) {
      logger.warn(
        { segment: segment.name, readTo: segment.readTo, size },
        'a segment of the journal is shorter than it was: what was read of it counts',
      );
      // Nobody writes to it any more: it was cut, or the machine has ended before it was on the disk.
      this.#move(segment, size);
    }
    segment.seenTo = Math.min(segment.seenTo, Math.max(size, segment.readTo));
    // Only the last segment of a process grows.
    const isLast = this.#last.get(segment.series) === segment.sequence;
    if (!isLast && size === segment.seenTo) segment.isFinished = true;
    return size;
  }

  /** @returns true when the segment has been read up to the target. */
  #readPiece(segment: Segment, target: number): boolean {
    const wanted = Math.min(this.#piece.length, target - segment.readTo);
    const read = this.#readBytes(segment, this.#piece.subarray(0, wanted), segment.readTo);
    const end = read === 0 ? 0 : this.#piece.lastIndexOf(NEWLINE, read - 1) + 1;
    segment.seenTo = segment.readTo + read;
    if (end > 0) this.#readLines(segment, end);
    else if (read === this.#piece.length) return !this.#enlarge(segment);
    return end === 0 || segment.seenTo >= target;
  }

  #readLines(segment: Segment, end: number): void {
    const piece = this.#piece;
    let from = 0;
    while (from < end) {
      const to = piece.indexOf(NEWLINE, from);
      const mark = checkLine(piece, from, to);
      if (mark === null || !readMoneyLine(piece, from, mark.contentEnd, this.#options.sink)) {
        this.#options.logger.error(
          { segment: segment.name, offset: segment.readTo + from },
          'a line of the journal is damaged: no notice comes of it',
        );
      }
      from = to + 1;
    }
    this.#move(segment, segment.readTo + end);
  }

  #move(segment: Segment, readTo: number): void {
    segment.readTo = readTo;
    this.#moved.set(segment.name, readTo);
  }

  /**
   * Reads as much as there is. What a writer has cut off again was never there: a whole line of a
   * write that failed may have been read before that, and must not be believed.
   */
  #readBytes({ name }: Segment, bytes: Buffer, position: number): number {
    let fd: number;
    try {
      fd = openSync(join(this.#options.directory, name), 'r');
    } catch (error) {
      if (isMissing(error)) return 0;
      throw error;
    }
    try {
      const read = readSync(fd, bytes, 0, bytes.length, position);
      return fstatSync(fd).size < position + read ? 0 : read;
    } finally {
      closeSync(fd);
    }
  }

  /** @returns false when a line is longer than any record. */
  #enlarge(segment: Segment): boolean {
    if (this.#piece.length < PIECE_BYTES_MAX) {
      this.#piece = Buffer.allocUnsafeSlow(this.#piece.length * 2);
      return true;
    }
    const { name, readTo } = segment;
    this.#options.logger.error({ segment: name, offset: readTo }, 'a line is too long to be read');
    segment.isFinished = true;
    return false;
  }
}
