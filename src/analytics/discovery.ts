import type { AnalyticsStore } from '../ports/analytics-store.ts';
import type { Targeting } from '../resources/targeting.ts';
import { countOf, textOf } from './cells.ts';
import { addDays, dateOf, eachDate, startOf } from './dates.ts';
import { QUERY_LIMITS } from './report.ts';
import { targetingSql, type TargetingCondition } from './targeting-sql.ts';

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
const HOURS = 24;
const WITHIN = 'toDate(hour) BETWEEN {first:Date} AND {today:Date}';
const HOUR_S = 3_600;
const DAY_S = 86_400;
/** The columns of the projections of `sql/0003-inventory.sql`. */
const PROJECTIONS: readonly ReadonlySet<string>[] = [
  'publisher_id zone_id app_bundle app_site_domain categories ad_format sizes interstitial rewarded ' +
    'secure country_code platform os',
  'country_code has_location platform os language connectiontype secure',
].map((columns) => new Set(columns.split(' ')));
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
  const condition = targetingSql(targeting, WITHIN);
  const isSummedUp = PROJECTIONS.some((columns) =>
    condition.columns.every((column) => columns.has(column)),
  );
  const rows = await store.query(isSummedUp ? summedUpSql(condition) : everyRowSql(condition), {
    ...condition.parameters,
    first,
    today,
  });
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

/**
 * By the sums that the projections have, in the very words of their definition: ClickHouse takes the
 * smallest of them that has all columns, and the table itself where a part is still without them.
 */
function summedUpSql({ sql }: TargetingCondition): string {
  const hours = Array.from(
    { length: HOURS },
    (_, hour) => `sum(hoursMap.ad_requests[indexOf(hoursMap.hour, ${hour})])`,
  );
  return `SELECT toString(day) AS date,
      toString(arraySum(hours)) AS ad_requests, toString(arrayMax(hours)) AS peak
    FROM (
      SELECT toDate(hour) AS day, [${hours.join(', ')}] AS hours
      FROM inventory_hourly
      WHERE ${WITHIN} AND ${sql}
      GROUP BY day
    ) ${QUERY_LIMITS}`;
}

/**
 * By every combination, with the hours of those alone that are allowed. The hours of a week as one
 * byte: such a key needs no hashing. A partition is a day, whose value is worked out once for all of
 * its rows.
 */
function everyRowSql({ sql }: TargetingCondition): string {
  return `SELECT toString({first:Date} + intDiv(place, ${HOURS})) AS date,
      toString(sum(of_hour)) AS ad_requests, toString(max(of_hour)) AS peak
    FROM (
      SELECT place, sum(requests) AS of_hour
      FROM (
        SELECT requests,
          toUInt8(toUInt8(${HOURS} * (_partition_value.1 - {first:Date})) + of_day) AS place
        FROM inventory_hourly
        ARRAY JOIN hoursMap.hour AS of_day, hoursMap.ad_requests AS requests
        WHERE ${WITHIN} AND ${sql}
      )
      GROUP BY place
    )
    GROUP BY date ${QUERY_LIMITS}`;
}

function trafficOf(requests: number, lengthS: number, peak: number): Traffic {
  return { ad_requests: requests, qps_avg: requests / lengthS, qps_peak: peak };
}
