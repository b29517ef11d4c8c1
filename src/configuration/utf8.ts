import { isUtf8 } from 'node:buffer';
import type { FileProblem } from './finding.ts';

const NEWLINE = 0x0a;

/**
 * The text of a configuration file, or where it stops being UTF-8: what cannot be read would become
 * other characters in silence.
 */
export function readUtf8(
  bytes: Buffer,
): { readonly text: string } | { readonly problem: FileProblem } {
  if (isUtf8(bytes)) return { text: bytes.toString('utf8') };
  const offset = invalidAt(bytes);
  const before = bytes.subarray(0, offset);
  const lineStart = before.lastIndexOf(NEWLINE) + 1;
  let line = 1;
  for (const byte of before) if (byte === NEWLINE) line += 1;
  const column = before.toString('utf8', lineStart).length + 1;
  const byte = (bytes[offset] ?? 0).toString(16).toUpperCase().padStart(2, '0');
  const message = `Byte ${offset + 1} of the file, 0x${byte} in column ${column}, is not UTF-8; save the file in UTF-8.`;
  return { problem: { path: '', pointer: '', line, column, message } };
}

/** Where the first byte stands that begins no character (Unicode 16, table 3-7). */
function invalidAt(bytes: Buffer): number {
  let at = 0;
  while (at < bytes.length) {
    const length = lengthAt(bytes, at);
    if (length === 0) break;
    at += length;
  }
  return at;
}

/** How many bytes the character has that begins here; 0 for none. */
function lengthAt(bytes: Buffer, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  const length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  for (let index = 1; index < length; index += 1) {
    const byte = bytes[at + index] ?? 0;
    if (byte < 0x80 || byte > 0xbf) return 0;
  }
  const second = bytes[at + 1] ?? 0;
  const isLong = (first === 0xe0 && second < 0xa0) || (first === 0xf0 && second < 0x90);
  const isBeyond = (first === 0xed && second > 0x9f) || (first === 0xf4 && second > 0x8f);
  return isLong || isBeyond ? 0 : length;
}
