import { open, type FileHandle } from 'node:fs/promises';

import { Compile } from 'typebox/compile';

import { BEACON_KINDS } from '../events/beacon-record.ts';
import { checkLine, contentOf } from './checked-line.ts';
import { SegmentHeaderSchema, type JournalWriter, type SegmentHeader } from './segment.ts';

/** Longer than any header; where no line ends before, the first one is none. */
const HEADER_BYTES_MAX = 4096;
/** So much of a segment whose header is damaged is searched for an intact record. */
const SEARCHED_BYTES_MAX = 4 * 1024 * 1024;
const NEWLINE = 0x0a;

const headerValidator = Compile(SegmentHeaderSchema);

/** What stands at the beginning of a segment. */
export type HeaderRead =
  | {
      readonly kind: 'header';
      readonly header: SegmentHeader;
      /** Offset of the first record. */
      readonly end: number;
    }
  /** The first line is not whole: it is being written, or its process died over it. */
  | { readonly kind: 'torn' }
  /**
   * The first line is damaged. It is one of the segment's lines then, and what the others are tells
   * who wrote them.
   */
  | { readonly kind: 'damaged'; readonly writer: JournalWriter }
  /** It is the header of another version of Rialto. */
  | { readonly kind: 'foreign' };

/** @throws the system's error when the file is missing or cannot be read */
export async function readSegmentHeader(path: string): Promise<HeaderRead> {
  const file = await open(path);
  try {
    const read = decodeSegmentStart(await readStart(file, HEADER_BYTES_MAX));
    if (read.kind !== 'damaged') return read;
    return decodeSegmentStart(await readStart(file, SEARCHED_BYTES_MAX));
  } finally {
    await file.close();
  }
}

/** @param bytes the first ones of the segment: all of them, or `HEADER_BYTES_MAX` at least. */
export function decodeSegmentStart(bytes: Buffer): HeaderRead {
  const end = bytes.indexOf(NEWLINE);
  if (end < 0 && bytes.length < HEADER_BYTES_MAX) return { kind: 'torn' };
  const mark = end < 0 || end >= HEADER_BYTES_MAX ? null : checkLine(bytes, 0, end);
  if (mark === null) return { kind: 'damaged', writer: writerOf(bytes) };
  const header: unknown = JSON.parse(contentOf(bytes, 0, mark));
  if (!headerValidator.Check(header)) return { kind: 'foreign' };
  return { kind: 'header', header, end: end + 1 };
}

async function readStart(file: FileHandle, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, 0);
  return bytes.subarray(0, bytesRead);
}

const KIND = new RegExp(`^\\{"kind":"(?:(${BEACON_KINDS.join('|')})|(delivery))"`);
const KIND_BYTES_MAX = 32;

/** Records of a process are of one kind: the first that is intact says which. */
function writerOf(bytes: Buffer): JournalWriter {
  let from = 0;
  for (let to = bytes.indexOf(NEWLINE); to >= 0; to = bytes.indexOf(NEWLINE, from)) {
    if (checkLine(bytes, from, to) !== null) {
      const [, beacon, delivery] =
        KIND.exec(bytes.toString('latin1', from, from + KIND_BYTES_MAX)) ?? [];
      if (beacon !== undefined) return 'tracker';
      return delivery === undefined ? 'exchange' : 'courier';
    }
    from = to + 1;
  }
  return 'exchange';
}
