import { open, readdir, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { decodeSegmentHeader } from './segment-header.ts';
import { SEGMENT_SUFFIX, type JournalStream, type SegmentHeader } from './segment.ts';

/** One record, and where it stands. */
export interface JournalLine {
  readonly header: SegmentHeader;
  /** Byte offset of the record in its segment. */
  readonly offset: number;
  /** The record as written, without its newline. */
  readonly text: string;
}

export interface ReadJournalOptions {
  readonly directory: string;
  readonly stream: JournalStream;
  /** Goes on with what is written later, until aborted. Without it, reading ends with the last line. */
  readonly follow?: AbortSignal;
}

/** How often a followed journal is looked at. */
const POLL_MS = 200;

const PIECE_BYTES = 64 * 1024;
const NEWLINE = 0x0a;

/**
 * The whole lines of a stream, segment after segment in the order of their names, headers left out.
 * A last line without a newline was torn by a crash or is still being written: it is not returned
 * before it is whole. A directory or segment that is missing counts as empty.
 *
 * @throws when a segment's first line is no header
 */
export async function* readJournal(options: ReadJournalOptions): AsyncGenerator<JournalLine> {
  const cursors = new Map<string, SegmentCursor>();
  for (;;) {
    for (const name of await listSegments(options)) {
      let cursor = cursors.get(name);
      if (cursor === undefined) {
        cursor = new SegmentCursor(join(options.directory, name));
        cursors.set(name, cursor);
      }
      yield* cursor.lines();
    }
    if (options.follow === undefined || !(await waited(options.follow))) return;
  }
}

async function listSegments(options: ReadJournalOptions): Promise<string[]> {
  const names = (await whenPresent(readdir(options.directory))) ?? [];
  return names
    .filter((name) => name.startsWith(`${options.stream}-`) && name.endsWith(SEGMENT_SUFFIX))
    .sort();
}

/** How far a segment has been read: always the end of a whole line. */
class SegmentCursor {
  readonly #path: string;
  #header: SegmentHeader | null = null;
  #offset = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** The lines that have become whole since the last time. */
  async *lines(): AsyncGenerator<JournalLine> {
    const file = await whenPresent(open(this.#path));
    if (file === null) return;
    try {
      for await (const line of wholeLines(file, this.#offset)) {
        const offset = this.#offset;
        const text = line.toString();
        this.#offset += line.length + 1;
        if (this.#header === null) this.#header = parseHeader(text, this.#path);
        else yield { header: this.#header, offset, text };
      }
    } finally {
      await file.close();
    }
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

function parseHeader(line: string, path: string): SegmentHeader {
  const header = decodeSegmentHeader(line);
  if (header === null) throw new Error(`${path} does not begin with a segment header.`);
  return header;
}

/** Null for what does not exist (any more). */
async function whenPresent<T>(opened: Promise<T>): Promise<T | null> {
  try {
    return await opened;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
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
