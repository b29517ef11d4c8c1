/** The bits of a base64url text as consent strings are written: six to a character, nothing padded. */
export interface Bits {
  readonly bytes: Uint8Array;
  readonly count: number;
}

const BITS_PER_CHARACTER = 6;

/** Reads a base64url text; null for any other. */
export function bitsOf(text: string): Bits | null {
  if (!/^[A-Za-z0-9_-]+$/.test(text)) return null;
  // The decoder drops what does not fill a byte, so the last group of four is filled with zeros.
  const bytes = Buffer.from(text.padEnd(Math.ceil(text.length / 4) * 4, 'A'), 'base64url');
  return { bytes, count: text.length * BITS_PER_CHARACTER };
}

/** Whether the bit at a position is 1; beyond the end it is not. */
export function isSet({ bytes }: Bits, at: number): boolean {
  return (((bytes[at >>> 3] ?? 0) >>> (7 - (at & 7))) & 1) === 1;
}

/** Up to 16 bits as an unsigned number, the most significant first. */
export function readBits({ bytes }: Bits, at: number, length: number): number {
  const byte = at >>> 3;
  const three = ((bytes[byte] ?? 0) << 16) | ((bytes[byte + 1] ?? 0) << 8) | (bytes[byte + 2] ?? 0);
  return (three >>> (24 - (at & 7) - length)) & ((1 << length) - 1);
}
