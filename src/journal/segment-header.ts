import { open } from 'node:fs/promises';

import { Compile } from 'typebox/compile';

import { SegmentHeaderSchema, type SegmentHeader } from './segment.ts';

/** Longer than any header; a file whose first line is longer is no segment. */
const HEADER_BYTES_MAX = 4096;
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
  /** Something that is no header, or the header of another version of Rialto. */
  | { readonly kind: 'unreadable' };

/** @throws the system's error when the file is missing or cannot be read */
export async function readSegmentHeader(path: string): Promise<HeaderRead> {
  const file = await open(path);
  try {
    const bytes = Buffer.alloc(HEADER_BYTES_MAX);
    const { bytesRead } = await file.read(bytes, 0, HEADER_BYTES_MAX, 0);
    const end = bytes.subarray(0, bytesRead).indexOf(NEWLINE);
    if (end < 0) return { kind: bytesRead < HEADER_BYTES_MAX ? 'torn' : 'unreadable' };
    const header = decodeSegmentHeader(bytes.toString('utf8', 0, end));
    return header === null ? { kind: 'unreadable' } : { kind: 'header', header, end: end + 1 };
  } finally {
    await file.close();
  }
}

/** The first line of a segment, without its newline; null where it is no header. */
export function decodeSegmentHeader(line: string): SegmentHeader | null {
  try {
    const header: unknown = JSON.parse(line);
    return headerValidator.Check(header) ? header : null;
  } catch {
    return null;
  }
}
