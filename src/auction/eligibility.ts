import type { Snapshot } from '../snapshot/snapshot.ts';
import { buildIndexes, type Indexes } from './eligibility-build.ts';
import { explainEligibility, type Explanation } from './eligibility-explain.ts';
import type { LineItemSet } from './eligibility-index.ts';
import { PlacementMemory } from './eligibility-memory.ts';
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
}

/**
 * Indexes the line items of a snapshot. A match then costs what is new about it: what was asked
 * before is looked up, and what was not is an intersection of bit sets.
 *
 * @param pause called after every slice of work, well below 2 ms; resolves when the next may run.
 */
export async function createEligibility(
  snapshot: Snapshot,
  pause: () => Promise<void> = () => Promise.resolve(),
): Promise<Eligibility> {
  return new IndexedEligibility(snapshot, await buildIndexes(snapshot, pause));
}

class IndexedEligibility implements Eligibility {
  readonly #snapshot: Snapshot;
  readonly #indexes: Indexes;
  readonly #memory = new PlacementMemory();
  readonly #partners: PartnerMatches;

  constructor(snapshot: Snapshot, indexes: Indexes) {
    this.#snapshot = snapshot;
    this.#indexes = indexes;
    this.#partners = new PartnerMatches(indexes.blocks);
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
    for (const { rule, index } of this.#indexes.request) {
      combination = combination * index.classes + index.classOf(rule.code(traits));
    }
    return combination;
  }

  #placementSets(traits: PlacementTraits): FormatSet[] {
    return FORMATS.filter((format) => (traits.formats & format) !== 0).map((format) => {
      const set = this.#indexes.all.slice();
      for (const { rule, index } of this.#indexes.placement) {
        index.restrict(set, rule.codes(traits, format));
      }
      return { format, set };
    });
  }

  #requestSet(traits: ImpTraits): LineItemSet {
    const set = this.#indexes.all.slice();
    for (const { rule, index } of this.#indexes.request) {
      const code = rule.code(traits);
      index.restrict(set, code === null ? [] : [code]);
    }
    return set;
  }
}
