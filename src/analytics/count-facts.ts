import type { AnalyticsStore, StoreRow } from '../ports/analytics-store.ts';
import { countOf, integerOf, textOf } from './cells.ts';
import { addDays, dateOf, startOf } from './dates.ts';
import { totalOf, type Sums, type SumsQuestion } from './sums.ts';

/**
 * What may explain that somebody else counts otherwise, of days whose raw records are kept. Counted
 * from those alone, by UTC hour and day.
 */
export interface CountFacts {
  /** By Unix time in hours; an hour without traffic is left out. */
  readonly hours: ReadonlyMap<number, Sums>;
  /** By day, YYYY-MM-DD; a day without traffic is left out. */
  readonly days: ReadonlyMap<string, DayFacts>;
}

export interface DayFacts {
  /** Of marked tests, which are counted nowhere. */
  readonly testImpressions: number;
  readonly testWins: number;
  /** Winners of auctions in which the publisher decides, and how many of those it took. */
  readonly offeredWins: number;
  readonly confirmedWins: number;
  /** Impressions and clicks of auctions of the day before, and what both come to. */
  readonly fromDayBefore: Sums;
  /** Of auctions of this day, counted on the next. */
  readonly onDayAfter: Sums;
  /** Of a partner's notices that fell due on the day. */
  readonly billing: NoticeFacts;
  readonly win: NoticeFacts;
}

/** Notices by what became of them. */
export interface NoticeFacts {
  readonly due: number;
  readonly delivered: number;
  readonly givenUp: number;
  /** Called more than once: the answer to one of the calls may have been lost. */
  readonly repeated: number;
}

const NO_NOTICES: NoticeFacts = { due: 0, delivered: 0, givenUp: 0, repeated: 0 };

const HOUR_MS = 3_600_000;
const LIMITS = 'SETTINGS max_execution_time = 30';

/** When the auction of a beacon was: ids begin with their time. What is none is of the same time. */
const SAID_MS = `toInt64(reinterpretAsUInt64(reverse(unhex(substring(auction_id, 1, 12)))))`;
const AUCTION_MS = `if(${SAID_MS} BETWEEN at_ms - 18000000 AND at_ms, ${SAID_MS}, toInt64(at_ms))`;
const AUCTION_DAY = `toDate(fromUnixTimestamp64Milli(${AUCTION_MS}, 'UTC'))`;

/** The facts of some days, both included; of a publisher nothing of notices. */
export async function readCountFacts(
  store: AnalyticsStore,
  question: SumsQuestion,
): Promise<CountFacts> {
  const [hours, notices] = await Promise.all([
    readHours(store, question),
    question.side === 'demand' ? readNotices(store, question) : [],
  ]);
  return {
    hours: new Map(hours.map((row) => [countOf(row, 'hour'), sumsOf(row, '')])),
    days: daysOf(hours, notices),
  };
}

async function readHours(
  store: AnalyticsStore,
  { side, accountId, startDate, endDate }: SumsQuestion,
): Promise<readonly StoreRow[]> {
  const isDemand = side === 'demand';
  const account = isDemand ? 'demand_partner_id' : 'publisher_id';
  const micros = isDemand ? 'clearing_micros' : 'payout_micros';
  const won = isDemand
    ? `arrayCount((partner, reason) -> partner = {account:UInt64} AND reason = 0,
        money.bids.demand_partner_id, money.bids.loss_reason)`
    : 'arrayCount(filled -> filled = 1, money.imps.filled)';
  const part = isDemand
    ? `has(money.bids.demand_partner_id, {account:UInt64})`
    : 'publisher_id = {account:UInt64}';
  const shown = `kind = 'impression' AND test = 0`;
  const clicked = `kind = 'click' AND test = 0`;
  const late = `${AUCTION_DAY} < date`;
  return store.query(
    `SELECT intDiv(at_ms, ${HOUR_MS}) AS hour,
       countIf(${shown}) AS impressions, countIf(${clicked}) AS clicks,
       sumIf(${won}, kind = 'auction' AND fd = 0 AND test = 0)
         + countIf(kind = 'win' AND fd = 1 AND test = 0) AS wins,
       toString(sumIf(${micros}, ${shown})) AS cpm_micros,
       countIf(kind = 'impression' AND test = 1) AS test_impressions,
       sumIf(${won}, kind = 'auction' AND test = 1) AS test_wins,
       sumIf(${won}, kind = 'auction' AND fd = 1 AND test = 0) AS offered_wins,
       countIf(kind = 'win' AND fd = 1 AND test = 0) AS confirmed_wins,
       countIf(${shown} AND ${late}) AS late_impressions,
       countIf(${clicked} AND ${late}) AS late_clicks,
       countIf(kind = 'win' AND fd = 1 AND test = 0 AND ${late}) AS late_wins,
       toString(sumIf(${micros}, ${shown} AND ${late})) AS late_cpm_micros,
       countIf(${shown} AND notice_url != '') AS billing_due,
       countIf(kind = 'win' AND test = 0 AND notice_url != '')
         + sumIf(arrayCount((event, partner) -> event = 'win' AND partner = {account:UInt64},
           money.notices.event, money.notices.demand_partner_id), kind = 'auction') AS win_due
     FROM money
     WHERE date BETWEEN {start:Date} AND {end:Date}
       AND ((kind = 'auction' AND ${part})
         OR (kind IN ('win', 'impression', 'click') AND ${account} = {account:UInt64}))
     GROUP BY hour ORDER BY hour ${LIMITS}`,
    { account: accountId, start: startDate, end: endDate },
  );
}

/** By the day on which they fell due; what became of them may be on record a day later. */
async function readNotices(
  store: AnalyticsStore,
  { accountId, startDate, endDate }: SumsQuestion,
): Promise<readonly StoreRow[]> {
  return store.query(
    `SELECT day, event, countIf(times > 0) AS delivered,
       countIf(times = 0) AS given_up, countIf(times > 1 OR most_tries > 1) AS repeated
     FROM (
       SELECT toDate(fromUnixTimestamp64Milli(toInt64(delivery.due_ms), 'UTC')) AS day,
         delivery.event AS event, delivery.auction_id AS auction, delivery.imp AS slot,
         countIf(delivery.outcome = 'delivered') AS times,
         maxIf(delivery.tries, delivery.outcome = 'delivered') AS most_tries
       FROM money ARRAY JOIN money.deliveries AS delivery
       WHERE money.date BETWEEN {start:Date} AND {last:Date} AND money.publisher_id = 0
         AND kind = 'delivery' AND delivery.demand_partner_id = {account:UInt64}
       GROUP BY day, event, auction, slot)
     WHERE day BETWEEN {start:Date} AND {end:Date}
     GROUP BY day, event ${LIMITS}`,
    { account: accountId, start: startDate, end: endDate, last: addDays(endDate, 1) },
  );
}

function daysOf(
  hours: readonly StoreRow[],
  notices: readonly StoreRow[],
): ReadonlyMap<string, DayFacts> {
  const byDay = Map.groupBy(hours, (row) => dateOf(countOf(row, 'hour') * HOUR_MS));
  const late = (date: string): Sums => lateSums(byDay.get(date) ?? []);
  const days = new Map<string, DayFacts>();
  for (const [date, rows] of byDay) {
    const sum = (column: string): number =>
      rows.reduce((total, row) => total + countOf(row, column), 0);
    const told = (event: string, due: number): NoticeFacts => {
      const row = notices.find(
        (each) => textOf(each, 'day') === date && textOf(each, 'event') === event,
      );
      if (row === undefined) return { ...NO_NOTICES, due };
      return {
        due,
        delivered: countOf(row, 'delivered'),
        givenUp: countOf(row, 'given_up'),
        repeated: countOf(row, 'repeated'),
      };
    };
    days.set(date, {
      testImpressions: sum('test_impressions'),
      testWins: sum('test_wins'),
      offeredWins: sum('offered_wins'),
      confirmedWins: sum('confirmed_wins'),
      fromDayBefore: late(date),
      onDayAfter: late(dateOf(startOf(date) + 24 * HOUR_MS)),
      billing: told('billing', sum('billing_due')),
      win: told('win', sum('win_due')),
    });
  }
  return days;
}

function lateSums(rows: readonly StoreRow[]): Sums {
  return totalOf(rows.map((row) => sumsOf(row, 'late_')));
}

function sumsOf(row: StoreRow, prefix: '' | 'late_'): Sums {
  return {
    impressions: countOf(row, `${prefix}impressions`),
    clicks: countOf(row, `${prefix}clicks`),
    wins: countOf(row, `${prefix}wins`),
    cpmMicros: integerOf(row, `${prefix}cpm_micros`),
  };
}
