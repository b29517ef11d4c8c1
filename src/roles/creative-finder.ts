import type { Kysely } from 'kysely';
import { readCreativeReviews } from '../configuration/creative-reviews.ts';
import type { Database } from '../configuration/schema.ts';
import type { CreativeFinder } from '../management/creatives/routes.ts';
import type { AnalyticsStore } from '../ports/analytics-store.ts';

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
