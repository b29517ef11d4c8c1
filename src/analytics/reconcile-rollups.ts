import type { AnalyticsStore } from '../ports/analytics-store.ts';
import { integerOf, textOf } from './cells.ts';
import { addDays, startOf } from './dates.ts';
import { RECONCILE_SETTINGS } from './reconcile-records.ts';
import type { Metric } from './reconcile-wire.ts';

/** Accounts whose difference is shown; of more it is told how many there are. */
const EXAMPLES_MAX = 5;
/** `sql/0003-inventory.sql` keeps inventory for a day more. */
const INVENTORY_DAYS = 8;

/**
 * A rollup, and how its metrics are counted without it and without its views: each statement gives
 * some of them, by account. Of impressions and clicks every one counts once, however often it is
 * there, so that a doubled one shows as a difference.
 */
interface RollupCheck {
  readonly rollup: string;
  readonly day: string;
  /** What one account is, in SQL, in the rollup. */
  readonly account: string;
  readonly metrics: readonly string[];
  readonly raw: readonly string[];
}

const OF_AUCTIONS = `date = {date:Date} AND kind = 'auction' AND test = 0`;
const OF_BEACONS = `date = {date:Date} AND kind IN ('win', 'impression', 'click') AND test = 0`;

/** What beacons count, by an account made of their own columns. */
function beaconCounts(account: string, wins: string): string {
  return `SELECT ${account} AS account,
      uniqExactIf((auction_id, imp), kind = 'win' AND fd = 1) AS ${wins},
      uniqExactIf((auction_id, imp), kind = 'impression') AS impressions,
      uniqExactIf((auction_id, imp), kind = 'click') AS clicks
    FROM money WHERE ${OF_BEACONS} GROUP BY account`;
}

/** The sum of a price over impressions, each of them once. */
function impressionMoney(account: string, price: string, metric: string): string {
  return `SELECT account, sum(micros) AS ${metric} FROM (
      SELECT ${account} AS account, any(${price}) AS micros FROM money
      WHERE ${OF_BEACONS} AND kind = 'impression' GROUP BY account, auction_id, imp)
    GROUP BY account`;
}

const PARTNER = 'toString(demand_partner_id)';
const PUBLISHER = 'toString(publisher_id)';
const LINE_ITEM = `concat(toString(demand_partner_id), ' line item ', toString(lineitem_id))`;
const CALL_REASON = `concat(toString(demand_partner_id), ' line item ', toString(lineitem_id), ' ', outcome, ' ', reason)`;
const BID_REASON = `concat(toString(demand_partner_id), ' line item ', toString(lineitem_id), ' ', toString(loss_reason))`;
const EACH_BID = `ARRAY JOIN money.bids AS bid WHERE ${OF_AUCTIONS} GROUP BY account`;
const EACH_IMP = `ARRAY JOIN money.imps AS slot WHERE ${OF_AUCTIONS} GROUP BY account`;
const COUNTED_WIN = 'bid.loss_reason = 0 AND fd = 0';

const CHECKS: readonly RollupCheck[] = [
  {
    rollup: 'demand_daily',
    day: 'date',
    account: PARTNER,
    metrics: ['dsp_requests', 'bids', 'wins', 'impressions', 'clicks', 'gross_cpm_micros'],
    raw: [
      `SELECT toString(call.demand_partner_id) AS account,
         countIf(call.outcome != 'throttled') AS dsp_requests
       FROM money ARRAY JOIN money.calls AS call WHERE ${OF_AUCTIONS} GROUP BY account`,
      `SELECT toString(bid.demand_partner_id) AS account, count() AS bids,
         countIf(${COUNTED_WIN}) AS wins
       FROM money ${EACH_BID}`,
      beaconCounts(PARTNER, 'wins'),
      impressionMoney(PARTNER, 'clearing_micros', 'gross_cpm_micros'),
    ],
  },
  {
    rollup: 'supply_daily',
    day: 'date',
    account: PUBLISHER,
    metrics: [
      'requests',
      'filled_requests',
      'supply_wins',
      'impressions',
      'clicks',
      'payout_cpm_micros',
    ],
    raw: [
      `SELECT ${PUBLISHER} AS account, count() AS requests, countIf(slot.filled = 1) AS filled_requests,
         countIf(slot.filled = 1 AND fd = 0) AS supply_wins
       FROM money ${EACH_IMP}`,
      beaconCounts(PUBLISHER, 'supply_wins'),
      impressionMoney(PUBLISHER, 'payout_micros', 'payout_cpm_micros'),
    ],
  },
  {
    rollup: 'lineitem_daily',
    day: 'date',
    account: LINE_ITEM,
    metrics: [
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
      'gross_cpm_micros',
    ],
    raw: [
      `SELECT concat(toString(partner), ' line item ', toString(id)) AS account,
         countIf(outcome != 'throttled') AS dsp_requests, countIf(outcome = 'bid') AS responses,
         countIf(outcome = 'no_bid') AS no_bids, countIf(outcome = 'timeout') AS timeouts,
         countIf(outcome = 'error') AS errors, countIf(outcome = 'throttled') AS throttled
       FROM (
         SELECT call.demand_partner_id AS partner, call.outcome AS outcome,
           arrayJoin(call.lineitem_ids) AS id
         FROM money ARRAY JOIN money.calls AS call WHERE ${OF_AUCTIONS})
       GROUP BY account`,
      `SELECT concat(toString(bid.demand_partner_id), ' line item ', toString(bid.lineitem_id)) AS account,
         count() AS bids, countIf(bid.in_auction = 1) AS bids_in_auction,
         countIf(${COUNTED_WIN}) AS wins
       FROM money ${EACH_BID}`,
      beaconCounts(LINE_ITEM, 'wins'),
      impressionMoney(LINE_ITEM, 'clearing_micros', 'gross_cpm_micros'),
    ],
  },
  {
    rollup: 'inventory_hourly',
    day: 'toDate(hour)',
    account: PUBLISHER,
    metrics: ['ad_requests'],
    raw: [`SELECT ${PUBLISHER} AS account, count() AS ad_requests FROM money ${EACH_IMP}`],
  },
  {
    rollup: 'call_reasons_daily',
    day: 'date',
    account: CALL_REASON,
    metrics: ['calls'],
    raw: [
      `SELECT concat(toString(partner), ' line item ', toString(id), ' ', outcome, ' ', why) AS account,
         count() AS calls
       FROM (
         SELECT call.demand_partner_id AS partner, call.outcome AS outcome, call.reason AS why,
           arrayJoin(arrayConcat([toUInt64(0)], call.lineitem_ids)) AS id
         FROM money ARRAY JOIN money.calls AS call WHERE ${OF_AUCTIONS})
       GROUP BY account`,
    ],
  },
  {
    rollup: 'bid_reasons_daily',
    day: 'date',
    account: BID_REASON,
    metrics: ['bids', 'bids_in_auction', 'wins_to_confirm', 'priced_bids', 'bid_cpm_micros'],
    raw: [
      `SELECT concat(toString(bid.demand_partner_id), ' line item ', toString(bid.lineitem_id), ' ',
           toString(bid.loss_reason)) AS account,
         count() AS bids, countIf(bid.in_auction = 1) AS bids_in_auction,
         countIf(bid.loss_reason = 0 AND fd = 1) AS wins_to_confirm,
         countIf(bid.price_micros > 0) AS priced_bids, sum(bid.price_micros) AS bid_cpm_micros
       FROM money ${EACH_BID}`,
    ],
  },
];

/**
 * Every metric of every rollup on a day, beside the same counted in the raw records.
 *
 * @param today the current day: inventory is kept for a shorter time than raw records.
 */
export async function readMetrics(
  store: AnalyticsStore,
  date: string,
  today: string,
): Promise<Metric[]> {
  const hasInventory = startOf(date) >= startOf(addDays(today, 1 - INVENTORY_DAYS));
  const metrics: Metric[] = [];
  for (const check of CHECKS) {
    if (check.rollup === 'inventory_hourly' && !hasInventory) continue;
    const sums = check.metrics.map((metric) => `sum(${metric}) AS ${metric}`);
    const rolled = await readByAccount(store, check, date, [
      `SELECT ${check.account} AS account, ${sums.join(', ')} FROM ${check.rollup}
       WHERE ${check.day} = {date:Date} GROUP BY account`,
    ]);
    const raw = await readByAccount(store, check, date, check.raw);
    metrics.push(...check.metrics.map((metric) => compare(check.rollup, metric, raw, rolled)));
  }
  return metrics;
}

/** By account, by metric; what is not there is 0. */
type Amounts = ReadonlyMap<string, ReadonlyMap<string, bigint>>;

async function readByAccount(
  store: AnalyticsStore,
  { metrics }: RollupCheck,
  date: string,
  statements: readonly string[],
): Promise<Amounts> {
  const accounts = new Map<string, Map<string, bigint>>();
  for (const statement of statements) {
    const rows = await store.query(`${statement} ${RECONCILE_SETTINGS}`, { date });
    for (const row of rows) {
      const account = textOf(row, 'account');
      const amounts = accounts.get(account) ?? new Map<string, bigint>();
      accounts.set(account, amounts);
      for (const metric of metrics) {
        if (!(metric in row)) continue;
        amounts.set(metric, (amounts.get(metric) ?? 0n) + integerOf(row, metric));
      }
    }
  }
  return accounts;
}

function compare(rollup: string, metric: string, raw: Amounts, rolled: Amounts): Metric {
  const amountOf = (amounts: Amounts, account: string): bigint =>
    amounts.get(account)?.get(metric) ?? 0n;
  const accounts = [...new Set([...raw.keys(), ...rolled.keys()])].sort();
  const differing = accounts.filter(
    (account) => amountOf(raw, account) !== amountOf(rolled, account),
  );
  const sumOf = (amounts: Amounts): string =>
    String(accounts.reduce((sum, account) => sum + amountOf(amounts, account), 0n));
  return {
    rollup,
    metric,
    raw: sumOf(raw),
    rolled: sumOf(rolled),
    differing: differing.length,
    examples: differing.slice(0, EXAMPLES_MAX).map((account) => ({
      account,
      raw: String(amountOf(raw, account)),
      rolled: String(amountOf(rolled, account)),
    })),
  };
}
