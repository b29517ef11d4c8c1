import type { Bid } from '../openrtb/bid-response.ts';
import { LossReason } from '../openrtb/loss-reason.ts';
import type { CreativeReview, Publisher } from '../snapshot/entities.ts';
import { creativeIdOf } from './creative-id.ts';
import { countLabels, lastLabels, listedDomain } from './domains.ts';
import type { Objection } from './objection.ts';

/** What has been decided about creatives, ready to be asked for one of them. */
export interface CreativeReviews {
  /** What holds on a publisher's ad spaces; null where nothing does. */
  rulesFor(publisherId: number): CreativeRules | null;
}

/** What holds of creatives on the ad spaces of one publisher. */
export interface CreativeRules {
  readonly operator: ReviewIndex;
  readonly publisher: ReviewIndex;
  /** Who lets nothing be shown that is not approved. */
  readonly operatorRequires: boolean;
  readonly publisherRequires: boolean;
  readonly partnerName: (id: number) => string;
}

export interface ReviewSources {
  readonly operatorRequires: boolean;
  readonly publishers: Iterable<Pick<Publisher, 'id' | 'creativeReview'>>;
  readonly reviews: Iterable<CreativeReview>;
  readonly partnerName: (id: number) => string;
}

/** A creative as reviews see it. */
export interface ReviewedCreative {
  readonly demandPartnerId: number;
  /** As of `creativeIdOf`; empty while it is not known. */
  readonly id: string;
  readonly adomain: readonly string[];
}

/** Where a creative stands on a publisher's ad spaces, and who says so. */
export type Standing =
  | { readonly verdict: 'blocked' | 'approved'; readonly by: Reviewer; readonly found: Found }
  | { readonly verdict: 'pending'; readonly by: Reviewer; readonly found: null }
  | { readonly verdict: 'none'; readonly by: null; readonly found: null };

export type Reviewer = 'operator' | 'publisher';

/** A review, and which of the creative's advertiser domains it is about; null where it is its id. */
export interface Found {
  readonly review: CreativeReview;
  readonly domain: string | null;
}

const NOTHING: Standing = { verdict: 'none', by: null, found: null };
const AWAITS_OPERATOR: Standing = { verdict: 'pending', by: 'operator', found: null };
const AWAITS_PUBLISHER: Standing = { verdict: 'pending', by: 'publisher', found: null };
const NO_DOMAINS: readonly string[] = [];

/** Reviews that are indexed between two pauses: about a quarter of a millisecond. */
const SLICE = 500;

/**
 * Indexes the reviews, so that a bid costs a few look-ups however many there are.
 *
 * @param pause runs between slices of work, so that it does not hold up auctions.
 */
export async function createCreativeReviews(
  sources: ReviewSources,
  pause: () => Promise<void>,
): Promise<CreativeReviews> {
  const { operatorRequires, partnerName } = sources;
  const indexes = new Map<number, ReviewIndex>();
  let indexed = 0;
  for (const review of sources.reviews) {
    indexed += 1;
    if (indexed % SLICE === 0) await pause();
    const owner = review.publisherId ?? OPERATOR;
    let index = indexes.get(owner);
    if (index === undefined) indexes.set(owner, (index = new ReviewIndex()));
    index.add(review);
  }
  const requiring = new Set<number>();
  for (const { id, creativeReview } of sources.publishers) {
    if (creativeReview === 'required') requiring.add(id);
  }
  const operator = indexes.get(OPERATOR) ?? EMPTY;
  return {
    rulesFor(publisherId) {
      const publisher = indexes.get(publisherId) ?? EMPTY;
      const publisherRequires = requiring.has(publisherId);
      const holds = operatorRequires || publisherRequires;
      if (!holds && operator === EMPTY && publisher === EMPTY) return null;
      return { operator, publisher, operatorRequires, publisherRequires, partnerName };
    },
  };
}

/**
 * Whether a bid's creative may be shown as far as people have decided about it; null where it may.
 *
 * @param adm null while the markup is to come: a creative that only its markup tells is judged then.
 */
export function checkReviews(
  bid: Bid,
  adm: string | null,
  demandPartnerId: number,
  rules: CreativeRules | null,
): Objection | null {
  if (rules === null) return null;
  const { crid, adid, adomain = NO_DOMAINS } = bid;
  // Markup is hashed only where somebody has decided about markup without an id.
  const isNamed = crid !== undefined || adid !== undefined || knowsMarkup(rules);
  const id = isNamed ? creativeIdOf(bid, adm) : '';
  const creative = { demandPartnerId, id, adomain };
  const block = blockOf(creative, rules);
  // Approvals matter only to those who ask for them.
  if (block === null && !rules.operatorRequires && !rules.publisherRequires) return null;
  const { verdict, by, found } = block ?? approvalOf(creative, rules);
  if (verdict === 'none' || verdict === 'approved') return null;
  const partner = rules.partnerName(demandPartnerId);
  if (verdict === 'blocked') {
    const what = nameOf(id, found);
    const why = found.review.reason === '' ? '' : `: ${found.review.reason}`;
    const detail = `${what} of ${partner} is blocked by the ${by}${why}`;
    return { reason: LossReason.CreativeDisapproved, detail };
  }
  // Nobody can approve what has no name, or another one each time.
  if (crid === undefined) {
    const detail = `crid is missing where the ${by} reviews creatives before they are shown`;
    return { reason: LossReason.MissingCreativeId, detail };
  }
  const detail = `crid ${id} of ${partner} waits for its review by the ${by}`;
  return { reason: LossReason.CreativePending, detail };
}

/**
 * Where a creative stands. Blocking adds up: nobody can approve what somebody else has blocked. Who
 * wants creatives approved goes by its own approvals; a publisher by the operator's as well.
 */
export function standingOf(creative: ReviewedCreative, rules: CreativeRules): Standing {
  return blockOf(creative, rules) ?? approvalOf(creative, rules);
}

function blockOf(
  creative: ReviewedCreative,
  { operator, publisher }: CreativeRules,
): Standing | null {
  const byOperator = operator.find(creative, 'blocked');
  if (byOperator !== null) return { verdict: 'blocked', by: 'operator', found: byOperator };
  const byPublisher = publisher.find(creative, 'blocked');
  if (byPublisher !== null) return { verdict: 'blocked', by: 'publisher', found: byPublisher };
  return null;
}

function approvalOf(creative: ReviewedCreative, rules: CreativeRules): Standing {
  const { operator, publisher } = rules;
  const approval = operator.find(creative, 'approved');
  if (approval !== null) return { verdict: 'approved', by: 'operator', found: approval };
  if (rules.operatorRequires) return AWAITS_OPERATOR;
  const own = publisher.find(creative, 'approved');
  if (own !== null) return { verdict: 'approved', by: 'publisher', found: own };
  return rules.publisherRequires ? AWAITS_PUBLISHER : NOTHING;
}

/** No publisher has this id. */
const OPERATOR = 0;
/** No partner has this id. */
const ANYBODY = 0;

/** The reviews of one reviewer. */
export class ReviewIndex {
  /** By partner and creative id. */
  readonly #ids = new Map<number, Map<string, CreativeReview>>();
  /** By domain and partner. */
  readonly #domains = new Map<string, Map<number, CreativeReview>>();
  /** The most labels that one of the domains has. */
  #labelsMax = 0;
  #knowsMarkup = false;

  /** Some of them are about creatives that only their markup tells. */
  get knowsMarkup(): boolean {
    return this.#knowsMarkup;
  }

  add(review: CreativeReview): void {
    const { target, value } = review;
    const partner = review.demandPartnerId ?? ANYBODY;
    if (target === 'crid') {
      mapAt(this.#ids, partner).set(value, review);
      if (value.startsWith('adm:')) this.#knowsMarkup = true;
    } else {
      const domain = listedDomain(value);
      mapAt(this.#domains, domain).set(partner, review);
      this.#labelsMax = Math.max(this.#labelsMax, countLabels(domain));
    }
  }

  /**
   * A review of that verdict. A creative is blocked with any of its advertisers, and approved only
   * with all of them.
   */
  find(creative: ReviewedCreative, verdict: CreativeReview['verdict']): Found | null {
    const { demandPartnerId, id, adomain } = creative;
    const review = this.#ids.get(demandPartnerId)?.get(id);
    if (review?.verdict === verdict) return { review, domain: null };
    if (this.#domains.size === 0) return null;
    let found: Found | null = null;
    for (const domain of adomain) {
      const hit = this.#findDomain(listedDomain(domain), demandPartnerId, verdict);
      if (hit === null && verdict === 'approved') return null;
      if (hit === null) continue;
      found ??= { review: hit, domain };
      if (verdict === 'blocked') return found;
    }
    return found;
  }

  /** A review of the domain or of one that it stands below. */
  #findDomain(
    domain: string,
    demandPartnerId: number,
    verdict: CreativeReview['verdict'],
  ): CreativeReview | null {
    for (let name = lastLabels(domain, this.#labelsMax); ;) {
      const reviews = this.#domains.get(name);
      if (reviews !== undefined) {
        const own = reviews.get(demandPartnerId);
        if (own?.verdict === verdict) return own;
        const general = reviews.get(ANYBODY);
        if (general?.verdict === verdict) return general;
      }
      const dot = name.indexOf('.');
      if (dot < 0) return null;
      name = name.slice(dot + 1);
    }
  }
}

const EMPTY = new ReviewIndex();

function mapAt<Key, Inner, Value>(map: Map<Key, Map<Inner, Value>>, key: Key): Map<Inner, Value> {
  let inner = map.get(key);
  if (inner === undefined) map.set(key, (inner = new Map()));
  return inner;
}

function knowsMarkup({ operator, publisher }: CreativeRules): boolean {
  return operator.knowsMarkup || publisher.knowsMarkup;
}

function nameOf(id: string, { review, domain }: Found): string {
  if (domain === null) return `crid ${id}`;
  const listed = domain === review.value ? '' : ` (${review.value})`;
  return `adomain ${domain}${listed}`;
}
