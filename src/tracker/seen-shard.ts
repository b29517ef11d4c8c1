/** 128 bits of an auction's id in four numbers of 32 bits. */
export interface AuctionKey {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
}

/** One impression as the table holds it: its key, its index, and when it may be forgotten. */
export interface SeenEntry {
  readonly auction: AuctionKey;
  /** Index of the impression in its auction, below 4096. */
  readonly imp: number;
  /** Bits of the kinds that were counted. */
  readonly kinds: number;
  /** Unix time in minutes, modulo 2^16. */
  readonly expiryMinute: number;
}

const WORDS = 4;
const IMP_SHIFT = 4;
const KINDS_MASK = 0xf;
const EXPIRY_SHIFT = 16;
const EXPIRY_MASK = 0xffff;
const EXPIRY_HALF = 0x8000;

/** A shard is made anew with this share in use, and anew again when that one is reached. */
const LOAD_AFTER = 0.68;
const LOAD_MAX = 0.85;
const CAPACITY_MIN = 16;

/** Spreads the impressions of one auction: 2^32 divided by the golden ratio. */
const SPREAD = 0x9e3779b9;

/**
 * An open-addressing table in two typed arrays: 16 bytes for the auction's whole id, so that no two
 * are ever mistaken for each other, and 4 for the index, the kinds and the expiry. Auction ids are
 * random, so their own bits spread them. Nothing is taken out of it in place: what has expired is
 * left behind when the arrays are made anew, so there are no tombstones to step over.
 */
export class SeenShard {
  #words = new Uint32Array(CAPACITY_MIN * WORDS);
  /** Expiry, index and kinds; 0 is a free place, because an entry has at least one kind. */
  #meta = new Uint32Array(CAPACITY_MIN);
  #capacity = CAPACITY_MIN;
  #size = 0;

  /** Entries, those included that have expired since the arrays were made. */
  get size(): number {
    return this.#size;
  }

  get bytes(): number {
    return this.#words.byteLength + this.#meta.byteLength;
  }

  /** The kinds that were counted of an impression. */
  kindsOf(auction: AuctionKey, imp: number): number {
    return (this.#meta[this.#find(auction, imp)] ?? 0) & KINDS_MASK;
  }

  /** Adds the kinds to what is known of the impression; the later expiry counts. */
  add(entry: SeenEntry, nowMinute: number): void {
    const at = this.#find(entry.auction, entry.imp);
    const known = this.#meta[at] ?? 0;
    if (known !== 0) {
      this.#meta[at] = merge(known, entry);
      return;
    }
    if (this.#size + 1 > this.#capacity * LOAD_MAX) {
      this.#remake(nowMinute, 1);
      this.#put(this.#find(entry.auction, entry.imp), entry);
    } else this.#put(at, entry);
  }

  /** Gives back the room of what has expired, unless that is little. */
  sweep(nowMinute: number): void {
    let expired = 0;
    for (let at = 0; at < this.#capacity; at += 1) {
      const meta = this.#meta[at] ?? 0;
      if (meta !== 0 && isExpired(meta, nowMinute)) expired += 1;
    }
    if (expired > this.#size / 16) this.#remake(nowMinute, 0);
  }

  /** The place of the impression, or the free one where it would go. */
  #find({ a, b, c, d }: AuctionKey, imp: number): number {
    const words = this.#words;
    const meta = this.#meta;
    const capacity = this.#capacity;
    const spread = (b + Math.imul(imp, SPREAD)) >>> 0;
    let at = Math.floor((spread / 2 ** 32) * capacity);
    for (;;) {
      const found = meta[at] ?? 0;
      if (found === 0) return at;
      const word = at * WORDS;
      const same =
        words[word] === a &&
        words[word + 1] === b &&
        words[word + 2] === c &&
        words[word + 3] === d &&
        (found & EXPIRY_MASK) >> IMP_SHIFT === imp;
      if (same) return at;
      at = at + 1 === capacity ? 0 : at + 1;
    }
  }

  #put(at: number, { auction, imp, kinds, expiryMinute }: SeenEntry): void {
    const word = at * WORDS;
    this.#words[word] = auction.a;
    this.#words[word + 1] = auction.b;
    this.#words[word + 2] = auction.c;
    this.#words[word + 3] = auction.d;
    this.#meta[at] = (expiryMinute << EXPIRY_SHIFT) | (imp << IMP_SHIFT) | kinds;
    this.#size += 1;
  }

  /** Moves what has not expired into arrays of the right size, with room for `more`. */
  #remake(nowMinute: number, more: number): void {
    const [words, meta] = [this.#words, this.#meta];
    let live = more;
    for (const each of meta) if (each !== 0 && !isExpired(each, nowMinute)) live += 1;
    this.#capacity = Math.max(CAPACITY_MIN, Math.ceil(live / LOAD_AFTER));
    this.#words = new Uint32Array(this.#capacity * WORDS);
    this.#meta = new Uint32Array(this.#capacity);
    this.#size = 0;
    for (let at = 0; at < meta.length; at += 1) {
      const each = meta[at] ?? 0;
      if (each !== 0 && !isExpired(each, nowMinute)) this.#move(words, at, each);
    }
  }

  #move(from: Uint32Array, at: number, meta: number): void {
    const word = at * WORDS;
    const auction = {
      a: from[word] ?? 0,
      b: from[word + 1] ?? 0,
      c: from[word + 2] ?? 0,
      d: from[word + 3] ?? 0,
    };
    const to = this.#find(auction, (meta & EXPIRY_MASK) >> IMP_SHIFT);
    this.#words.set(from.subarray(word, word + WORDS), to * WORDS);
    this.#meta[to] = meta;
    this.#size += 1;
  }
}

/** Minutes go round every 45 days, and no token lives for half of that. */
function isExpired(meta: number, nowMinute: number): boolean {
  const past = (nowMinute - (meta >>> EXPIRY_SHIFT)) & EXPIRY_MASK;
  return past !== 0 && past < EXPIRY_HALF;
}

function merge(meta: number, { kinds, expiryMinute }: SeenEntry): number {
  const expiry = meta >>> EXPIRY_SHIFT;
  const later = ((expiryMinute - expiry) & EXPIRY_MASK) < EXPIRY_HALF ? expiryMinute : expiry;
  return (later << EXPIRY_SHIFT) | (meta & EXPIRY_MASK) | kinds;
}
