import type { Kpi } from '../../../src/management/kpi/schema.ts';

/** What several line items or days come to together. */
export type KpiSums = Omit<Kpi, 'lineitem_id' | 'date'>;

const NONE: KpiSums = {
  dsp_requests: 0,
  responses: 0,
  no_bids: 0,
  timeouts: 0,
  errors: 0,
  throttled: 0,
  bids: 0,
  bids_in_auction: 0,
  wins: 0,
  impressions: 0,
  clicks: 0,
  gross_revenue: 0,
};

/** All rows together. */
export function sumKpis(rows: readonly KpiSums[]): KpiSums {
  const sums = { ...NONE };
  for (const row of rows) for (const key of keysOf(NONE)) sums[key] += row[key];
  return sums;
}

/** The sums by line item, or by day. */
export function sumKpisBy<Key extends 'lineitem_id' | 'date'>(
  rows: readonly Kpi[],
  key: Key,
): ReadonlyMap<Kpi[Key], KpiSums> {
  return new Map([...Map.groupBy(rows, (row) => row[key])].map(([of, own]) => [of, sumKpis(own)]));
}

/** What a thousand impressions cost, in US dollars; null without any. */
export function cpmOf({ gross_revenue: spend, impressions }: KpiSums): number | null {
  return impressions === 0 ? null : (1_000 * spend) / impressions;
}

/** Bid requests that were matched, whether they were sent or held back. */
export function matchedOf({ dsp_requests: sent, throttled }: KpiSums): number {
  return sent + throttled;
}

function keysOf(sums: KpiSums): (keyof KpiSums)[] {
  const keys: (keyof KpiSums)[] = [];
  for (const key in sums) if (isKey(key, sums)) keys.push(key);
  return keys;
}

function isKey(key: string, sums: KpiSums): key is keyof KpiSums {
  return Object.hasOwn(sums, key);
}
