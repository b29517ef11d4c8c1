import type { ShownCreativeReview } from '../../../../src/management/creative-reviews/schema.ts';
import type { ShownCreative } from '../../../../src/management/creatives/schema.ts';
import { isolated } from '../../parts/isolated.ts';

export type Place = ShownCreative['places'][number];

/** A creative, and where it stands at the publisher whose page this is. */
export interface SeenHere {
  readonly creative: ShownCreative;
  readonly place: Place;
}

/** What is decided about: one creative of a partner, or an advertiser. */
export interface Subject {
  readonly demand_partner?: number;
  readonly crid?: string;
  readonly domain?: string;
}

/** Creatives as they stand at one publisher; those that were not seen there are left out. */
export function seenAt(creatives: readonly ShownCreative[], publisherId: number): SeenHere[] {
  return creatives.flatMap((creative) => {
    const place = creative.places.find(({ publisher_id: id }) => id === publisherId);
    return place === undefined ? [] : [{ creative, place }];
  });
}

/** The decision about the very same; undefined for none. */
export function decisionOn(
  reviews: readonly ShownCreativeReview[],
  { demand_partner: partner, crid, domain }: Subject,
): ShownCreativeReview | undefined {
  return reviews.find(
    (review) =>
      review.demand_partner === (partner ?? null) &&
      review.crid === (crid ?? null) &&
      review.domain === (domain ?? null),
  );
}

/** The publisher's own decision that made a creative's state; undefined where somebody else's did. */
export function decisionBehind(
  reviews: readonly ShownCreativeReview[],
  { creative, place }: SeenHere,
): ShownCreativeReview | undefined {
  if (place.by !== 'publisher' || place.verdict === 'pending') return undefined;
  return reviews.find(
    (review) =>
      review.verdict === place.verdict &&
      (place.domain === ''
        ? review.demand_partner === creative.demand_partner_id && review.crid === creative.crid
        : review.domain === place.domain &&
          (review.demand_partner ?? creative.demand_partner_id) === creative.demand_partner_id),
  );
}

/** What a decision is about, as it is sent. */
export function subjectOf(review: ShownCreativeReview): Subject {
  const { demand_partner: partner, crid, domain } = review;
  return {
    ...(partner === null ? {} : { demand_partner: partner }),
    ...(crid === null ? {} : { crid }),
    ...(domain === null ? {} : { domain }),
  };
}

/** What it is called in a sentence; ids are as their partner likes them. */
export function nameOf({ crid, domain }: Subject): string {
  return crid === undefined
    ? `The advertiser ${isolated(domain ?? '')}`
    : `The creative ${isolated(crid)}`;
}

/** Creatives whose id, or whose advertiser's domain, has a text in it. */
export function foundBy(seen: readonly SeenHere[], text: string): readonly SeenHere[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return seen;
  return seen.filter(({ creative: { crid, adomain } }) =>
    [crid, ...adomain].some((each) => each.toLowerCase().includes(wanted)),
  );
}
