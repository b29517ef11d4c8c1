import type { BatchStream } from '../ports/batch.ts';
import type { BatchLine } from './batch-lines.ts';

const CLOSING_BRACE = 0x7d;

/**
 * The bytes of some lines as the INSERT of their stream takes them, each with the number of its load: a
 * record of money as one more field at its end, a trace in a column before it. A line that does not end
 * an object stays as it is, and is refused.
 */
export function numberedBytes(
  records: Uint8Array,
  lines: readonly BatchLine[],
  { stream, load }: { readonly stream: BatchStream; readonly load: number },
): Buffer {
  const [before, after] =
    stream === 'trace'
      ? [Buffer.from(`${load}\t`), null]
      : [null, Buffer.from(`,"load":${load}}\n`)];
  const added = (before ?? after).length;
  const size = lines.reduce((sum, { from, to }) => sum + to - from + added, 0);
  const bytes = Buffer.allocUnsafe(size);
  let at = 0;
  for (const { from, to } of lines) {
    if (before !== null) {
      bytes.set(before, at);
      bytes.set(records.subarray(from, to), at + before.length);
      at += before.length + to - from;
    } else if (records[to - 2] === CLOSING_BRACE) {
      bytes.set(records.subarray(from, to - 2), at);
      at += to - 2 - from;
      bytes.set(after, at);
      at += after.length;
    } else {
      bytes.set(records.subarray(from, to), at);
      at += to - from;
    }
  }
  return bytes.subarray(0, at);
}
