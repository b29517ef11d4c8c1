import Type, { type Static } from 'typebox';
import { mapping, nullable, whole } from './vocabulary.ts';

const SECONDS_MAX = 86_400;
const PER_PAGE_MAX = 1_000;

/** How often tags may ask again on one page. */
export const REFRESH = mapping('refresh', {
  min_seconds: whole(1, SECONDS_MAX, ' (seconds from one ad to the next)'),
  max_per_page: Type.Optional(nullable(whole(0, PER_PAGE_MAX, ', ads after the first of a page'))),
});

/** How often a page may ask for another ad in the place of the one that is there. */
export interface Refresh {
  /** The least between two ads, in seconds. */
  readonly minSeconds: number;
  /** Ads after the first that one view of a page may show there; null is no limit, 0 none. */
  readonly maxPerPage: number | null;
}

/** The limits as the exchange works with them. */
export function refreshOf(refresh: Static<typeof REFRESH>): Refresh {
  return { minSeconds: refresh.min_seconds, maxPerPage: refresh.max_per_page ?? null };
}
