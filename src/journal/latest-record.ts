import { open } from 'node:fs/promises';

const PIECE_BYTES = 1024 * 1024;
/** Within a text its name would stand with backslashes before the quotes. */
const AT_MS = '"at_ms":';
const DIGITS_MAX = 16;

/**
 * The latest time that a segment's records say, Unix time in milliseconds; 0 where none says one. When
 * the file was written last does not tell it: clocks are set, and copies have times of their own.
 *
 * @throws the system's error when the segment cannot be read
 */
export async function latestRecordMs(path: string): Promise<number> {
  const file = await open(path);
  try {
    const bytes = Buffer.allocUnsafe(AT_MS.length + DIGITS_MAX + PIECE_BYTES);
    let latestMs = 0;
    let kept = 0;
    for (;;) {
      const { bytesRead } = await file.read(bytes, kept, PIECE_BYTES, null);
      const length = kept + bytesRead;
      for (let at = bytes.indexOf(AT_MS); at >= 0 && at < length;) {
        const from = at + AT_MS.length;
        const ms = Number.parseInt(
          bytes.toString('latin1', from, Math.min(from + DIGITS_MAX, length)),
          10,
        );
        if (ms > latestMs) latestMs = ms;
        at = bytes.indexOf(AT_MS, from);
      }
      if (bytesRead === 0) return latestMs;
      // A time may lie across two pieces; one that is read in part is smaller, and then read whole.
      kept = Math.min(length, AT_MS.length + DIGITS_MAX);
      bytes.copyWithin(0, length - kept, length);
    }
  } finally {
    await file.close();
  }
}
