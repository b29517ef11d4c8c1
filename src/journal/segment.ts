import { join } from 'node:path';

import Type, { type Static } from 'typebox';

import { MONEY_SCHEMA } from '../events/money-record.ts';
import { TRACE_SCHEMA } from '../events/trace-record.ts';
import { MARK_BYTES_MAX, markLine } from './checked-line.ts';
import { GroupCommit, type Done } from './group-commit.ts';
import type { JournalFs } from './journal-fs.ts';
import { SEALED_MODE } from './seal.ts';

/**
 * Money is what reports and bills are made of; trace is diagnostics and goes first when the disk
 * fills. They lie in separate segments.
 */
export type JournalStream = 'money' | 'trace';

/** The role whose process writes a segment: what it writes is of one kind. */
export type JournalWriter = 'exchange' | 'tracker' | 'courier';

/** The version of the records that this build writes, and the only one that it reads. */
export const SCHEMA_OF: Record<JournalStream, number> = {
  money: MONEY_SCHEMA,
  trace: TRACE_SCHEMA,
};

/** The first line of every segment: what the lines after it are. */
export const SegmentHeaderSchema = Type.Object({
  schema: Type.Integer({ minimum: 1 }),
  stream: Type.Union([Type.Literal('money'), Type.Literal('trace')]),
  incarnation: Type.String(),
  segment: Type.String({ description: 'name of the file' }),
  writer: Type.Union([Type.Literal('exchange'), Type.Literal('tracker'), Type.Literal('courier')]),
  /** The process that writes; once it has ended, the segment is as it will stay. */
  pid: Type.Integer({ minimum: 1 }),
  /** When that process started, by which it is told from a later one with its id. */
  process_start: Type.Optional(Type.String()),
  started_at: Type.String({ format: 'date-time' }),
});

export type SegmentHeader = Static<typeof SegmentHeaderSchema>;

export const SEGMENT_SUFFIX = '.ndjson';

const SEQUENCE_DIGITS = 6;
const HEADER_LINE = 0;
const NEWLINE = 0x0a;

/** What the names of one process's segments of one stream have in common. */
export interface SegmentSeries {
  readonly directory: string;
  readonly stream: JournalStream;
  readonly incarnation: string;
  readonly writer: JournalWriter;
  /** Unix time in milliseconds of the process's start. */
  readonly startedMs: number;
  /** Random; tells processes apart that start in the same millisecond. */
  readonly process: string;
  /** When the process started, see `base/process-start.ts`. */
  readonly processStart: string;
}

/**
 * `stream-incarnation-start-process-sequence.ndjson`. Names sort by stream, then by the start of
 * the process, then by their order within it, and no two processes make the same one.
 */
function segmentName(series: SegmentSeries, sequence: number): string {
  const start = new Date(series.startedMs).toISOString().replaceAll(/[-:.]/g, '');
  const order = String(sequence).padStart(SEQUENCE_DIGITS, '0');
  return `${series.stream}-${series.incarnation}-${start}-${series.process}-${order}${SEGMENT_SUFFIX}`;
}

const NAME = new RegExp(
  `^((?:money|trace)-[0-9a-f]{16}-\\w+-[0-9a-f]{8})-(\\d+)\\${SEGMENT_SUFFIX}$`,
);

/** What a segment's name says: which others are of the same process and stream, and their order. */
export function parseSegmentName(
  name: string,
): { readonly series: string; readonly sequence: number } | null {
  const [, series, sequence] = NAME.exec(name) ?? [];
  return series === undefined ? null : { series, sequence: Number(sequence) };
}

/**
 * A segment that is being written. Only whole batches of lines are ever in it: what could not be
 * written completely is cut off again, and the segment is then closed for good, because a reader
 * may have seen bytes that are gone now and no other bytes may take their place.
 */
export class SegmentWriter {
  readonly openedMs: number;
  readonly #directory: string;
  readonly #path: string;
  readonly #fs: JournalFs;
  readonly #fd: number;
  #size = 0;
  #closed = false;
  #torn = false;
  /** The directory is known to hold the segment's name on the disk. */
  #named = false;
  #commit: GroupCommit | null = null;

  private constructor(directory: string, name: string, openedMs: number, fs: JournalFs) {
    this.#directory = directory;
    this.#path = join(directory, name);
    this.#fs = fs;
    this.openedMs = openedMs;
    this.#fd = fs.openSync(this.#path, 'ax', 0o600);
  }

  /** @throws the system's error when the segment cannot be made; nothing is left of it then. */
  static open(
    series: SegmentSeries,
    sequence: number,
    openedMs: number,
    fs: JournalFs,
  ): SegmentWriter {
    const segment = segmentName(series, sequence);
    const writer = new SegmentWriter(series.directory, segment, openedMs, fs);
    const header: SegmentHeader = {
      schema: SCHEMA_OF[series.stream],
      stream: series.stream,
      incarnation: series.incarnation,
      segment,
      writer: series.writer,
      pid: process.pid,
      process_start: series.processStart,
      started_at: new Date(openedMs).toISOString(),
    };
    const text = Buffer.from(JSON.stringify(header));
    const line = Buffer.alloc(text.length + MARK_BYTES_MAX + 1);
    text.copy(line);
    const end = markLine(line, 0, text.length, HEADER_LINE);
    line[end] = NEWLINE;
    try {
      writer.write(line, end + 1);
    } catch (error) {
      writer.#remove();
      throw error;
    }
    return writer;
  }

  /** Bytes in the segment, its header included. */
  get size(): number {
    return this.#size;
  }

  /** It ends with lines that could neither be written completely nor be cut off again. */
  get torn(): boolean {
    return this.#torn;
  }

  /**
   * Hands the first `length` bytes, which are whole lines, to the kernel.
   *
   * @throws the system's error when not all of them could be written; the writer is then closed.
   */
  write(lines: Buffer, length: number): void {
    let written = 0;
    try {
      while (written < length) {
        const taken = this.#fs.writeSync(this.#fd, lines, written, length - written);
        if (taken === 0) throw new Error(`${this.#path} takes no more bytes.`);
        written += taken;
      }
    } catch (error) {
      this.#cutBack(written);
      this.close();
      throw error;
    }
    this.#size += length;
  }

  /**
   * Tells those who wait once what has been written so far is on the disk, by one commit for all.
   *
   * @param onFailure called at the first commit that fails, before they are told.
   */
  commit(waiting: readonly Done[], onFailure: (error: Error) => void): void {
    this.#commit ??= new GroupCommit((settled) => this.#sync(settled), onFailure);
    this.#commit.add(waiting);
  }

  /** Takes no more records. A commit that is under way is finished first, and the segment sealed. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    if (this.#commit === null) return this.#closeFile();
    this.#commit.finish((failure) => {
      if (failure === null && !this.#torn) this.#seal();
      this.#closeFile();
    });
  }

  /** The segment's name has to be on the disk as well, or its bytes would be lost with it. */
  #sync(settled: Done): void {
    this.#fs.fdatasync(this.#fd, (error) => {
      if (error !== null || this.#named) return settled(error);
      this.#syncDirectory(settled);
    });
  }

  #syncDirectory(settled: Done): void {
    let fd: number;
    try {
      fd = this.#fs.openSync(this.#directory, 'r');
    } catch (error) {
      return settled(error instanceof Error ? error : new Error(String(error)));
    }
    this.#fs.fsync(fd, (error) => {
      this.#fs.closeSync(fd);
      this.#named = error === null;
      settled(error);
    });
  }

  #seal(): void {
    try {
      this.#fs.fchmodSync(this.#fd, SEALED_MODE);
    } catch {
      // It is sealed by who reads it next.
    }
  }

  #closeFile(): void {
    try {
      this.#fs.closeSync(this.#fd);
    } catch {
      // The kernel has the bytes or has said so at the write; the descriptor is gone either way.
    }
  }

  #cutBack(written: number): void {
    if (written === 0) return;
    try {
      this.#fs.ftruncateSync(this.#fd, this.#size);
    } catch {
      // The torn line stays at the segment's end, where no reader takes it for a line.
      this.#torn = true;
    }
  }

  #remove(): void {
    try {
      this.#fs.unlinkSync(this.#path);
    } catch {
      // An empty or torn segment holds no line and hurts nobody.
    }
  }
}
