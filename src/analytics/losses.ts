import { MICROS_PER_DOLLAR } from '../base/money.ts';
import type { AnalyticsStore, StoreRow } from '../ports/analytics-store.ts';
import { countOf, integerOf, textOf } from './cells.ts';
import { QUERY_LIMITS } from './report.ts';

export interface LossQuestion {
  readonly demandPartnerId: number;
  /** Both included, YYYY-MM-DD. */
  readonly startDate: string;
  readonly endDate: string;
  /** What is null is not asked for. */
  readonly lineItemId: number | null;
  readonly publisherId: number | null;
  readonly seat: string | null;
}

/** What became of the bids of some days. */
export interface LossSums {
  readonly reasons: readonly LossSum[];
  /**
   * As the funnel and KPIs count them: where the publisher decides, when a beacon has confirmed the win.
   * Confirmations tell neither publisher nor seat: null where one is asked for and has such wins.
   */
  readonly wins: number | null;
}

/** The bids of one loss reason; 0 are those that came first. */
export interface LossSum {
  readonly lossReason: number;
  readonly bids: number;
  /** US dollars CPM, of the bids that had a price; null where none had. */
  readonly bidCpm: number | null;
  /** Of those whose record tells it: see `sql/0004-reasons.sql`. */
  readonly shortfallCpm: number | null;
  /** Creatives and their advertisers, those first that stand for the most bids. */
  readonly examples: readonly { readonly crid: string; readonly adomain: string }[];
  /** Of the last day with such bids. */
  readonly exampleAuctionId: string;
  readonly lastDate: string;
}

const EXAMPLES_MAX = 3;

/** What became of the bids of some days, by reason, the most frequent first. */
export async function readLosses(store: AnalyticsStore, question: LossQuestion): Promise<LossSums> {
  const { lineItemId, publisherId, seat } = question;
  const ofLineItems = [
    'demand_partner_id = {partner:UInt64}',
    'date BETWEEN {start:Date} AND {end:Date}',
    ...(lineItemId === null ? [] : ['lineitem_id = {item:UInt64}']),
  ];
  const conditions = [
    ...ofLineItems,
    ...(publisherId === null ? [] : ['publisher_id = {publisher:UInt64}']),
    ...(seat === null ? [] : ['seat = {seat:String}']),
  ];
  const parameters = {
    partner: question.demandPartnerId,
    start: question.startDate,
    end: question.endDate,
    item: lineItemId ?? 0,
    publisher: publisherId ?? 0,
    seat: seat ?? '',
  };
  const rows = await store.query(
    `SELECT toString(loss_reason) AS code, toString(sum(bids)) AS counted,
       toString(sum(priced_bids)) AS priced, toString(sum(bid_cpm_micros)) AS bid_micros,
       toString(sum(short_bids)) AS short, toString(sum(short_cpm_micros)) AS short_micros,
       topKWeighted(${EXAMPLES_MAX})((example_crid, example_adomain), bids) AS examples,
       toString(sum(wins_to_confirm)) AS to_confirm,
       argMax(example_auction_id, (date, bids)) AS auction, toString(max(date)) AS last
     FROM bid_reasons_daily WHERE ${conditions.join(' AND ')}
     GROUP BY loss_reason ORDER BY sum(bids) DESC, loss_reason ${QUERY_LIMITS}`,
    parameters,
  );
  const sums = rows.map((row) => ({
    lossReason: countOf(row, 'code'),
    bids: countOf(row, 'counted'),
    bidCpm: averageOf(row, 'bid_micros', 'priced'),
    shortfallCpm: averageOf(row, 'short_micros', 'short'),
    examples: examplesOf(row['examples']),
    exampleAuctionId: textOf(row, 'auction'),
    lastDate: textOf(row, 'last'),
  }));
  const sumOf = (column: string): number =>
    rows.reduce((sum, row) => sum + countOf(row, column), 0);
  if (publisherId !== null || seat !== null) {
    const cameFirst = sums.find(({ lossReason }) => lossReason === 0)?.bids ?? 0;
    return { reasons: sums, wins: sumOf('to_confirm') > 0 ? null : cameFirst };
  }
  const [counted] = await store.query(
    `SELECT toString(sum(wins)) AS won FROM lineitem_daily
     WHERE ${ofLineItems.join(' AND ')} ${QUERY_LIMITS}`,
    parameters,
  );
  return { reasons: sums, wins: counted === undefined ? 0 : countOf(counted, 'won') };
}

/** To the micro-dollar: sums can outgrow the integers of a double. */
function averageOf(row: StoreRow, sum: string, count: string): number | null {
  const divisor = integerOf(row, count);
  return divisor === 0n ? null : Number(integerOf(row, sum) / divisor) / MICROS_PER_DOLLAR;
}

function examplesOf(pairs: unknown): LossSum['examples'] {
  if (!Array.isArray(pairs)) throw new TypeError('The store gave no list of examples.');
  return pairs.map((pair: unknown) => {
    const [crid, adomain] = Array.isArray(pair) ? pair : [];
    return { crid: String(crid), adomain: String(adomain) };
  });
}
