import type { AnalyticsStore } from '../ports/analytics-store.ts';
import type { Targeting } from '../snapshot/targeting.ts';
import { countOf, textOf } from './cells.ts';
import { addDays, dateOf, eachDate, startOf } from './dates.ts';
import { QUERY_LIMITS } from './report.ts';
import { targetingSql } from './targeting-sql.ts';

/** Ad requests over a time, and per second of it. The peak is the mean of the busiest hour. */
export interface Traffic {
  readonly ad_requests: number;
  readonly qps_avg: number;
  readonly qps_peak: number;
}

export interface Discovery {
  /** The seven UTC days that end today, the oldest first. */
  readonly days: readonly DayTraffic[];
  readonly total: Traffic;
}

export interface DayTraffic extends Traffic {
  readonly date: string;
  /** False for today, whose average is over the time that has passed of it. */
  readonly complete: boolean;
}

const DAYS = 7;
const WITHIN = 'toDate(hour) BETWEEN {first:Date} AND {today:Date}';
const HOUR_S = 3_600;
const DAY_S = 86_400;
/** Averages of the first moments of a day would be of nothing. */
const ELAPSED_MIN_S = 1;

/**
 * The ad requests of the past week that a targeting object allows.
 *
 * @param nowMs Unix time in milliseconds.
 */
export async function readDiscovery(
  store: AnalyticsStore,
  targeting: Targeting,
  nowMs: number,
): Promise<Discovery> {
  const today = dateOf(nowMs);
  const first = addDays(today, 1 - DAYS);
  const { sql, parameters } = targetingSql(targeting, WITHIN);
  const rows = await store.query(
    `SELECT date, toString(sum(of_hour)) AS ad_requests, toString(max(of_hour)) AS peak
     FROM (
       SELECT toDate(hour) AS date, hour, sum(ad_requests) AS of_hour FROM inventory_hourly
       WHERE ${WITHIN} AND ${sql}
       GROUP BY hour
     )
     GROUP BY date ${QUERY_LIMITS}`,
    { ...parameters, first, today },
  );
  const found = new Map(rows.map((row) => [textOf(row, 'date'), row]));
  const elapsedS = Math.max(ELAPSED_MIN_S, (nowMs - startOf(today)) / 1000);
  const days = eachDate(first, today).map((date) => {
    const row = found.get(date);
    const requests = row === undefined ? 0 : countOf(row, 'ad_requests');
    const peak = row === undefined ? 0 : countOf(row, 'peak');
    const lengthS = date === today ? elapsedS : DAY_S;
    const traffic = trafficOf(requests, lengthS, peak / HOUR_S);
    return Object.assign(traffic, { date, complete: date !== today });
  });
  const requests = days.reduce((sum, day) => sum + day.ad_requests, 0);
  const peak = Math.max(...days.map(({ qps_peak }) => qps_peak));
  return { days, total: trafficOf(requests, (DAYS - 1) * DAY_S + elapsedS, peak) };
}

function trafficOf(requests: number, lengthS: number, peak: number): Traffic {
  return { ad_requests: requests, qps_avg: requests / lengthS, qps_peak: peak };
}
