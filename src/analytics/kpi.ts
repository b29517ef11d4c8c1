import type { AnalyticsStore, StoreRow } from '../ports/analytics-store.ts';
import { countOf, integerOf, textOf } from './cells.ts';
import { eachDate } from './dates.ts';
import { QUERY_LIMITS } from './report.ts';
import { dollarsOf } from './revenue.ts';

export interface KpiQuestion {
  readonly demandPartnerId: number;
  /** In any order; none gives no rows. */
  readonly lineItemIds: readonly number[];
  /** Both included, YYYY-MM-DD. */
  readonly startDate: string;
  readonly endDate: string;
}

/**
 * One line item on one day. `dsp_requests` = `responses` + `no_bids` + `timeouts` + `errors`; what
 * was matched and not sent is `throttled`. A bid request counts for each line item that it matched.
 */
export interface KpiRow extends KpiCounts {
  readonly lineitem_id: number;
  readonly date: string;
  /** US dollars. */
  readonly gross_revenue: number;
}

const COUNTS = [
  'dsp_requests',
  'responses',
  'no_bids',
  'timeouts',
  'errors',
  'throttled',
  'bids',
  'bids_in_auction',
  'wins',
  'impressions',
  'clicks',
] as const;

type KpiCounts = Readonly<Record<(typeof COUNTS)[number], number>>;

/** The KPIs of line items, one row for each and day, zeros included, by date and then by id. */
export async function readKpis(store: AnalyticsStore, question: KpiQuestion): Promise<KpiRow[]> {
  const ids = [...new Set(question.lineItemIds)].sort((a, b) => a - b);
  const dates = eachDate(question.startDate, question.endDate);
  if (ids.length === 0 || dates.length === 0) return [];
  const sums = [...COUNTS, 'gross_cpm_micros'].map((name) => `toString(sum(${name})) AS ${name}`);
  const rows = await store.query(
    `SELECT date, lineitem_id, ${sums.join(', ')} FROM lineitem_daily
     WHERE demand_partner_id = {partner:UInt64} AND lineitem_id IN {ids:Array(UInt64)}
       AND date BETWEEN {start:Date} AND {end:Date}
     GROUP BY date, lineitem_id ${QUERY_LIMITS}`,
    {
      partner: question.demandPartnerId,
      ids,
      start: question.startDate,
      end: question.endDate,
    },
  );
  const found = new Map(
    rows.map((row) => [`${textOf(row, 'date')} ${textOf(row, 'lineitem_id')}`, row]),
  );
  return dates.flatMap((date) => ids.map((id) => kpiRow(id, date, found.get(`${date} ${id}`))));
}

function kpiRow(id: number, date: string, row: StoreRow | undefined): KpiRow {
  const count = (name: keyof KpiCounts): number => (row === undefined ? 0 : countOf(row, name));
  return {
    lineitem_id: id,
    date,
    dsp_requests: count('dsp_requests'),
    responses: count('responses'),
    no_bids: count('no_bids'),
    timeouts: count('timeouts'),
    errors: count('errors'),
    throttled: count('throttled'),
    bids: count('bids'),
    bids_in_auction: count('bids_in_auction'),
    wins: count('wins'),
    impressions: count('impressions'),
    clicks: count('clicks'),
    gross_revenue: row === undefined ? 0 : dollarsOf(integerOf(row, 'gross_cpm_micros')),
  };
}
