import type { AnalyticsStore } from '../ports/analytics-store.ts';
import { countOf, textOf } from './cells.ts';
import { RECONCILE_SETTINGS } from './reconcile-records.ts';
import type { Totals } from './reconcile-wire.ts';

/** The day in figures, from the raw records of all nodes; tests are left out. */
export async function readTotals(store: AnalyticsStore, date: string): Promise<Totals> {
  const [row = {}] = await store.query(
    `SELECT countIf(kind = 'auction') AS auctions,
       countIf(kind = 'auction' AND arrayExists(filled -> filled = 1, imps.filled)) AS filled,
       sumIf(arrayCount(reason -> reason = 0, money.bids.loss_reason), kind = 'auction' AND fd = 0)
         + countIf(kind = 'win' AND fd = 1) AS wins,
       countIf(kind = 'impression') AS impressions, countIf(kind = 'click') AS clicks,
       sumIf(clearing_micros, kind = 'impression') AS gross,
       sumIf(payout_micros, kind = 'impression') AS payout
     FROM money WHERE date = {date:Date} AND test = 0 ${RECONCILE_SETTINGS}`,
    { date },
  );
  return {
    auctions: countOf(row, 'auctions'),
    filled_auctions: countOf(row, 'filled'),
    wins: countOf(row, 'wins'),
    impressions: countOf(row, 'impressions'),
    clicks: countOf(row, 'clicks'),
    gross_cpm_micros: textOf(row, 'gross'),
    payout_cpm_micros: textOf(row, 'payout'),
  };
}
