import type { DemandPartner, LineItem } from '../snapshot/entities.ts';
import { WORD_BITS, type LineItemSet } from './eligibility-index.ts';
import { FORMATS } from './targeting-rules.ts';

export interface PartnerMatch {
  readonly partner: DemandPartner;
  /** At least one, in ascending order of id. */
  readonly lineItems: readonly LineItemMatch[];
}

export interface LineItemMatch {
  readonly lineItem: LineItem;
  /** The formats of the impression that this line item takes: a bit mask, never 0. */
  readonly formats: number;
  /** This match falls where privacy takes latitude and longitude away from the partner. */
  readonly requiresLocation: boolean;
}

/**
 * A demand partner's line items, which take whole words of every set from `firstWord` on. Different
 * versions of the configuration may share a block, and then nothing in it has changed.
 */
export interface PartnerBlock {
  readonly partner: DemandPartner;
  /** By position in the block; those of line items that are gone are in no set. */
  readonly entries: readonly LineItemEntry[];
  readonly firstWord: number;
  /** Words that the block has: there may be room at its end. */
  readonly words: number;
  /** The entries are in ascending order of line item id. */
  readonly isSorted: boolean;
}

/** A line item with the matches that were made of it. */
export class LineItemEntry {
  readonly lineItem: LineItem;
  /** By bit mask of formats. */
  readonly #matches: (LineItemMatch | undefined)[] = [];

  constructor(lineItem: LineItem) {
    this.lineItem = lineItem;
  }

  matchFor(formats: number): LineItemMatch {
    let match = this.#matches[formats];
    if (match === undefined) {
      const { lineItem } = this;
      const requiresLocation = lineItem.targeting.geo?.is_geo_data_required === true;
      match = { lineItem, formats, requiresLocation };
      this.#matches[formats] = match;
    }
    return match;
  }
}

/** The line items that take one format of an impression. */
export interface FormatSet {
  readonly format: number;
  readonly set: LineItemSet;
}

/** What the matches of all partners may hold together, counted in references: some 8 MB. */
const HELD_MAX = 1_000_000;
/** What a match takes beside its line items and the words that it is recognised by. */
const MATCH_WEIGHT = 20;

/**
 * Turns sets of line items into matches. Impressions that differ usually differ in the line items
 * of few partners; for all others the same objects are given out again, so that a new combination
 * costs little even where thousands of line items match.
 */
export class PartnerMatches {
  #partners: readonly PartnerView[];
  readonly #heldMax: number;
  #held = 0;

  constructor(blocks: readonly PartnerBlock[], heldMax = HELD_MAX) {
    this.#partners = blocks.map((block) => new PartnerView(block));
    this.#heldMax = heldMax;
  }

  /** Those of the next version: what is known of blocks that have not changed is kept. */
  next(blocks: readonly PartnerBlock[]): PartnerMatches {
    const views = new Map(this.#partners.map((view) => [view.block, view]));
    const next = new PartnerMatches([], this.#heldMax);
    next.#partners = blocks.map((block) => views.get(block) ?? new PartnerView(block));
    for (const view of next.#partners) next.#held += view.held;
    return next;
  }

  /** The matches of the partners with a line item that is in `passing` and in a format's set. */
  collect(formats: readonly FormatSet[], passing: LineItemSet): readonly PartnerMatch[] {
    const matches: PartnerMatch[] = [];
    for (const partner of this.#partners) {
      if (partner.look(formats, passing)) matches.push(partner.recall() ?? this.#create(partner));
    }
    return matches;
  }

  /** When it is full, everything is forgotten: finding out anew is cheap. */
  #create(partner: PartnerView): PartnerMatch {
    const match = partner.createMatch();
    const weight = partner.weightOf(match);
    if (this.#held + weight > this.#heldMax) {
      for (const other of this.#partners) other.forget();
      this.#held = 0;
    }
    this.#held += weight;
    partner.remember(match);
    return match;
  }
}

/** One partner's part of the sets that were last looked at, and the matches made of earlier ones. */
class PartnerView {
  readonly block: PartnerBlock;
  /** What is remembered, counted in references. */
  held = 0;
  readonly #wordsPerFormat: number;
  /** Format after format; no bit is set for a format that the impression does not have. */
  readonly #seen: LineItemSet;
  #hash = 0;
  readonly #known = new Map<
    number,
    { readonly words: LineItemSet; readonly match: PartnerMatch }[]
  >();

  constructor(block: PartnerBlock) {
    this.block = block;
    this.#wordsPerFormat = block.words;
    this.#seen = new Int32Array(FORMATS.length * this.#wordsPerFormat);
  }

  weightOf(match: PartnerMatch): number {
    return MATCH_WEIGHT + this.#seen.length + match.lineItems.length;
  }

  /** Looks at the partner's part of the sets; false when no line item is in it. */
  look(formats: readonly FormatSet[], passing: LineItemSet): boolean {
    const { firstWord } = this.block;
    const count = this.#wordsPerFormat;
    this.#seen.fill(0);
    let any = 0;
    let hash = 0;
    for (const { format, set } of formats) {
      const offset = FORMATS.indexOf(format) * count;
      hash = mix(hash, format);
      for (let word = 0; word < count; word += 1) {
        const bits = (set[firstWord + word] ?? 0) & (passing[firstWord + word] ?? 0);
        this.#seen[offset + word] = bits;
        any |= bits;
        hash = mix(hash, bits);
      }
    }
    this.#hash = hash;
    return any !== 0;
  }

  /** The match that was made when the same was seen before. */
  recall(): PartnerMatch | undefined {
    return this.#known.get(this.#hash)?.find(({ words }) => sameWords(words, this.#seen))?.match;
  }

  remember(match: PartnerMatch): void {
    this.held += this.weightOf(match);
    const known = { words: this.#seen.slice(), match };
    const sameHash = this.#known.get(this.#hash);
    if (sameHash === undefined) this.#known.set(this.#hash, [known]);
    else sameHash.push(known);
  }

  forget(): void {
    this.#known.clear();
    this.held = 0;
  }

  createMatch(): PartnerMatch {
    const count = this.#wordsPerFormat;
    const lineItems: LineItemMatch[] = [];
    for (let word = 0; word < count; word += 1) {
      let bits = 0;
      for (let at = word; at < this.#seen.length; at += count) bits |= this.#seen[at] ?? 0;
      for (; bits !== 0; bits &= bits - 1) {
        const lowest = WORD_BITS - 1 - Math.clz32(bits & -bits);
        lineItems.push(this.#lineItemMatch(word * WORD_BITS + lowest));
      }
    }
    if (!this.block.isSorted) lineItems.sort((a, b) => a.lineItem.id - b.lineItem.id);
    return { partner: this.block.partner, lineItems };
  }

  #lineItemMatch(index: number): LineItemMatch {
    const entry = this.block.entries[index];
    if (entry === undefined) throw new Error(`the partner has no line item ${index}`);
    return entry.matchFor(this.#formatsOf(index));
  }

  #formatsOf(index: number): number {
    let formats = 0;
    let word = index >>> 5;
    for (const format of FORMATS) {
      if ((((this.#seen[word] ?? 0) >>> (index & 31)) & 1) === 1) formats |= format;
      word += this.#wordsPerFormat;
    }
    return formats;
  }
}

/** One step of a hash: equal sets have equal hashes, different ones rarely. */
function mix(hash: number, bits: number): number {
  const product = Math.imul(hash ^ bits, 0x9e3779b1);
  return product ^ (product >>> 15);
}

function sameWords(a: LineItemSet, b: LineItemSet): boolean {
  for (let word = 0; word < a.length; word += 1) if (a[word] !== b[word]) return false;
  return true;
}
