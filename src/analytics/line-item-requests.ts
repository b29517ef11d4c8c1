import type { AnalyticsStore } from '../ports/analytics-store.ts';
import { countOf } from './cells.ts';
import { QUERY_LIMITS } from './report.ts';

/** The bid requests of every line item on a UTC day, YYYY-MM-DD; those without any are left out. */
export async function readLineItemRequests(
  store: AnalyticsStore,
  date: string,
): Promise<ReadonlyMap<number, number>> {
  const rows = await store.query(
    `SELECT lineitem_id, toString(sum(dsp_requests)) AS requests
     FROM lineitem_daily WHERE date = {date:Date} GROUP BY lineitem_id
     HAVING sum(dsp_requests) > 0 ${QUERY_LIMITS}`,
    { date },
  );
  return new Map(rows.map((row) => [countOf(row, 'lineitem_id'), countOf(row, 'requests')]));
}
