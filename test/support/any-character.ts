import fc from 'fast-check';

/**
 * Every code point that a text can have, as fast-check's own unit `binary`, which lists all 1.1 million
 * of them in half a second of CPU for each process that uses it.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .oneof({ weight: 1, arbitrary: fc.nat(0x7f) }, { weight: 3, arbitrary: fc.nat(0x10_ffff) })
  .map(
    (code) => String.fromCodePoint(code >= 0xd800 && code <= 0xdfff ? code - 0xd800 : code),
    codeOf,
  );

/** What fast-check shrinks from, where a text came from elsewhere. */
function codeOf(text: unknown): number {
  const code = typeof text === 'string' ? text.codePointAt(0) : undefined;
  if (code === undefined || String.fromCodePoint(code) !== text) throw new Error('no character');
  return code;
}
