import { crc32 } from 'node:zlib';

/** What the end of a line says of it. */
export interface LineMark {
  /** Its number among all that its process has written to the stream, from 1; 0 for a header. */
  readonly line: number;
  /** CRC-32 of all bytes before this field. */
  readonly crc: number;
  /** Where the field of the checksum begins. */
  readonly crcAt: number;
  /** Where the fields of the mark begin: what was written ends there, without its closing brace. */
  readonly contentEnd: number;
}

const LINE = ',"line":';
const CRC = ',"crc":';
const LINE_BYTES = Buffer.from(LINE);
const CRC_BYTES = Buffer.from(CRC);

/** The longest mark, with its closing brace. */
export const MARK_BYTES_MAX = `${LINE}${Number.MAX_SAFE_INTEGER}${CRC}${2 ** 32 - 1}}`.length;

const CLOSING_BRACE = 0x7d;
const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;

/**
 * Ends a line with its mark: `,"line":17,"crc":2847562908}`. A line that was changed is known by its
 * checksum, and lines that are missing by the number of the next one.
 *
 * @param start where the text of an object with a field or more begins.
 * @param end where it ends; the buffer has room for `MARK_BYTES_MAX` more.
 * @returns where the line ends now.
 */
export function markLine(buffer: Buffer, start: number, end: number, line: number): number {
  let at = end - 1;
  at += buffer.write(LINE + line, at, 'latin1');
  const crc = crc32(buffer.subarray(start, at));
  return at + buffer.write(`${CRC}${crc}}`, at, 'latin1');
}

/**
 * Checks a line against its mark.
 *
 * @param end where it ends, its newline left out.
 * @returns null where the line is damaged.
 */
export function checkLine(bytes: Buffer, start: number, end: number): LineMark | null {
  const mark = readMark(bytes, start, end);
  return mark !== null && crc32(bytes.subarray(start, mark.crcAt)) === mark.crc ? mark : null;
}

/** The mark at the end of a line that may be damaged elsewhere; null where there is none. */
export function readMark(bytes: Buffer, start: number, end: number): LineMark | null {
  if (bytes[end - 1] !== CLOSING_BRACE) return null;
  const crc = readField(bytes, start, end - 1, CRC_BYTES);
  const line = crc === null ? null : readField(bytes, start, crc.at, LINE_BYTES);
  if (crc === null || line === null) return null;
  return { line: line.value, crc: crc.value, crcAt: crc.at, contentEnd: line.at };
}

/** The text of an intact line as it was written, without its mark. */
export function contentOf(bytes: Buffer, start: number, { contentEnd }: LineMark): string {
  return `${bytes.toString('utf8', start, contentEnd)}}`;
}

/** A field with a whole number that ends at `end`, and where it begins. */
function readField(
  bytes: Buffer,
  start: number,
  end: number,
  name: Buffer,
): { readonly value: number; readonly at: number } | null {
  let at = end;
  let value = 0;
  for (let scale = 1; at > start; at -= 1, scale *= 10) {
    const digit = bytes[at - 1] ?? 0;
    if (digit < DIGIT_0 || digit > DIGIT_9) break;
    value += (digit - DIGIT_0) * scale;
  }
  if (at === end || !Number.isSafeInteger(value)) return null;
  at -= name.length;
  if (at < start) return null;
  for (let index = 0; index < name.length; index += 1) {
    if (bytes[at + index] !== name[index]) return null;
  }
  return { value, at };
}
