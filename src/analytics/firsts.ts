import type { AnalyticsStore } from '../ports/analytics-store.ts';
import { QUERY_LIMITS } from './report.ts';

/** What an exchange has seen at least once, test auctions left out. */
export interface Firsts {
  readonly hasRequests: boolean;
  readonly hasImpressions: boolean;
}

/** Whether there was ever an ad request, and an impression; the first row that says so ends the search. */
export async function readFirsts(store: AnalyticsStore): Promise<Firsts> {
  const [requests, impressions] = await Promise.all(
    ['requests', 'impressions'].map((column) =>
      store.query(`SELECT 1 FROM supply_daily WHERE ${column} > 0 LIMIT 1 ${QUERY_LIMITS}`, {}),
    ),
  );
  return {
    hasRequests: (requests?.length ?? 0) > 0,
    hasImpressions: (impressions?.length ?? 0) > 0,
  };
}
