import { parentOfCategory } from '../openrtb/content-taxonomy.ts';
import { canonicalCategory } from './canonical-bid.ts';
import { countLabels, lastLabels, listedDomain } from './domains.ts';

/**
 * Publishers block thousands of advertisers and bids name up to a thousand, so that comparing each
 * with each would let one bid cost seconds. A list becomes a set when it is first asked, and is kept
 * as long as the list is: that of an ad space for the life of a snapshot.
 */
const domainSets = new WeakMap<readonly string[], DomainSet>();
const categorySets = new WeakMap<readonly string[], ReadonlySet<string>>();

interface DomainSet {
  readonly names: ReadonlySet<string>;
  /** The most labels that one of them has. */
  readonly labelsMax: number;
}

/**
 * The blocked domain that this one is or stands below, null when none is.
 *
 * @param domain in canonical form, as those of a `canonicalBid` are.
 */
export function findBlockedDomain(domain: string, blocked: readonly string[]): string | null {
  let set = domainSets.get(blocked);
  if (set === undefined) {
    const names = new Set(blocked.map(listedDomain));
    let labelsMax = 0;
    for (const listed of names) labelsMax = Math.max(labelsMax, countLabels(listed));
    set = { names, labelsMax };
    domainSets.set(blocked, set);
  }
  let name = lastLabels(domain, set.labelsMax);
  while (!set.names.has(name)) {
    const dot = name.indexOf('.');
    if (dot < 0) return null;
    name = name.slice(dot + 1);
  }
  return name;
}

/**
 * The blocked category that this one is or belongs to (IAB25-3 to IAB25), null when none is.
 *
 * @param category in canonical form, as those of a `canonicalBid` are.
 */
export function findBlockedCategory(category: string, blocked: readonly string[]): string | null {
  let set = categorySets.get(blocked);
  if (set === undefined) {
    set = new Set(blocked.map(canonicalCategory));
    categorySets.set(blocked, set);
  }
  let name: string | undefined = category;
  while (name !== undefined && !set.has(name)) name = parentOfCategory(name);
  return name ?? null;
}
