import type { AnalyticsStore, StoreRow } from '../ports/analytics-store.ts';
import { countOf, integerOf, textOf } from './cells.ts';
import { dollarsOf } from './revenue.ts';

/** What the demand report can be grouped by (reporting API, section 2, "Dimensions"). */
export const DEMAND_DIMENSIONS = [
  'date',
  'ad_format',
  'app_bundle',
  'app_site_domain',
  'country_code',
  'interstitial',
  'platform',
  'rewarded',
] as const;

export const SUPPLY_DIMENSIONS = [...DEMAND_DIMENSIONS, 'os', 'zone_id'] as const;

export type DemandDimension = (typeof DEMAND_DIMENSIONS)[number];
export type SupplyDimension = (typeof SUPPLY_DIMENSIONS)[number];

/** What of which account is asked for; the caller has checked the dates against the window. */
export interface ReportQuestion<Dimension> {
  /** A demand partner's id, or a publisher's. */
  readonly accountId: number;
  /** Both included, YYYY-MM-DD. */
  readonly startDate: string;
  readonly endDate: string;
  /** In the order of the columns; at least one, none twice. */
  readonly groupBy: readonly Dimension[];
}

/** The groups that there are; a group of nothing has no row. */
export interface Report {
  /** The dimensions as asked for, then the metrics: the keys of every row, in this order. */
  readonly columns: readonly string[];
  readonly rows: readonly ReportRow[];
}

export type ReportRow = Readonly<Record<string, string | number | boolean>>;

interface Definition {
  readonly table: string;
  readonly account: string;
  readonly dimensions: readonly string[];
  readonly metrics: readonly Metric[];
}

interface Metric {
  readonly name: string;
  /** The summed column, where it has another name: money, which is divided for the report. */
  readonly cpmMicros?: string;
  /** Left out of a report that is not by date. */
  readonly byDateOnly?: true;
}

const DEMAND: Definition = {
  table: 'demand_daily',
  account: 'demand_partner_id',
  dimensions: DEMAND_DIMENSIONS,
  metrics: [
    { name: 'gross_revenue', cpmMicros: 'gross_cpm_micros' },
    { name: 'impressions' },
    { name: 'bids' },
    { name: 'clicks' },
    { name: 'dsp_requests' },
    { name: 'wins' },
  ],
};

const SUPPLY: Definition = {
  table: 'supply_daily',
  account: 'publisher_id',
  dimensions: SUPPLY_DIMENSIONS,
  metrics: [
    { name: 'impressions' },
    { name: 'payout', cpmMicros: 'payout_cpm_micros' },
    { name: 'clicks' },
    { name: 'filled_requests', byDateOnly: true },
    { name: 'requests', byDateOnly: true },
    { name: 'supply_wins', byDateOnly: true },
  ],
};

/** A report that takes longer than this is a fault; it must not hold the store's threads. */
export const QUERY_LIMITS = 'SETTINGS max_execution_time = 10';

/**
 * The demand report of one partner: by date, then by the other dimensions.
 *
 * @throws TypeError for a dimension that the report does not have: the caller has checked them.
 */
export function readDemandReport(
  store: AnalyticsStore,
  question: ReportQuestion<DemandDimension>,
): Promise<Report> {
  return readReport(store, DEMAND, question);
}

/** The supply report of one publisher; without `date` it has impressions, payout and clicks only. */
export function readSupplyReport(
  store: AnalyticsStore,
  question: ReportQuestion<SupplyDimension>,
): Promise<Report> {
  return readReport(store, SUPPLY, question);
}

async function readReport(
  store: AnalyticsStore,
  report: Definition,
  { accountId, startDate, endDate, groupBy }: ReportQuestion<string>,
): Promise<Report> {
  assertDimensions(report, groupBy);
  const metrics = report.metrics.filter(
    ({ byDateOnly }) => !byDateOnly || groupBy.includes('date'),
  );
  const sums = metrics.map(
    ({ name, cpmMicros }) => `toString(sum(${cpmMicros ?? name})) AS ${name}`,
  );
  // Only names from the tables above become part of the text; what was asked for is bound.
  const rows = await store.query(
    `SELECT ${[...groupBy, ...sums].join(', ')} FROM ${report.table}
     WHERE ${report.account} = {account:UInt64} AND date BETWEEN {start:Date} AND {end:Date}
     GROUP BY ${groupBy.join(', ')} ORDER BY ${orderOf(groupBy).join(', ')} ${QUERY_LIMITS}`,
    { account: accountId, start: startDate, end: endDate },
  );
  return {
    columns: [...groupBy, ...metrics.map(({ name }) => name)],
    rows: rows.map((row) => {
      const cells = groupBy.map((name) => [name, dimensionOf(row, name)] as const);
      const amounts = metrics.map((metric) => [metric.name, amountOf(row, metric)] as const);
      return Object.fromEntries([...cells, ...amounts]);
    }),
  };
}

function assertDimensions(report: Definition, groupBy: readonly string[]): void {
  const valid = groupBy.every((name) => report.dimensions.includes(name));
  if (valid && groupBy.length > 0 && new Set(groupBy).size === groupBy.length) return;
  throw new TypeError(`${report.table} is not grouped by "${groupBy.join(',')}".`);
}

/** By date first, wherever it stands. */
function orderOf(groupBy: readonly string[]): readonly string[] {
  return groupBy.includes('date')
    ? ['date', ...groupBy.filter((name) => name !== 'date')]
    : groupBy;
}

/** As the reporting API types it: `interstitial` and `zone_id` are numbers, `rewarded` a boolean. */
function dimensionOf(row: StoreRow, name: string): string | number | boolean {
  if (name === 'interstitial' || name === 'zone_id') return countOf(row, name);
  if (name === 'rewarded') return countOf(row, name) === 1;
  return textOf(row, name);
}

function amountOf(row: StoreRow, { name, cpmMicros }: Metric): number {
  return cpmMicros === undefined ? countOf(row, name) : dollarsOf(integerOf(row, name));
}
