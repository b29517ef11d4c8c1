import type { AnalyticsStore, StoreRow } from '../ports/analytics-store.ts';
import { countOf, integerOf, textOf } from './cells.ts';
import { QUERY_LIMITS } from './report.ts';

/** Whose sums are asked for, of which days: both included, YYYY-MM-DD. */
export interface SumsQuestion {
  readonly side: 'demand' | 'supply';
  /** A demand partner's id, or a publisher's. */
  readonly accountId: number;
  readonly startDate: string;
  readonly endDate: string;
}

/** What is paid for, and what it comes to. */
export interface Sums {
  readonly impressions: number;
  readonly clicks: number;
  readonly wins: number;
  /** What a partner pays or a publisher gets: micro-dollars CPM, summed over impressions. */
  readonly cpmMicros: bigint;
}

/** Sums of one day, YYYY-MM-DD, or of one line item or ad space by its id. */
export interface DaySums extends Sums {
  readonly date: string;
}
export interface IdSums extends Sums {
  readonly id: number;
}

export const NO_SUMS: Sums = { impressions: 0, clicks: 0, wins: 0, cpmMicros: 0n };

const DEMAND_SUMS = `toString(sum(impressions)) AS impressions, toString(sum(clicks)) AS clicks,
  toString(sum(wins)) AS wins, toString(sum(gross_cpm_micros)) AS cpm_micros`;
const SUPPLY_SUMS = `toString(sum(impressions)) AS impressions, toString(sum(clicks)) AS clicks,
  toString(sum(supply_wins)) AS wins, toString(sum(payout_cpm_micros)) AS cpm_micros`;

/** What the reports by day are made of, undivided; days without traffic are left out. */
export async function readDaySums(
  store: AnalyticsStore,
  question: SumsQuestion,
): Promise<readonly DaySums[]> {
  const [sums, from] =
    question.side === 'demand'
      ? [DEMAND_SUMS, 'demand_daily WHERE demand_partner_id = {account:UInt64}']
      : [SUPPLY_SUMS, 'supply_daily WHERE publisher_id = {account:UInt64}'];
  const rows = await store.query(
    `SELECT date, ${sums} FROM ${from} AND date BETWEEN {start:Date} AND {end:Date}
     GROUP BY date ORDER BY date ${QUERY_LIMITS}`,
    parametersOf(question),
  );
  return rows.map((row) => daySumsOf(row));
}

/** The same of the whole time, by line item of a partner or ad space of a publisher. */
export async function readIdSums(
  store: AnalyticsStore,
  question: SumsQuestion,
): Promise<readonly IdSums[]> {
  const [sums, from] =
    question.side === 'demand'
      ? [
          `lineitem_id AS id, ${DEMAND_SUMS}`,
          'lineitem_daily WHERE demand_partner_id = {account:UInt64}',
        ]
      : [`zone_id AS id, ${SUPPLY_SUMS}`, 'supply_daily WHERE publisher_id = {account:UInt64}'];
  const rows = await store.query(
    `SELECT ${sums} FROM ${from} AND date BETWEEN {start:Date} AND {end:Date}
     GROUP BY id ORDER BY id ${QUERY_LIMITS}`,
    parametersOf(question),
  );
  const all = rows.map((row) => idSumsOf(row));
  // Line items that only were asked, and ad spaces that sold nothing, are on no statement.
  return all.filter(({ impressions, clicks, wins }) => impressions + clicks + wins > 0);
}

/** All of them together. */
export function totalOf(all: readonly Sums[]): Sums {
  return all.reduce(
    (total, each): Sums => ({
      impressions: total.impressions + each.impressions,
      clicks: total.clicks + each.clicks,
      wins: total.wins + each.wins,
      cpmMicros: total.cpmMicros + each.cpmMicros,
    }),
    NO_SUMS,
  );
}

function parametersOf({ accountId, startDate, endDate }: SumsQuestion) {
  return { account: accountId, start: startDate, end: endDate };
}

function daySumsOf(row: StoreRow): DaySums {
  return { date: textOf(row, 'date'), ...sumsOf(row) };
}

function idSumsOf(row: StoreRow): IdSums {
  return { id: countOf(row, 'id'), ...sumsOf(row) };
}

function sumsOf(row: StoreRow): Sums {
  return {
    impressions: countOf(row, 'impressions'),
    clicks: countOf(row, 'clicks'),
    wins: countOf(row, 'wins'),
    cpmMicros: integerOf(row, 'cpm_micros'),
  };
}
