import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import nodeFs from 'node:fs';

import { startOf } from '../base/process-start.ts';
import { MARK_BYTES_MAX, markLine } from './checked-line.ts';
import type { Done } from './group-commit.ts';
import { readIncarnation } from './incarnation.ts';
import type { JournalFs } from './journal-fs.ts';
import {
  budgetProblem,
  diskProblem,
  JOURNAL_LIMITS,
  type JournalLimits,
  type Quarters,
} from './room.ts';
import {
  SegmentWriter,
  type JournalStream,
  type JournalWriter,
  type SegmentSeries,
} from './segment.ts';

export interface JournalOptions {
  /** Of the node; several processes share it. Made when missing. */
  readonly directory: string;
  readonly stream: JournalStream;
  readonly writer: JournalWriter;
  /** Unix time in milliseconds. */
  readonly now: () => number;
  /**
   * Records are acknowledged once they are on the disk, so that they survive the machine: one
   * `fdatasync` for all that wait. `onFailure` is called at the first one that fails, before anybody
   * is told, and has to end the process: what it leaves behind is for `sealSegment`. Afterwards every
   * record is refused.
   */
  readonly durable?: { readonly onFailure: (error: Error) => void };
  /** Called after every write. */
  readonly onGrowth?: () => void;
  readonly limits?: JournalLimits;
  readonly fs?: JournalFs;
}

export interface Journal {
  /**
   * Adds one record, the text of an object without a newline; its number and its checksum become its
   * last fields (see `checked-line.ts`). `done` is called after this tick of the event loop: with null
   * once the kernel has the record (it survives the process, not the machine; see `durable`), else with
   * the reason why nobody may count on it.
   *
   * @throws when the record is no object with a field, holds a newline, or is longer than
   *   `RECORD_LENGTH_MAX`
   */
  append(record: string, done?: Done): void;
  /**
   * Why a record that is made now would not be written; null where it can be expected to be. Cheap
   * enough for every auction: after a failure one call in a second tries the disk, by beginning a
   * segment, and between two records the room is looked at once a second.
   */
  unwritable(): Error | null;
  /** Why the last write failed; null while records are being written. */
  readonly failure: Error | null;
  /** Writes what waits and closes the segment. Records that come later are refused. */
  close(): void;
}

/** A new segment is begun when this many bytes are in one, or when it is this old. */
export const SEGMENT_BYTES_MAX = 64 * 1024 * 1024;
export const SEGMENT_AGE_MAX_MS = 15 * 60 * 1000;

/** Longest record in UTF-16 units, so that the courier's buffer of 4 MB holds any of them. */
export const RECORD_LENGTH_MAX = 1024 * 1024;

/** After a failed write the disk is left alone for so long. */
export const RETRY_AFTER_MS = 1_000;

/** How often it is checked that the disk has room beyond the journal's own. */
const ROOM_CHECK_MS = 1_000;

/** The buffer for one tick's records at first, and the largest that is kept for the next tick. */
const BUFFER_BYTES_MIN = 64 * 1024;
const BUFFER_BYTES_KEPT = 1024 * 1024;

const UTF8_BYTES_PER_UNIT_MAX = 3;
const NEWLINE = 0x0a;

/** Whom a commit tells that nobody waits for; it is made all the same. */
const NOBODY: readonly Done[] = [() => {}];

/**
 * Opens a stream of the journal for this process and begins its first segment. A disk that is full
 * does not keep a process from starting: its records fail until there is room.
 *
 * @throws when the directory cannot be made or its incarnation id not be read
 */
export function openJournal(options: JournalOptions): Journal {
  const fs = options.fs ?? nodeFs;
  fs.mkdirSync(options.directory, { recursive: true, mode: 0o700 });
  const series: SegmentSeries = {
    directory: options.directory,
    stream: options.stream,
    writer: options.writer,
    incarnation: readIncarnation(options.directory, fs),
    startedMs: options.now(),
    process: randomBytes(4).toString('hex'),
    processStart: startOf(process.pid) ?? '',
  };
  return new SegmentJournal(series, options, fs);
}

/**
 * All records of one tick of the event loop are written by one `writeSync`, which costs less than
 * handing them to the thread pool (1.1 against 12.7 µs a record). They are encoded into one buffer
 * as they come.
 */
class SegmentJournal implements Journal {
  readonly #series: SegmentSeries;
  readonly #now: () => number;
  readonly #quarters: Quarters;
  readonly #durable: JournalOptions['durable'];
  readonly #onGrowth: JournalOptions['onGrowth'];
  readonly #fs: JournalFs;
  readonly #flush = (): void => this.#settle(this.#write());
  #segment: SegmentWriter | null = null;
  #sequence = 0;
  /** The number of the last record that was written; one that was refused leaves no gap. */
  #line = 0;
  #failure: Error | null = null;
  #retryMs = 0;
  #roomCheckedMs = 0;
  #closed = false;
  /** A commit to the disk has failed: nothing is written any more. */
  #broken: Error | null = null;
  /** The records of this tick, and whom to tell. */
  #buffer = Buffer.allocUnsafe(BUFFER_BYTES_MIN);
  #length = 0;
  #records = 0;
  #waiting: Done[] = [];
  #scheduled: NodeJS.Immediate | null = null;

  constructor(series: SegmentSeries, options: JournalOptions, fs: JournalFs) {
    const { directory, stream, limits = JOURNAL_LIMITS } = options;
    this.#series = series;
    this.#now = options.now;
    this.#quarters = { directory, stream, limits };
    this.#durable = options.durable;
    this.#onGrowth = options.onGrowth;
    this.#fs = fs;
    this.#currentSegment();
  }

  get failure(): Error | null {
    return this.#failure;
  }

  unwritable(): Error | null {
    this.#checkRoom(this.#now());
    // A segment is begun for a record, or to try the disk; an idle process begins none.
    if (this.#segment !== null || this.#currentSegment() !== null) return null;
    return this.#failure ?? new Error('The journal has no segment.');
  }

  append(record: string, done?: Done): void {
    if (!isRecord(record)) {
      throw new TypeError(
        `A journal record is an object in one line of at most ${RECORD_LENGTH_MAX} characters; ` +
          `this one has ${record.length} and begins ${JSON.stringify(record.slice(0, 40))}.`,
      );
    }
    this.#reserve(record.length * UTF8_BYTES_PER_UNIT_MAX + MARK_BYTES_MAX + 1);
    const end = this.#length + this.#buffer.write(record, this.#length);
    this.#records += 1;
    this.#length = markLine(this.#buffer, this.#length, end, this.#line + this.#records);
    this.#buffer[this.#length] = NEWLINE;
    this.#length += 1;
    if (done !== undefined) this.#waiting.push(done);
    this.#scheduled ??= setImmediate(this.#flush);
  }

  close(): void {
    if (this.#scheduled !== null) {
      clearImmediate(this.#scheduled);
      this.#flush();
    }
    this.#closed = true;
    this.#segment?.close();
    this.#segment = null;
  }

  #reserve(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#buffer.length * 2));
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }

  /** Hands the tick's records to the kernel: all of them, or none. */
  #write(): Error | null {
    const segment = this.#currentSegment();
    if (segment === null) return this.#failure;
    try {
      segment.write(this.#buffer, this.#length);
    } catch (error) {
      const failure = this.#fail(error);
      // Lines that are refused stay in the segment, so that to take them again would be twice.
      if (segment.torn && this.#durable !== undefined) this.#break(failure);
      return failure;
    }
    this.#failure = null;
    this.#line += this.#records;
    this.#onGrowth?.();
    return null;
  }

  /** Tells everybody who waits for this tick, where records have to be durable once they are. */
  #settle(error: Error | null): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#length = 0;
    this.#records = 0;
    this.#scheduled = null;
    if (this.#buffer.length > BUFFER_BYTES_KEPT)
      this.#buffer = Buffer.allocUnsafe(BUFFER_BYTES_MIN);
    if (error === null && this.#durable !== undefined) {
      assert(this.#segment !== null, 'records were written into no segment');
      this.#segment.commit(waiting.length === 0 ? NOBODY : waiting, (failure) =>
        this.#break(failure),
      );
      return;
    }
    for (const done of waiting) done(error);
  }

  /** The segment to write to, begun or begun anew where it is time; null while the disk fails. */
  #currentSegment(): SegmentWriter | null {
    const nowMs = this.#now();
    this.#checkRoom(nowMs);
    if (this.#segment !== null) {
      if (!isFull(this.#segment, nowMs)) return this.#segment;
      this.#segment.close();
      this.#segment = null;
    }
    if (this.#closed || this.#broken !== null) {
      this.#failure = this.#broken ?? new Error('The journal is closed.');
      return null;
    }
    // A clock that was set back must not silence the journal: no wait is longer than the limit.
    const waitMs = this.#retryMs - nowMs;
    if (this.#failure !== null && waitMs > 0 && waitMs <= RETRY_AFTER_MS) return null;
    try {
      const problem = budgetProblem(this.#quarters, this.#fs) ?? this.#diskProblem(nowMs);
      if (problem !== null) throw problem;
      this.#sequence += 1;
      this.#segment = SegmentWriter.open(this.#series, this.#sequence, nowMs, this.#fs);
    } catch (error) {
      this.#fail(error);
    }
    return this.#segment;
  }

  /** Leaves the segment when the disk has no more room than the rest of the node needs. */
  #checkRoom(nowMs: number): void {
    if (this.#segment === null || Math.abs(nowMs - this.#roomCheckedMs) < ROOM_CHECK_MS) return;
    const problem = this.#diskProblem(nowMs);
    if (problem !== null) this.#fail(problem);
  }

  #diskProblem(nowMs: number): Error | null {
    this.#roomCheckedMs = nowMs;
    return diskProblem(this.#quarters, this.#fs);
  }

  #break(failure: Error): void {
    this.#broken = failure;
    this.#fail(failure);
    this.#durable?.onFailure(failure);
  }

  #fail(error: unknown): Error {
    this.#segment?.close();
    this.#segment = null;
    this.#failure = error instanceof Error ? error : new Error(String(error));
    this.#retryMs = this.#now() + RETRY_AFTER_MS;
    return this.#failure;
  }
}

/** As far as can be told without parsing it. */
function isRecord(text: string): boolean {
  return (
    text.startsWith('{"') &&
    text.endsWith('}') &&
    text.length <= RECORD_LENGTH_MAX &&
    !text.includes('\n')
  );
}

function isFull(segment: SegmentWriter, nowMs: number): boolean {
  return (
    segment.size >= SEGMENT_BYTES_MAX || Math.abs(nowMs - segment.openedMs) >= SEGMENT_AGE_MAX_MS
  );
}
