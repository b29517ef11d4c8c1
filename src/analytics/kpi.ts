import type { AnalyticsStore, StoreRow } from '../ports/analytics-store.ts';
import { countOf, integerOf, textOf } from './cells.ts';
import { eachDate, startOf } from './dates.ts';
import { STREAM_LIMITS } from './report.ts';
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

/**
 * The KPIs of line items, one row for each and day, zeros included, by date and then by id, a day at a
 * time as it is asked for: all line items of a large partner over five months are a million rows.
 *
 * @throws TypeError for an invalid id or date: the caller has checked them.
 */
export async function* readKpis(
  store: Pick<AnalyticsStore, 'stream'>,
  question: KpiQuestion,
): AsyncGenerator<readonly KpiRow[], void, void> {
  const ids = [...new Set(question.lineItemIds)].sort((a, b) => a - b);
  const dates = eachDate(question.startDate, question.endDate);
  if (ids.length === 0) return;
  const rowsOf = (date: string, rows?: Day['rows']): readonly KpiRow[] =>
    ids.map((id) => kpiRow(id, date, rows?.get(id)));
  let next = 0;
  for await (const { date, rows } of daysOf(store.stream(statementOf(question, ids)))) {
    const empty = dates.slice(next, dates.indexOf(date));
    for (const each of empty) yield rowsOf(each);
    yield rowsOf(date, rows);
    next += empty.length + 1;
  }
  for (const each of dates.slice(next)) yield rowsOf(each);
}

/** Those between the first and the last id that were not asked for come as well, and are not looked at. */
function statementOf(
  { demandPartnerId, startDate, endDate }: KpiQuestion,
  ids: readonly number[],
): string {
  const numbers = [demandPartnerId, ids[0], ids.at(-1)];
  if (!numbers.every((each) => Number.isSafeInteger(each))) {
    throw new TypeError(`${numbers.join(', ')} are no ids.`);
  }
  // Throws for an invalid date.
  startOf(startDate);
  startOf(endDate);
  const sums = [...COUNTS, 'gross_cpm_micros'].map((name) => `toString(sum(${name})) AS ${name}`);
  const [partner, first, last] = numbers;
  return `SELECT date, lineitem_id, ${sums.join(', ')} FROM lineitem_daily
    WHERE demand_partner_id = ${partner} AND lineitem_id BETWEEN ${first} AND ${last}
      AND date BETWEEN '${startDate}' AND '${endDate}'
    GROUP BY date, lineitem_id ORDER BY date
    SETTINGS ${STREAM_LIMITS}, optimize_aggregation_in_order = 1`;
}

interface Day {
  readonly date: string;
  /** By line item. */
  readonly rows: Map<number, StoreRow>;
}

/** Rows that come by date, together with the others of their day. */
async function* daysOf(
  batches: AsyncIterable<readonly StoreRow[]>,
): AsyncGenerator<Day, void, void> {
  let day: Day = { date: '', rows: new Map() };
  for await (const rows of batches) {
    for (const row of rows) {
      const date = textOf(row, 'date');
      if (day.date !== date) {
        if (day.rows.size > 0) yield day;
        day = { date, rows: new Map() };
      }
      day.rows.set(countOf(row, 'lineitem_id'), row);
    }
  }
  if (day.rows.size > 0) yield day;
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
