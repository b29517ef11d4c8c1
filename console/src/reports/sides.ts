import { formatCount, formatCpm, formatPart, formatUsd, type Format } from '../parts/format.ts';

/** What a report's rows say of a group, summed up. */
export type Sums = Readonly<Record<string, number>>;

/** A column of figures: summed up from the report, or computed from what is. */
export interface Metric {
  readonly name: string;
  readonly label: string;
  /** Of a group: null where it has no value, such as a share of nothing. */
  readonly value: (sums: Sums) => number | null;
  readonly format: Format;
}

/** One of both sides of the reports: the address, what it is grouped by, and its figures. */
export interface Side {
  readonly path: (id: number) => `/api/${'demand-partners' | 'publishers'}/${number}/report/`;
  readonly dimensions: Readonly<Record<string, string>>;
  /** As the report has them. */
  readonly summed: readonly string[];
  readonly metrics: readonly Metric[];
}

const DIMENSIONS = {
  date: 'Date',
  ad_format: 'Ad format',
  app_bundle: 'App bundle',
  app_site_domain: 'App or site domain',
  country_code: 'Country',
  interstitial: 'Interstitial',
  platform: 'Platform',
  rewarded: 'Rewarded',
};

/** The demand report. Source: reporting API, "Demand report". */
export const DEMAND: Side = {
  path: (id) => `/api/demand-partners/${id}/report/`,
  dimensions: DIMENSIONS,
  summed: ['gross_revenue', 'impressions', 'bids', 'clicks', 'dsp_requests', 'wins'],
  metrics: [
    sum('gross_revenue', 'Spend', formatUsd),
    sum('impressions', 'Impressions'),
    ratio('cpm', 'CPM', ['gross_revenue', 'impressions', 1_000], formatCpm),
    sum('clicks', 'Clicks'),
    ratio('ctr', 'Click rate', ['clicks', 'impressions', 1], formatPart),
    sum('dsp_requests', 'Bid requests'),
    sum('bids', 'Bids'),
    sum('wins', 'Wins'),
    ratio('win_rate', 'Win rate', ['wins', 'bids', 1], formatPart),
  ],
};

/** The supply report. Source: reporting API, "Supply report". */
export const SUPPLY: Side = {
  path: (id) => `/api/publishers/${id}/report/`,
  dimensions: { ...DIMENSIONS, os: 'Operating system', zone_id: 'Ad space' },
  summed: ['impressions', 'payout', 'clicks', 'filled_requests', 'requests', 'supply_wins'],
  metrics: [
    sum('payout', 'Payout', formatUsd),
    sum('impressions', 'Impressions'),
    ratio('ecpm', 'eCPM', ['payout', 'impressions', 1_000], formatCpm),
    sum('clicks', 'Clicks'),
    ratio('ctr', 'Click rate', ['clicks', 'impressions', 1], formatPart),
    sum('requests', 'Ad requests'),
    sum('filled_requests', 'Filled'),
    ratio('fill_rate', 'Fill rate', ['filled_requests', 'requests', 1], formatPart),
    sum('supply_wins', 'Wins taken'),
  ],
};

function sum(name: string, label: string, format: Format = formatCount): Metric {
  return { name, label, value: (sums) => sums[name] ?? 0, format };
}

function ratio(
  name: string,
  label: string,
  [part, whole, times]: readonly [string, string, number],
  format: Format,
): Metric {
  const value = (sums: Sums): number | null => {
    const divisor = sums[whole] ?? 0;
    return divisor === 0 ? null : ((sums[part] ?? 0) * times) / divisor;
  };
  return { name, label, value, format };
}
