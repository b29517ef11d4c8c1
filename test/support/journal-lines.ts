import { checkLine, contentOf, MARK_BYTES_MAX, markLine } from '../../src/journal/checked-line.ts';

/** A line as the journal writes it, without its newline. */
export function marked(text: string, line: number): string {
  const length = Buffer.byteLength(text);
  const bytes = Buffer.alloc(length + MARK_BYTES_MAX);
  bytes.write(text);
  return bytes.toString('utf8', 0, markLine(bytes, 0, length, line));
}

/** What was written as this line, without its mark; null where it is damaged. */
export function unmarked(line: string): string | null {
  const bytes = Buffer.from(line);
  const mark = checkLine(bytes, 0, bytes.length);
  return mark === null ? null : contentOf(bytes, 0, mark);
}
