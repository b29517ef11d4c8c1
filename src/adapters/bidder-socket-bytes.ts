/** What the bytes of an HTTP/1.1 head are (RFC 9110 section 5, RFC 9112), and how to read them in place. */
export const LF = 0x0a;
export const CR = 0x0d;
export const SP = 0x20;
export const ZERO = 0x30;
export const COLON = 0x3a;
export const SEMICOLON = 0x3b;
const HT = 0x09;

/** One for each byte of a name. */
export const TOKEN = bytesIn(/[!#$%&'*+\-.^_`|~0-9A-Za-z]/);
/** One for each byte of a value. */
export const VALUE = bytesIn(/[\t\x20-\x7e\x80-\xff]/);
/** One more than the value of each hexadecimal digit, and 0 for any other byte. */
export const HEX = Uint8Array.from(
  { length: 256 },
  (_, byte) => 1 + '0123456789abcdef'.indexOf(String.fromCharCode(byte).toLowerCase()),
);

/** More digits might be no exact number, and nobody takes such lengths. */
const LENGTH_DIGITS_MAX = 12;

/** A number in decimal digits; negative for anything else. */
export function decimalOf(bytes: Buffer, from: number, to: number): number {
  if (to === from || to - from > LENGTH_DIGITS_MAX) return -1;
  let value = 0;
  for (let index = from; index < to; index += 1) {
    const digit = (bytes[index] ?? 0) - ZERO;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}

/** @param text in small letters, which capital ones are taken for too */
export function isText(bytes: Buffer, from: number, to: number, text: string): boolean {
  if (to - from !== text.length) return false;
  for (let index = 0; index < text.length; index += 1) {
    const byte = bytes[from + index] ?? 0;
    const small = byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
    if (small !== text.charCodeAt(index)) return false;
  }
  return true;
}

export function isBlank(byte: number | undefined): boolean {
  return byte === SP || byte === HT;
}

function bytesIn(pattern: RegExp): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) =>
    Number(pattern.test(String.fromCharCode(byte))),
  );
}
