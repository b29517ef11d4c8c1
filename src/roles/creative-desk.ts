import type { Kysely } from 'kysely';
import {
  findUnknownOwners,
  listReviews,
  readCreativeReviews,
  removeReview,
  saveReview,
} from '../configuration/creative-reviews.ts';
import type { Database } from '../configuration/schema.ts';
import type { CreativeDesk } from '../control/creatives.ts';
import type { AnalyticsStore } from '../ports/analytics-store.ts';

/** @param openedStore throws RialtoError as long as the analytics store is not open. */
export function createCreativeDesk(
  db: Kysely<Database>,
  openedStore: () => AnalyticsStore,
  now: () => number,
): CreativeDesk {
  return {
    list: async (question) => {
      const problems = await findUnknownOwners(db, question);
      if (problems.length > 0) return { ok: false, problems };
      const { readCreatives } = await import('../analytics/creatives.ts');
      const reviews = await readCreativeReviews(db);
      return { ok: true, value: await readCreatives(openedStore(), question, reviews) };
    },
    reviews: () => listReviews(db),
    save: (review) => saveReview(db, review, now()),
    remove: (review) => removeReview(db, review),
  };
}
