/**
 * The sections of an IAB Global Privacy Platform string, by their ids. Source: IAB Tech Lab, "Global
 * Privacy Platform, Consent String Specification": a header that names the sections in its first part,
 * then one part a section, in the order of the ids. The work is bounded by the length of the text.
 */
import { type Bits, bitsOf, isSet, readBits } from './bits.ts';

/** Characters of a GPP string: its longest section is a consent string. */
export const GPP_LENGTH_MAX = 8_192;
/** Sections of one string, and the largest id of one; the IAB has numbered 27 so far. */
export const GPP_SECTIONS_MAX = 64;
const SECTION_ID_MAX = 4_095;

const HEADER_TYPE = 3;
const HEADER_VERSION = 1;
const COUNT_AT = 12;
const RANGES_AT = 24;

/** Reads which sections a GPP string has; null when it is damaged, cut off or too long. */
export function readGppString(text: string): ReadonlyMap<number, string> | null {
  if (text.length > GPP_LENGTH_MAX) return null;
  const [header = '', ...sections] = text.split('~', GPP_SECTIONS_MAX + 2);
  if (sections.length > GPP_SECTIONS_MAX) return null;
  const bits = bitsOf(header);
  if (bits === null || bits.count < RANGES_AT) return null;
  if (readBits(bits, 0, 6) !== HEADER_TYPE || readBits(bits, 6, 6) !== HEADER_VERSION) return null;
  const ids = readIds(bits, sections.length);
  if (ids === null) return null;
  return new Map(ids.map((id, index) => [id, sections[index] ?? '']));
}

/** The ids that the header names, exactly as many as there are sections; else null. */
function readIds(bits: Bits, count: number): readonly number[] | null {
  const ids: number[] = [];
  const reader = new FibonacciReader(bits, RANGES_AT);
  let last = 0;
  for (let left = readBits(bits, COUNT_AT, 12); left > 0; left -= 1) {
    const isRange = reader.flag();
    const first = last + reader.number();
    last = isRange ? first + reader.number() : first;
    // What was cut off or is too large gives NaN, which is in no order.
    if (!(last >= first && last <= SECTION_ID_MAX) || ids.length + last - first >= count)
      return null;
    for (let id = first; id <= last; id += 1) ids.push(id);
  }
  return ids.length === count ? ids : null;
}

/** Numbers in Fibonacci coding: each bit adds a Fibonacci number, two ones in a row end it. */
class FibonacciReader {
  readonly #bits: Bits;
  #at: number;

  constructor(bits: Bits, at: number) {
    this.#bits = bits;
    this.#at = at;
  }

  flag(): boolean {
    this.#at += 1;
    return isSet(this.#bits, this.#at - 1);
  }

  /** The next number, 1 or more; NaN when the text ends before it does, or it is no id of a section. */
  number(): number {
    let sum = 0;
    let [weight, next] = [1, 2];
    for (let wasSet = false; this.#at < this.#bits.count;) {
      const isOne = this.flag();
      if (isOne && wasSet) return sum;
      if (isOne) sum += weight;
      if (sum > SECTION_ID_MAX) return Number.NaN;
      wasSet = isOne;
      [weight, next] = [next, weight + next];
    }
    return Number.NaN;
  }
}
