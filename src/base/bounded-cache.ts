/**
 * A cache that never holds more than it may and keeps what is in use. It has two generations: what
 * is found in the old one moves to the young one, and when the young one is full it becomes the
 * old one and what was not found since is forgotten. That costs one look-up and no bookkeeping for
 * each hit, where an exact order of use would cost a deletion and an insertion.
 */
export class BoundedCache<Value> {
  readonly #generationMax: number;
  #young = new Map<string, Value>();
  #old = new Map<string, Value>();

  /** Holds at most `entriesMax` entries (an even number, at least 2), and at least half of them. */
  constructor(entriesMax: number) {
    if (!Number.isSafeInteger(entriesMax) || entriesMax < 2 || entriesMax % 2 !== 0) {
      throw new Error(`a cache holds an even number of entries, at least 2, not ${entriesMax}`);
    }
    this.#generationMax = entriesMax / 2;
  }

  /** The value under a key; undefined if there is none (so undefined is no value). */
  get(key: string): Value | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: string, value: Value): void {
    if (this.#young.size >= this.#generationMax && !this.#young.has(key)) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }

  /** Entries that are held; one that stands in both generations counts twice. */
  get size(): number {
    return this.#young.size + this.#old.size;
  }
}
