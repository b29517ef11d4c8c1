import { metricSections, type MetricRow } from './metrics.ts';

/** What the supervisor adds to each row, and Prometheus as it scrapes. */
const PLACE_LABELS = ['role', 'process', 'instance', 'job'];

const METRICS: ReadonlyMap<string, MetricRow> = new Map(
  Object.values(metricSections()).flatMap(({ metrics }) =>
    metrics.map((metric): [string, MetricRow] => [metric.name, metric]),
  ),
);

/** Label values of a selector; one that begins with `~` is a regular expression. */
export type Matchers = Readonly<Record<string, string>>;

/**
 * A selector of a metric that there is.
 *
 * @throws Error for a metric or a label that no process registers, so that no rule and no panel looks
 *   at nothing.
 */
export function series(name: string, matchers: Matchers = {}): string {
  requireLabels(name, Object.keys(matchers));
  const conditions = Object.entries(matchers).map(([label, value]) =>
    value.startsWith('~') ? `${label}=~"${value.slice(1)}"` : `${label}="${value}"`,
  );
  return conditions.length === 0 ? name : `${name}{${conditions.join(', ')}}`;
}

/** The sum of a counter's rate, by some of its labels. */
export function rateOf(
  name: string,
  { by = [], matchers = {}, over = '5m', ago }: RateOptions = {},
): string {
  requireType(name, 'counter');
  const range = `${series(name, matchers)}[${over}]${ago === undefined ? '' : ` offset ${ago}`}`;
  return `${sumBy('sum', name, by)} (rate(${range}))`;
}

export interface RateOptions {
  readonly by?: readonly string[];
  readonly matchers?: Matchers;
  readonly over?: string;
  /** How long ago the range ends. */
  readonly ago?: string;
}

/** `max by (…)` or another aggregation of a gauge. */
export function gaugeOf(
  aggregation: 'sum' | 'max' | 'min' | 'avg',
  name: string,
  { by = [], matchers = {} }: Pick<RateOptions, 'by' | 'matchers'> = {},
): string {
  requireType(name, 'gauge');
  return `${sumBy(aggregation, name, by)} (${series(name, matchers)})`;
}

/** A quantile of a histogram, over all that is not in `by`. */
export function quantileOf(
  quantile: number,
  name: string,
  { by = [], over = '5m' }: Pick<RateOptions, 'by' | 'over'> = {},
): string {
  requireType(name, 'histogram');
  requireLabels(name, by);
  const buckets = `sum by (${['le', ...by].join(', ')}) (rate(${name}_bucket[${over}]))`;
  return `histogram_quantile(${quantile}, ${buckets})`;
}

/**
 * True where a counter has gone up: also where its first value is the rise, which `increase` does not
 * see, because a process counts a label from 1.
 */
export function grows(
  name: string,
  { matchers = {}, over = '10m' }: Pick<RateOptions, 'matchers' | 'over'> = {},
): string {
  requireType(name, 'counter');
  const all = series(name, matchers);
  return `increase(${all}[${over}]) > 0 or (${all} > 0 unless ${all} offset ${over})`;
}

function sumBy(aggregation: string, name: string, by: readonly string[]): string {
  requireLabels(name, by);
  return by.length === 0 ? aggregation : `${aggregation} by (${by.join(', ')})`;
}

function requireType(name: string, type: string): void {
  const metric = requireMetric(name);
  if (metric.type !== type) throw new Error(`${name} is a ${metric.type}, not a ${type}.`);
}

function requireLabels(name: string, labels: readonly string[]): void {
  const known = new Set([...requireMetric(name).labels, ...PLACE_LABELS]);
  const unknown = labels.filter((label) => !known.has(label));
  if (unknown.length > 0) throw new Error(`${name} has no label ${unknown.join(', ')}.`);
}

function requireMetric(name: string): MetricRow {
  const metric = METRICS.get(name);
  if (metric === undefined) throw new Error(`No process has a metric ${name}.`);
  return metric;
}
