import type { Snapshot } from '../snapshot/snapshot.ts';
import { buildIndexes, type Indexes } from './eligibility-build.ts';
import { explainEligibility, type Explanation } from './eligibility-explain.ts';
import type { LineItemSet } from './eligibility-index.ts';
import { PlacementMemory } from './eligibility-memory.ts';
import { patchIndexes } from './eligibility-patch.ts';
import { PartnerMatches, type FormatSet, type PartnerMatch } from './eligibility-partners.ts';
import { FORMATS } from './targeting-rules.ts';
import type { ImpTraits, PlacementTraits } from './targeting-traits.ts';

export type { LineItemMatch, PartnerMatch } from './eligibility-partners.ts';

/** Finds the line items of one snapshot that an impression is for. */
export interface Eligibility {
  /**
   * The ACTIVE demand partners with a bidder that have at least one matching ACTIVE line item, in
   * ascending order of id. Equal matches are mostly the same objects, so that a caller can keep in
   * a WeakMap what it derives from them.
   */
  match(traits: ImpTraits): readonly PartnerMatch[];
  /** Why each line item of a partner does or does not match; for people, not for auctions. */
  explain(traits: ImpTraits, demandPartnerId: number): Explanation;
  /**
   * The same for the next version of the configuration; this one stays as it is. What the two
   * snapshots share is shared here as well, so that a small change costs little.
   *
   * @param pause as in {@link createEligibility}.
   */
  next(snapshot: Snapshot, pause?: () => Promise<void>): Promise<Eligibility>;
}

/**
 * Indexes the line items of a snapshot. A match then costs what is new about it: what was asked
 * before is looked up, and what was not is an intersection of bit sets.
 *
 * @param pause called after every slice of work, well below 2 ms; resolves when the next may run.
 */
export async function createEligibility(
  snapshot: Snapshot,
  pause: () => Promise<void> = noPause,
): Promise<Eligibility> {
  return new IndexedEligibility(snapshot, await buildIndexes(snapshot, pause));
}

function noPause(): Promise<void> {
  return Promise.resolve();
}

/** What earlier questions have told. */
interface Known {
  readonly memory: PlacementMemory;
  readonly partners: PartnerMatches;
}

function nothingKnown({ blocks }: Indexes): Known {
  return { memory: new PlacementMemory(), partners: new PartnerMatches(blocks) };
}

class IndexedEligibility implements Eligibility {
  readonly #snapshot: Snapshot;
  readonly #indexes: Indexes;
  /** Keys under which no line item says anything are left out, here and below. */
  readonly #placementKeys: Indexes['placement'];
  readonly #requestKeys: Indexes['request'];
  readonly #memory: PlacementMemory;
  readonly #partners: PartnerMatches;

  constructor(snapshot: Snapshot, indexes: Indexes, known: Known = nothingKnown(indexes)) {
    this.#snapshot = snapshot;
    this.#memory = known.memory;
    this.#partners = known.partners;
    this.#indexes = indexes;
    this.#placementKeys = indexes.placement.filter(({ index }) => index.isUsed);
    this.#requestKeys = indexes.request.filter(({ index }) => index.isUsed);
  }

  async next(snapshot: Snapshot, pause = noPause): Promise<Eligibility> {
    const versions = { before: this.#snapshot, after: snapshot };
    const indexes = await patchIndexes(this.#indexes, versions, pause);
    if (indexes === null) return createEligibility(snapshot, pause);
    return new IndexedEligibility(snapshot, indexes, {
      memory: indexes === this.#indexes ? this.#memory : new PlacementMemory(),
      partners: this.#partners.next(indexes.blocks),
    });
  }

  match(traits: ImpTraits): readonly PartnerMatch[] {
    const placement =
      this.#memory.find(traits) ?? this.#memory.add(traits, this.#placementSets(traits));
    const combination = this.#combinationOf(traits);
    const known = placement.matches.get(combination);
    if (known !== undefined) return known;
    const matches = this.#partners.collect(placement.formats, this.#requestSet(traits));
    this.#memory.addMatches(placement, combination, matches);
    return matches;
  }

  explain(traits: ImpTraits, demandPartnerId: number): Explanation {
    return explainEligibility(this.#snapshot, traits, demandPartnerId);
  }

  /**
   * A number for what the request traits mean to these line items. It stays far below 2^53: of the
   * request's keys, only operating systems have more than a few hundred codes to name.
   */
  #combinationOf(traits: ImpTraits): number {
    let combination = 0;
    for (const { rule, index } of this.#requestKeys) {
      combination = combination * index.classes + index.classOf(rule.code(traits));
    }
    return combination;
  }

  #placementSets(traits: PlacementTraits): FormatSet[] {
    return FORMATS.filter((format) => (traits.formats & format) !== 0).map((format) => {
      const set = this.#indexes.all.slice();
      for (const { rule, index } of this.#placementKeys) {
        index.restrict(set, rule.codes(traits, format));
      }
      return { format, set };
    });
  }

  #requestSet(traits: ImpTraits): LineItemSet {
    const set = this.#indexes.all.slice();
    for (const { rule, index } of this.#requestKeys) {
      const code = rule.code(traits);
      index.restrict(set, code === null ? [] : [code]);
    }
    return set;
  }
}
