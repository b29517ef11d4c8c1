/**
 * A seeded source of randomness. Everything in `sim/` that looks like chance draws from one of
 * these, so that a run can be repeated from its seed alone.
 */
export interface Random {
  /** A float in [0, 1). */
  next(): number;
  /** An integer between `min` and `max`, both included. */
  integer(min: number, max: number): number;
  /** One of the items, each as likely as the others. Throws a RangeError on an empty list. */
  pick<T>(items: readonly T[]): T;
  /** One of the items, as likely as its weight says. Throws a RangeError when no weight is above 0. */
  weighted<T>(entries: readonly (readonly [item: T, weight: number])[]): T;
  /** True with this probability (0 never, 1 always). */
  chance(probability: number): boolean;
  /** A log-normal draw: `spread` is the deviation of its logarithm, 0 always gives the median. */
  logNormal(median: number, spread: number): number;
  /** So many hexadecimal digits. */
  hex(digits: number): string;
  /**
   * A stream of its own. It depends on the seed and the label alone, never on what was drawn
   * before, so that one more draw in one place changes nothing elsewhere.
   */
  fork(label: string | number): Random;
}

/** Opens the stream of a seed. Equal seeds give equal streams. */
export function createRandom(seed: string | number): Random {
  return new Sfc32(String(seed));
}

/** Chris Doty-Humphrey's sfc32: 128 bits of state, passes PractRand, four additions a draw. */
class Sfc32 implements Random {
  readonly #key: string;
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(key: string) {
    this.#key = key;
    this.#a = hash(key, 0x9e3779b9);
    this.#b = hash(key, 0x243f6a88);
    this.#c = hash(key, 0xb7e15162);
    // The author's own seeding discards the first draws, in which nearby seeds still look alike.
    for (let round = 0; round < 12; round += 1) this.#word();
  }

  next(): number {
    return this.#word() / 2 ** 32;
  }

  integer(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.integer(0, items.length - 1)];
    if (item === undefined) throw new RangeError('pick needs at least one item');
    return item;
  }

  weighted<T>(entries: readonly (readonly [item: T, weight: number])[]): T {
    const total = entries.reduce((sum, [, weight]) => sum + weight, 0);
    let left = this.next() * total;
    for (const [item, weight] of entries) {
      left -= weight;
      if (left < 0) return item;
    }
    // Rounding can leave a hair of the total behind the last item.
    const last = entries.findLast(([, weight]) => weight > 0);
    if (last === undefined) throw new RangeError('weighted needs a weight above 0');
    return last[0];
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  logNormal(median: number, spread: number): number {
    // Box-Muller. 1 - next() lies in (0, 1], where the logarithm is finite.
    const radius = Math.sqrt(-2 * Math.log(1 - this.next()));
    const normal = radius * Math.cos(2 * Math.PI * this.next());
    return median * Math.exp(spread * normal);
  }

  hex(digits: number): string {
    let text = '';
    while (text.length < digits) text += this.#word().toString(16).padStart(8, '0');
    return text.slice(0, digits);
  }

  fork(label: string | number): Random {
    return new Sfc32(`${this.#key}/${label}`);
  }

  #word(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }
}

/** FNV-1a from a given basis, with murmur3's finish so that the last character reaches every bit. */
function hash(text: string, basis: number): number {
  let state = basis;
  for (let index = 0; index < text.length; index += 1) {
    state = Math.imul(state ^ text.charCodeAt(index), 0x01000193);
  }
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35);
  return (state ^ (state >>> 16)) | 0;
}
