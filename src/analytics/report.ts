import type { AnalyticsStore, StoreRow } from '../ports/analytics-store.ts';
import { countOf, integerOf, textOf } from './cells.ts';
import { startOf } from './dates.ts';
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

/** The groups that there are; a group of nothing has no row. What is not read is never asked for. */
export interface Report {
  /** The dimensions as asked for, then the metrics: the keys of every row, in this order. */
  readonly columns: readonly string[];
  readonly rows: AsyncIterable<readonly ReportRow[]>;
}

export type ReportRow = Readonly<Record<string, string | number | boolean>>;

interface Definition {
  readonly table: string;
  readonly account: string;
  readonly dimensions: readonly string[];
  readonly metrics: readonly Metric[];
}

/** A column of sums. */
interface Metric {
  readonly name: string;
  /** The summed column, where it has another name: money, which is divided for the report. */
  readonly cpmMicros?: string;
  /** Left out of a report that is not by date. */
  readonly byDateOnly?: true;
}

/** The metrics of the demand report, in the order of their columns. */
export const DEMAND_METRICS = [
  { name: 'gross_revenue', cpmMicros: 'gross_cpm_micros' },
  { name: 'impressions' },
  { name: 'bids' },
  { name: 'clicks' },
  { name: 'dsp_requests' },
  { name: 'wins' },
] as const satisfies readonly Metric[];

export const SUPPLY_METRICS = [
  { name: 'impressions' },
  { name: 'payout', cpmMicros: 'payout_cpm_micros' },
  { name: 'clicks' },
  { name: 'filled_requests', byDateOnly: true },
  { name: 'requests', byDateOnly: true },
  { name: 'supply_wins', byDateOnly: true },
] as const satisfies readonly Metric[];

const DEMAND: Definition = {
  table: 'demand_daily',
  account: 'demand_partner_id',
  dimensions: DEMAND_DIMENSIONS,
  metrics: DEMAND_METRICS,
};

const SUPPLY: Definition = {
  table: 'supply_daily',
  account: 'publisher_id',
  dimensions: SUPPLY_DIMENSIONS,
  metrics: SUPPLY_METRICS,
};

/** A query that takes longer than this is a fault; it must not hold the store's threads. */
export const QUERY_LIMITS = 'SETTINGS max_execution_time = 10';

/**
 * A report of everything together has as many rows as its rollup: groups and their order go to the
 * disk beyond 64 MB, and rows come in small blocks. The time is that of the slowest reader, since it
 * runs while nobody asks for rows as well.
 */
export const STREAM_LIMITS = [
  'max_execution_time = 600',
  'max_block_size = 4096',
  'max_bytes_before_external_group_by = 64000000',
  'max_bytes_before_external_sort = 64000000',
  // Else they give way only when the machine's memory is short.
  'max_bytes_ratio_before_external_group_by = 0',
  'max_bytes_ratio_before_external_sort = 0',
].join(', ');

/**
 * The demand report of one partner: by date, then by the other dimensions.
 *
 * @throws TypeError for a dimension that the report does not have, an id or a date that is none: the
 *   caller has checked them.
 */
export function readDemandReport(
  store: Pick<AnalyticsStore, 'stream'>,
  question: ReportQuestion<DemandDimension>,
): Report {
  return readReport(store, DEMAND, question);
}

/** The supply report of one publisher; without `date` it has impressions, payout and clicks only. */
export function readSupplyReport(
  store: Pick<AnalyticsStore, 'stream'>,
  question: ReportQuestion<SupplyDimension>,
): Report {
  return readReport(store, SUPPLY, question);
}

function readReport(
  store: Pick<AnalyticsStore, 'stream'>,
  report: Definition,
  question: ReportQuestion<string>,
): Report {
  assertQuestion(report, question);
  const { accountId, startDate, endDate, groupBy } = question;
  const metrics = report.metrics.filter(
    ({ byDateOnly }) => !byDateOnly || groupBy.includes('date'),
  );
  const sums = metrics.map(
    ({ name, cpmMicros }) => `toString(sum(${cpmMicros ?? name})) AS ${name}`,
  );
  // Days lie in order within an account: grouped as they are read, they need no memory.
  const inOrder = groupBy.includes('date') ? ', optimize_aggregation_in_order = 1' : '';
  // Only names from the tables above become part of the text, an integer and two dates.
  const rows = store.stream(
    `SELECT ${[...groupBy, ...sums].join(', ')} FROM ${report.table}
     WHERE ${report.account} = ${accountId} AND date BETWEEN '${startDate}' AND '${endDate}'
     GROUP BY ${groupBy.join(', ')} ORDER BY ${orderOf(groupBy).join(', ')}
     SETTINGS ${STREAM_LIMITS}${inOrder}`,
  );
  return {
    columns: [...groupBy, ...metrics.map(({ name }) => name)],
    rows: typed(rows, groupBy, metrics),
  };
}

function assertQuestion(
  report: Definition,
  { accountId, startDate, endDate, groupBy }: ReportQuestion<string>,
): void {
  const valid = groupBy.every((name) => report.dimensions.includes(name));
  if (!valid || groupBy.length === 0 || new Set(groupBy).size < groupBy.length) {
    throw new TypeError(`${report.table} is not grouped by "${groupBy.join(',')}".`);
  }
  if (!Number.isSafeInteger(accountId)) throw new TypeError(`${accountId} is no account.`);
  // What is no date throws.
  startOf(startDate);
  startOf(endDate);
}

async function* typed(
  batches: AsyncIterable<readonly StoreRow[]>,
  groupBy: readonly string[],
  metrics: readonly Metric[],
): AsyncGenerator<readonly ReportRow[]> {
  for await (const rows of batches) {
    yield rows.map((row) => {
      const typedRow: Record<string, string | number | boolean> = {};
      for (const name of groupBy) typedRow[name] = dimensionOf(row, name);
      for (const metric of metrics) typedRow[metric.name] = amountOf(row, metric);
      return typedRow;
    });
  }
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
