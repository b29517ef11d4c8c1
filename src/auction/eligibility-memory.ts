import type { Size } from '../resources/formats.ts';
import type { FormatSet, PartnerMatch } from './eligibility-partners.ts';
import type { PlacementTraits } from './targeting-traits.ts';

/** What is known of one place: who takes it at all, and who did for which request traits. */
export interface Placement {
  readonly traits: PlacementTraits;
  /** The line items that take it, for each format of the impression. */
  readonly formats: readonly FormatSet[];
  /** Answers by the combination of request traits. */
  readonly matches: Map<number, readonly PartnerMatch[]>;
}

/** What may be remembered together, counted in references: some 8 MB. */
const HELD_MAX = 1_000_000;
/** What a placement or an answer takes beside its elements. */
const OBJECT_WEIGHT = 20;
/** Variants of one ad space (the sizes asked for, interstitial or not) that are remembered. */
const VARIANTS_MAX = 8;

/**
 * Remembers placements and the answers for them. When it is full it forgets everything and starts
 * again: finding out anew is cheap enough that no finer bookkeeping pays.
 */
export class PlacementMemory {
  readonly #placements = new Map<number, Placement[]>();
  readonly #heldMax: number;
  #held = 0;

  constructor(heldMax = HELD_MAX) {
    this.#heldMax = heldMax;
  }

  /** References held now; never above the maximum. */
  get held(): number {
    return this.#held;
  }

  find(traits: PlacementTraits): Placement | undefined {
    const variants = this.#placements.get(traits.adSpaceId);
    return variants?.find((variant) => samePlacement(variant.traits, traits));
  }

  add(traits: PlacementTraits, formats: readonly FormatSet[]): Placement {
    const placement = { traits: withoutRequest(traits), formats, matches: new Map() };
    let weight = OBJECT_WEIGHT;
    for (const { set } of formats) weight += set.length;
    if (!this.#hold(weight)) return placement;
    const variants = this.#placements.get(traits.adSpaceId);
    if (variants === undefined) this.#placements.set(traits.adSpaceId, [placement]);
    else {
      if (variants.length >= VARIANTS_MAX) variants.shift();
      variants.push(placement);
    }
    return placement;
  }

  addMatches(placement: Placement, combination: number, matches: readonly PartnerMatch[]): void {
    const weight = OBJECT_WEIGHT + matches.length;
    if (this.#hold(weight)) placement.matches.set(combination, matches);
  }

  /** False for what would not fit even if everything else were forgotten. */
  #hold(weight: number): boolean {
    if (weight > this.#heldMax) return false;
    if (this.#held + weight > this.#heldMax) {
      this.#placements.clear();
      this.#held = 0;
    }
    this.#held += weight;
    return true;
  }
}

/** A request's other traits are not kept, nor anything else that came with it. */
function withoutRequest(traits: PlacementTraits): PlacementTraits {
  const { adSpaceId, publisherId, bundle, domain, categories } = traits;
  const { formats, bannerSizes, videoSize, interstitial, rewarded } = traits;
  return {
    adSpaceId,
    publisherId,
    bundle,
    domain,
    categories,
    formats,
    bannerSizes,
    videoSize,
    interstitial,
    rewarded,
  };
}

/** An ad space mostly comes in the same shape, with the same arrays of the configuration. */
function samePlacement(a: PlacementTraits, b: PlacementTraits): boolean {
  return (
    a.adSpaceId === b.adSpaceId &&
    a.publisherId === b.publisherId &&
    a.formats === b.formats &&
    a.interstitial === b.interstitial &&
    a.rewarded === b.rewarded &&
    a.bundle === b.bundle &&
    a.domain === b.domain &&
    sameList(a.categories, b.categories, (x, y) => x === y) &&
    sameList(a.bannerSizes, b.bannerSizes, sameSize) &&
    sameSize(a.videoSize, b.videoSize)
  );
}

function sameList<T>(
  a: readonly T[],
  b: readonly T[],
  same: (x: T, y: T | undefined) => boolean,
): boolean {
  return a === b || (a.length === b.length && a.every((x, index) => same(x, b[index])));
}

function sameSize(a: Size | null, b: Size | null | undefined): boolean {
  if (a === null || b === null || b === undefined) return a === b;
  return a.w === b.w && a.h === b.h;
}
