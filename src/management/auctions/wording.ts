import { dollarsFromMicros } from '../../base/money.ts';

/** The words that the sentences of an auction share. */

const DIGITS_MIN = 2;
const DIGITS_MAX = 6;
const US_PER_MS = 1_000;

/** A price with all of its digits, cents at least: `$2.40`, `$1.928`. */
export function dollars(micros: number): string {
  const text = dollarsFromMicros(micros).toLocaleString('en-US', {
    minimumFractionDigits: DIGITS_MIN,
    maximumFractionDigits: DIGITS_MAX,
  });
  return `$${text}`;
}

/** Microseconds as milliseconds: `23.4 ms`. */
export function milliseconds(us: number): string {
  return `${(us / US_PER_MS).toFixed(1)} ms`;
}

/** Impressions by the numbers that bid requests give them: `impressions 1 and 3`. */
export function impressions(indexes: readonly number[]): string {
  const numbers = indexes.map((index) => String(index + 1));
  return `${numbers.length === 1 ? 'impression' : 'impressions'} ${listed(numbers)}`;
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}

/** `1 bid`, `2 bids`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}

/** A sentence as a part of another one. */
export function asClause(sentence: string): string {
  const text = sentence.endsWith('.') ? sentence.slice(0, -1) : sentence;
  // Abbreviations and names keep their capitals.
  return /^[A-Z][a-z ]/.test(text) ? `${text.charAt(0).toLowerCase()}${text.slice(1)}` : text;
}

/** Unix time in milliseconds as people and programs read it. */
export function timeOf(atMs: number): string {
  return new Date(atMs).toISOString();
}

/** The same within a sentence. */
export function timeText(atMs: number): string {
  return timeOf(atMs).replace('T', ' ').replace('Z', ' UTC');
}
