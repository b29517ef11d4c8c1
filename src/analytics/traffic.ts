import type { AnalyticsStore, StoreRow } from '../ports/analytics-store.ts';
import { countOf, integerOf, textOf } from './cells.ts';
import type { Latencies } from './latencies.ts';
import { QUERY_LIMITS } from './report.ts';

/** Ten seconds: what live figures are counted in, see `sql/0005-traffic.sql`. */
export const TRAFFIC_STEP_S = 10;

/** Whose live figures of which time are asked for. */
export interface TrafficQuestion {
  /** The whole exchange is all publishers together. */
  readonly account:
    | { readonly side: 'exchange' }
    | { readonly side: 'publisher' | 'demand_partner'; readonly id: number };
  /** Unix time in seconds, multiples of the step; the end is not included. */
  readonly fromS: number;
  readonly toS: number;
  /** A multiple of ten. */
  readonly stepS: number;
}

const COUNTS = [
  'ad_requests',
  'filled_requests',
  'bid_requests',
  'responses',
  'no_bids',
  'timeouts',
  'errors',
  'throttled',
  'bids',
  'wins',
  'impressions',
  'clicks',
] as const;

/** What went on in a time; 0 where nothing did. */
export interface TrafficSums extends Readonly<Record<(typeof COUNTS)[number], number>> {
  /** Micro-dollars CPM, summed over impressions. */
  readonly grossCpmMicros: bigint;
  readonly payoutCpmMicros: bigint;
  /** Of answers, with bids or without. */
  readonly latencies: Latencies;
}

/** The figures of one demand partner's bidder, in ten seconds or more. */
export interface BidderSums extends TrafficSums {
  /** Calls with a reason, by their outcome and it: `error http_500`, `throttled bidder_qps`. */
  readonly reasons: ReadonlyMap<string, number>;
}

export const NO_TRAFFIC: TrafficSums = {
  ad_requests: 0,
  filled_requests: 0,
  bid_requests: 0,
  responses: 0,
  no_bids: 0,
  timeouts: 0,
  errors: 0,
  throttled: 0,
  bids: 0,
  wins: 0,
  impressions: 0,
  clicks: 0,
  grossCpmMicros: 0n,
  payoutCpmMicros: 0n,
  latencies: new Map(),
};

const MONEY = ['gross_cpm_micros', 'payout_cpm_micros'];
const SUMS = [
  ...[...COUNTS, ...MONEY].map((name) => `toString(sum(${name})) AS ${name}`),
  // Numbers as text: what an integer of 64 bits is read as is a matter of the store.
  `sumMap(latenciesMap.step, latenciesMap.calls) AS latencies`,
  `arrayStringConcat(latencies.1, ' ') AS latency_steps`,
  `arrayStringConcat(latencies.2, ' ') AS latency_calls`,
].join(', ');

/** The live figures of each step, by its begin in Unix seconds; steps of nothing are left out. */
export async function readTraffic(
  store: AnalyticsStore,
  { account, fromS, toS, stepS }: TrafficQuestion,
): Promise<ReadonlyMap<number, TrafficSums>> {
  const isExchange = account.side === 'exchange';
  const rows = await store.query(
    `SELECT toString(intDiv(toUnixTimestamp(step), {length:UInt32}) * {length:UInt32}) AS begin, ${SUMS}
     FROM traffic_10s
     WHERE side = {side:String} ${isExchange ? '' : 'AND account_id = {account:UInt64}'}
       AND step >= toDateTime({from:UInt32}, 'UTC') AND step < toDateTime({to:UInt32}, 'UTC')
     GROUP BY begin ${QUERY_LIMITS}`,
    {
      length: stepS,
      side: isExchange ? 'publisher' : account.side,
      ...(isExchange ? {} : { account: account.id }),
      from: fromS,
      to: toS,
    },
  );
  return new Map(rows.map((row) => [countOf(row, 'begin'), trafficOf(row)]));
}

/**
 * How bidders did in each ten seconds of a time: by demand partner, and then by the begin of the ten
 * seconds in Unix seconds. Those without any traffic are left out.
 */
export async function readBidderSums(
  store: AnalyticsStore,
  { fromS, toS }: Pick<TrafficQuestion, 'fromS' | 'toS'>,
): Promise<BidderSteps> {
  const rows = await store.query(
    `SELECT toString(account_id) AS account, toString(toUnixTimestamp(step)) AS begin, ${SUMS},
       sumMap(reasonsMap.reason, reasonsMap.calls) AS of_reasons,
       arrayStringConcat(of_reasons.1, '\n') AS reasons,
       arrayStringConcat(of_reasons.2, ' ') AS reason_calls
     FROM traffic_10s
     WHERE side = 'demand_partner'
       AND step >= toDateTime({from:UInt32}, 'UTC') AND step < toDateTime({to:UInt32}, 'UTC')
     GROUP BY account, begin ${QUERY_LIMITS}`,
    { from: fromS, to: toS },
  );
  const partners = new Map<number, Map<number, BidderSums>>();
  for (const row of rows) {
    const id = countOf(row, 'account');
    const steps = partners.get(id) ?? new Map<number, BidderSums>();
    partners.set(id, steps.set(countOf(row, 'begin'), bidderOf(row)));
  }
  return partners;
}

export type BidderSteps = ReadonlyMap<number, ReadonlyMap<number, BidderSums>>;

/** Whether anything goes on: ad requests of a time, of its last part, and how many of those were sold. */
export interface Pulse {
  readonly requests: number;
  readonly recentRequests: number;
  readonly recentFilled: number;
}

/** @param recentFromS where the last part begins, in Unix seconds. */
export async function readPulse(
  store: AnalyticsStore,
  { fromS, recentFromS }: { readonly fromS: number; readonly recentFromS: number },
): Promise<Pulse> {
  const [row] = await store.query(
    `SELECT toString(sum(ad_requests)) AS requests,
       toString(sumIf(ad_requests, step >= toDateTime({recent:UInt32}, 'UTC'))) AS recent_requests,
       toString(sumIf(filled_requests, step >= toDateTime({recent:UInt32}, 'UTC'))) AS recent_filled
     FROM traffic_10s
     WHERE side = 'publisher' AND step >= toDateTime({from:UInt32}, 'UTC') ${QUERY_LIMITS}`,
    { from: fromS, recent: recentFromS },
  );
  const count = (column: string): number => (row === undefined ? 0 : countOf(row, column));
  return {
    requests: count('requests'),
    recentRequests: count('recent_requests'),
    recentFilled: count('recent_filled'),
  };
}

function trafficOf(row: StoreRow): TrafficSums {
  const steps = numbersOf(row, 'latency_steps');
  const calls = numbersOf(row, 'latency_calls');
  return {
    ad_requests: countOf(row, 'ad_requests'),
    filled_requests: countOf(row, 'filled_requests'),
    bid_requests: countOf(row, 'bid_requests'),
    responses: countOf(row, 'responses'),
    no_bids: countOf(row, 'no_bids'),
    timeouts: countOf(row, 'timeouts'),
    errors: countOf(row, 'errors'),
    throttled: countOf(row, 'throttled'),
    bids: countOf(row, 'bids'),
    wins: countOf(row, 'wins'),
    impressions: countOf(row, 'impressions'),
    clicks: countOf(row, 'clicks'),
    grossCpmMicros: integerOf(row, 'gross_cpm_micros'),
    payoutCpmMicros: integerOf(row, 'payout_cpm_micros'),
    latencies: new Map(steps.map((step, index) => [step, calls[index] ?? 0])),
  };
}

/** Reasons are our own words, or codes: no line break is in them. */
function bidderOf(row: StoreRow): BidderSums {
  const calls = numbersOf(row, 'reason_calls');
  const reasons = textOf(row, 'reasons').split('\n');
  return {
    ...trafficOf(row),
    reasons: new Map(calls.map((count, index) => [reasons[index] ?? '', count])),
  };
}

function numbersOf(row: StoreRow, column: string): number[] {
  const text = textOf(row, column);
  return text === '' ? [] : text.split(' ').map(Number);
}

/** Two times together. */
export function addTraffic(one: TrafficSums, other: TrafficSums): TrafficSums {
  return {
    ad_requests: one.ad_requests + other.ad_requests,
    filled_requests: one.filled_requests + other.filled_requests,
    bid_requests: one.bid_requests + other.bid_requests,
    responses: one.responses + other.responses,
    no_bids: one.no_bids + other.no_bids,
    timeouts: one.timeouts + other.timeouts,
    errors: one.errors + other.errors,
    throttled: one.throttled + other.throttled,
    bids: one.bids + other.bids,
    wins: one.wins + other.wins,
    impressions: one.impressions + other.impressions,
    clicks: one.clicks + other.clicks,
    grossCpmMicros: one.grossCpmMicros + other.grossCpmMicros,
    payoutCpmMicros: one.payoutCpmMicros + other.payoutCpmMicros,
    latencies: addCounts(one.latencies, other.latencies),
  };
}

/** The same of a bidder. */
export function addBidder(one: BidderSums, other: BidderSums): BidderSums {
  return { ...addTraffic(one, other), reasons: addCounts(one.reasons, other.reasons) };
}

function addCounts<Key>(
  one: ReadonlyMap<Key, number>,
  other: ReadonlyMap<Key, number>,
): ReadonlyMap<Key, number> {
  const both = new Map(one);
  for (const [key, calls] of other) both.set(key, (both.get(key) ?? 0) + calls);
  return both;
}
