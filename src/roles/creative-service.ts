import type { Kysely } from 'kysely';
import { machineActor } from '../configuration/audit.ts';
import {
  findUnknownOwners,
  listReviews,
  readCreativeReviews,
  removeReview,
  saveReview,
} from '../configuration/creative-reviews.ts';
import type { Database } from '../configuration/schema.ts';
import type { CreativeService } from '../control/creatives.ts';
import type { CreativeFinder } from '../management/creatives/routes.ts';
import type { AnalyticsStore } from '../ports/analytics-store.ts';

/** @param openedStore throws RialtoError as long as the analytics store is not open. */
export function createCreativeService(
  db: Kysely<Database>,
  openedStore: () => AnalyticsStore,
  now: () => number,
): CreativeService {
  // Commands reach control by the machine's own secret: no user stands behind them.
  const actor = machineActor('rialto creatives');
  return {
    list: async (question) => {
      const problems = await findUnknownOwners(db, question);
      if (problems.length > 0) return { ok: false, problems };
      const { readCreatives } = await import('../analytics/creatives.ts');
      const reviews = await readCreativeReviews(db);
      return { ok: true, value: await readCreatives(openedStore(), question, reviews) };
    },
    reviews: () => listReviews(db),
    save: (review) => saveReview(db, review, { actor, nowMs: now() }),
    remove: (review) => removeReview(db, review, { actor, nowMs: now() }),
  };
}

/**
 * Finds creatives for the management API.
 *
 * @param openedStore throws RialtoError as long as the analytics store is not open.
 */
export function createCreativeFinder(
  db: Kysely<Database>,
  openedStore: () => AnalyticsStore,
): CreativeFinder {
  return async (question, page) => {
    const store = openedStore();
    const { listCreatives } = await import('../analytics/creatives.ts');
    return listCreatives(store, { ...question, ...page }, await readCreativeReviews(db));
  };
}
