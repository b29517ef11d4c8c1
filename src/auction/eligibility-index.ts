import type { CodeList } from '../resources/targeting.ts';

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
  /** Marks the lists that are this index's own. */
  readonly #owner: object = {};
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

  /** Takes back what `addList` did; the codes follow with `removeCode`. */
  removeList(position: number): void {
    include(this.#others, position);
  }

  removeCode(position: number, code: string): void {
    const named = this.#nameCode(code);
    removeFrom(named.admitting, position);
    removeFrom(named.refusing, position);
  }

  /** How many line items name the code: what it costs to change its lists. */
  lengthOf(code: string): number {
    const named = this.#named.get(code);
    return named === undefined ? 0 : named.admitting.length + named.refusing.length;
  }

  /**
   * An index to be changed while this one stays as it is: the lists of a code are shared until they
   * are.
   *
   * @param pause runs after every `sliceCodes` codes.
   */
  async copy(pause: () => Promise<void>, sliceCodes: number): Promise<KeyIndex> {
    const copy = new KeyIndex(this.#scratch);
    copy.#others.set(this.#others);
    copy.#isUsed = this.#isUsed;
    for (const [code, named] of this.#named) {
      copy.#named.set(code, named);
      if (copy.#named.size % sliceCodes === 0) await pause();
    }
    return copy;
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

  /** The code's lists, to be changed: those of another index are copied first. */
  #nameCode(code: string): NamedCode {
    const known = this.#named.get(code);
    if (known?.owner === this.#owner) return known;
    const named = {
      owner: this.#owner,
      number: known?.number ?? this.classes,
      admitting: known?.admitting.slice() ?? [],
      refusing: known?.refusing.slice() ?? [],
    };
    this.#named.set(code, named);
    return named;
  }
}

interface NamedCode {
  /** Whose it is; only that index may change it. */
  readonly owner: object;
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

export function exclude(set: LineItemSet, position: number): void {
  const word = position >>> 5;
  set[word] = (set[word] ?? 0) & ~(1 << (position & 31));
}

/** A list may name a code twice, so that the position may be there twice; the order means nothing. */
function removeFrom(positions: number[], position: number): void {
  for (let at = positions.indexOf(position); at >= 0; at = positions.indexOf(position, at)) {
    const last = positions.pop();
    if (last !== undefined && at < positions.length) positions[at] = last;
  }
}
