import type { CodeList } from '../snapshot/targeting.ts';

/** A set of line items, one bit each: position p is bit p % 32 of word p / 32, rounded down. */
export type LineItemSet = Int32Array<ArrayBuffer>;

/** Positions in one word of a set. */
export const WORD_BITS = 32;

/** Words of a set that hold so many positions. */
export function wordsFor(positions: number): number {
  return Math.ceil(positions / WORD_BITS);
}

/**
 * One targeting key over all line items: from the codes of an impression to the line items that it
 * suits. What line items say of codes that they do not name is one set; what naming a code changes
 * is a list of positions. So memory grows with the codes that targeting names, and a look-up costs
 * the line items that name the code, and one sweep over the bits of all.
 */
export class KeyIndex {
  /** Whom an impression suits that none of the named codes describes. */
  readonly #others: LineItemSet;
  readonly #named = new Map<string, NamedCode>();
  readonly #scratch: LineItemSet;
  #isUsed = false;

  /** @param scratch a set of the same length; every call overwrites it. */
  constructor(scratch: LineItemSet) {
    this.#others = new Int32Array(scratch.length).fill(-1);
    this.#scratch = scratch;
  }

  /** False while no line item says anything under this key. */
  get isUsed(): boolean {
    return this.#isUsed;
  }

  /** How many numbers `classOf` can give, counted from 0. */
  get classes(): number {
    return this.#named.size + 1;
  }

  /** Takes in that a line item has a list under this key; its codes follow with `addCodes`. */
  addList(position: number, list: CodeList): void {
    this.#isUsed = true;
    if (list.is_whitelist) exclude(this.#others, position);
  }

  addCodes(position: number, isWhitelist: boolean, codes: readonly string[]): void {
    for (const code of codes) {
      const named = this.#nameCode(code);
      if (isWhitelist) named.admitting.push(position);
      else named.refusing.push(position);
    }
  }

  /** Equal numbers mean equal answers; 0 is for what nobody names, and for the unknown. */
  classOf(code: string | null): number {
    if (code === null) return 0;
    return this.#named.get(code)?.number ?? 0;
  }

  /** Removes from `set` the line items that an impression with these codes does not suit. */
  restrict(set: LineItemSet, codes: readonly string[]): void {
    const suited = this.#scratch;
    suited.set(this.#others);
    for (const code of codes) {
      const named = this.#named.get(code);
      if (named === undefined) continue;
      // A line item has one list a key, so what one code does here no other code undoes.
      for (const position of named.admitting) include(suited, position);
      for (const position of named.refusing) exclude(suited, position);
    }
    for (let word = 0; word < set.length; word += 1) {
      set[word] = (set[word] ?? 0) & (suited[word] ?? 0);
    }
  }

  #nameCode(code: string): NamedCode {
    let named = this.#named.get(code);
    if (named === undefined) {
      named = { number: this.classes, admitting: [], refusing: [] };
      this.#named.set(code, named);
    }
    return named;
  }
}

interface NamedCode {
  readonly number: number;
  /** Positions of the line items whose whitelist names the code. */
  readonly admitting: number[];
  /** Positions of the line items whose blacklist names it. */
  readonly refusing: number[];
}

export function include(set: LineItemSet, position: number): void {
  const word = position >>> 5;
  set[word] = (set[word] ?? 0) | (1 << (position & 31));
}

function exclude(set: LineItemSet, position: number): void {
  const word = position >>> 5;
  set[word] = (set[word] ?? 0) & ~(1 << (position & 31));
}
