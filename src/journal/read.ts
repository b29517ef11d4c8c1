import { open, readdir, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMissing } from '../base/unknown-error.ts';

import { checkLine, contentOf } from './checked-line.ts';
import { DamageFinder, type Damage } from './damage.ts';
import { readSegmentHeader } from './segment-header.ts';
import {
  parseSegmentName,
  SEGMENT_SUFFIX,
  type JournalStream,
  type JournalWriter,
} from './segment.ts';

/** One record, and where it stands. */
export interface JournalLine {
  readonly segment: string;
  readonly writer: JournalWriter;
  /** Byte offset of the record in its segment. */
  readonly offset: number;
  /** The record as written, without the mark and the newline. */
  readonly text: string;
}

/** Where a segment is damaged. */
export interface DamagedPlace extends Damage {
  readonly segment: string;
}

export interface ReadJournalOptions {
  readonly directory: string;
  readonly stream: JournalStream;
  /** Goes on with what is written later, until aborted. Without it, reading ends with the last line. */
  readonly follow?: AbortSignal;
  /**
   * Told of damage, after the lines of the segment. Who does not ask takes the journal for whole:
   * reading ends with an error then.
   */
  readonly onDamage?: (place: DamagedPlace) => void;
}

/** How often a followed journal is looked at. */
const POLL_MS = 200;

const PIECE_BYTES = 64 * 1024;
const NEWLINE = 0x0a;

/**
 * The intact lines of a stream, segment after segment in the order of their names, headers left out.
 * A last line without a newline was torn by a crash or is still being written: it is not returned
 * before it is whole. A directory or segment that is missing counts as empty.
 *
 * @throws when a segment is of another version, or is damaged and nobody asked for that
 */
export async function* readJournal(options: ReadJournalOptions): AsyncGenerator<JournalLine> {
  const cursors = new Map<string, SegmentCursor>();
  const finders = new Map<string, DamageFinder>();
  for (;;) {
    for (const name of await listSegments(options)) {
      const { series, sequence } = parseSegmentName(name) ?? { series: name, sequence: 1 };
      const finder = finders.get(series) ?? new DamageFinder(sequence === 1 ? 0 : null);
      finders.set(series, finder);
      const cursor = cursors.get(name) ?? new SegmentCursor(options.directory, name);
      cursors.set(name, cursor);
      yield* cursor.lines(finder);
      for (const damage of finder.take().damage) tell({ segment: name, ...damage }, options);
    }
    if (options.follow === undefined || !(await waited(options.follow))) return;
  }
}

function tell(place: DamagedPlace, { onDamage }: ReadJournalOptions): void {
  if (onDamage !== undefined) return onDamage(place);
  const { segment, start, end, missing } = place;
  throw new Error(
    `${segment} is damaged at bytes ${start} to ${end}: ${missing} records are lost.`,
  );
}

async function listSegments(options: ReadJournalOptions): Promise<string[]> {
  const names = (await whenPresent(readdir(options.directory))) ?? [];
  return names
    .filter((name) => name.startsWith(`${options.stream}-`) && name.endsWith(SEGMENT_SUFFIX))
    .sort();
}

/** How far a segment has been read: always the end of a whole line. */
class SegmentCursor {
  readonly #name: string;
  readonly #path: string;
  #writer: JournalWriter | null = null;
  #offset = 0;

  constructor(directory: string, name: string) {
    this.#name = name;
    this.#path = join(directory, name);
  }

  /** The lines that have become whole since the last time. */
  async *lines(finder: DamageFinder): AsyncGenerator<JournalLine> {
    this.#writer ??= await this.#readHeader();
    const file = await whenPresent(open(this.#path));
    if (file === null) return;
    try {
      if (this.#writer === null) return;
      for await (const line of wholeLines(file, this.#offset)) {
        const offset = this.#offset;
        this.#offset += line.length + 1;
        const mark = checkLine(line, 0, line.length);
        if (mark === null) {
          finder.damaged(offset, this.#offset, offset === 0 ? 0 : 1);
          continue;
        }
        finder.intact(mark, offset);
        const text = contentOf(line, 0, mark);
        yield { segment: this.#name, writer: this.#writer, offset, text };
      }
    } finally {
      await file.close();
    }
  }

  /** Null while it is not whole. */
  async #readHeader(): Promise<JournalWriter | null> {
    const read = await whenPresent(readSegmentHeader(this.#path));
    if (read === null || read.kind === 'torn') return null;
    if (read.kind === 'foreign') throw new Error(`${this.#path} is of another version of Rialto.`);
    if (read.kind === 'damaged') return read.writer;
    this.#offset = read.end;
    return read.header.writer;
  }
}

/** Splits bytes, not text: a character may lie across two pieces, a newline byte never in one. */
async function* wholeLines(file: FileHandle, start: number): AsyncGenerator<Buffer> {
  let position = start;
  let rest: Buffer = Buffer.alloc(0);
  for (;;) {
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    const { bytesRead } = await file.read(piece, 0, PIECE_BYTES, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    const read = piece.subarray(0, bytesRead);
    const bytes = rest.length === 0 ? read : Buffer.concat([rest, read]);
    let from = 0;
    for (let to = bytes.indexOf(NEWLINE); to >= 0; to = bytes.indexOf(NEWLINE, from)) {
      yield bytes.subarray(from, to);
      from = to + 1;
    }
    rest = bytes.subarray(from);
  }
}

/** Null for what does not exist (any more). */
async function whenPresent<T>(opened: Promise<T>): Promise<T | null> {
  try {
    return await opened;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** False once aborted. */
async function waited(signal: AbortSignal): Promise<boolean> {
  try {
    await sleep(POLL_MS, undefined, { signal });
    return true;
  } catch {
    return false;
  }
}
