import type { DemandPartner, LineItem } from '../snapshot/entities.ts';
import { WORD_BITS, wordsFor, type LineItemSet } from './eligibility-index.ts';
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

/** A demand partner's line items, which take whole words of every set from `firstWord` on. */
export interface PartnerBlock {
  readonly partner: DemandPartner;
  readonly lineItems: readonly LineItem[];
  readonly firstWord: number;
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
  readonly #partners: readonly PartnerView[];
  readonly #heldMax: number;
  #held = 0;

  constructor(blocks: readonly PartnerBlock[], heldMax = HELD_MAX) {
    this.#partners = blocks.map((block) => new PartnerView(block));
    this.#heldMax = heldMax;
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
    const weight = MATCH_WEIGHT + partner.words + match.lineItems.length;
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
  readonly #block: PartnerBlock;
  readonly #wordsPerFormat: number;
  /** Format after format; no bit is set for a format that the impression does not have. */
  readonly #seen: LineItemSet;
  #hash = 0;
  /** One object for each line item and bit mask of formats that has matched. */
  readonly #lineItemMatches = new Map<number, LineItemMatch>();
  readonly #known = new Map<
    number,
    { readonly words: LineItemSet; readonly match: PartnerMatch }[]
  >();

  constructor(block: PartnerBlock) {
    this.#block = block;
    this.#wordsPerFormat = wordsFor(block.lineItems.length);
    this.#seen = new Int32Array(FORMATS.length * this.#wordsPerFormat);
  }

  get words(): number {
    return this.#seen.length;
  }

  /** Looks at the partner's part of the sets; false when no line item is in it. */
  look(formats: readonly FormatSet[], passing: LineItemSet): boolean {
    const { firstWord } = this.#block;
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
    const known = { words: this.#seen.slice(), match };
    const sameHash = this.#known.get(this.#hash);
    if (sameHash === undefined) this.#known.set(this.#hash, [known]);
    else sameHash.push(known);
  }

  forget(): void {
    this.#known.clear();
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
    return { partner: this.#block.partner, lineItems };
  }

  #lineItemMatch(index: number): LineItemMatch {
    const lineItem = this.#block.lineItems[index];
    if (lineItem === undefined) throw new Error(`the partner has no line item ${index}`);
    const formats = this.#formatsOf(index);
    const key = index * FORMAT_MASKS + formats;
    let match = this.#lineItemMatches.get(key);
    if (match === undefined) {
      const requiresLocation = lineItem.targeting.geo?.is_geo_data_required === true;
      match = { lineItem, formats, requiresLocation };
      this.#lineItemMatches.set(key, match);
    }
    return match;
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

/** Bit masks of formats are below this. */
const FORMAT_MASKS = 8;

/** One step of a hash: equal sets have equal hashes, different ones rarely. */
function mix(hash: number, bits: number): number {
  const product = Math.imul(hash ^ bits, 0x9e3779b1);
  return product ^ (product >>> 15);
}

function sameWords(a: LineItemSet, b: LineItemSet): boolean {
  for (let word = 0; word < a.length; word += 1) if (a[word] !== b[word]) return false;
  return true;
}
