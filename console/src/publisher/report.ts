import type { Report, ReportRow } from '../api/report.ts';
import { useAskReport, type Asked } from '../api/use-ask.ts';

/** Several rows as one. */
export type Figures = Required<Omit<ReportRow, 'date' | 'zone_id'>>;

interface ReportQuestion {
  /** UTC days, both included. */
  readonly first: string;
  readonly last: string;
  /** `date` if nothing is said. */
  readonly groupBy?: string;
}

const EVERY_MS = 60_000;

/** Asks for a publisher's report, and again every minute. */
export function useReport(
  publisherId: number,
  { first, last, groupBy = 'date' }: ReportQuestion,
): Asked<Report> {
  const query = { start_date: first, end_date: last, group_by: groupBy };
  return useAskReport(`/api/publishers/${publisherId}/report/`, query, {
    everyMs: EVERY_MS,
  });
}

/** The sums of rows. */
export function totalOf(rows: readonly ReportRow[]): Figures {
  const total = { impressions: 0, clicks: 0, payout: 0, requests: 0, filled_requests: 0 };
  for (const { impressions, clicks, payout, requests = 0, filled_requests = 0 } of rows) {
    total.impressions += impressions;
    total.clicks += clicks;
    total.payout += payout;
    total.requests += requests;
    total.filled_requests += filled_requests;
  }
  return total;
}

/** What a thousand impressions brought, in US dollars; null without any. */
export function ecpmOf({
  payout,
  impressions,
}: Pick<Figures, 'payout' | 'impressions'>): number | null {
  return impressions === 0 ? null : (1_000 * payout) / impressions;
}

/** The sums of each ad space. */
export function byAdSpace(rows: readonly ReportRow[]): ReadonlyMap<number, Figures> {
  const groups = new Map<number, ReportRow[]>();
  for (const row of rows) {
    const id = row.zone_id ?? 0;
    const group = groups.get(id);
    if (group === undefined) groups.set(id, [row]);
    else group.push(row);
  }
  return new Map([...groups].map(([id, group]) => [id, totalOf(group)]));
}

/** `+12%` of a figure against the one before; null where there was nothing to compare with. */
export function changeOf(now: number, before: number): string | null {
  if (before === 0) return null;
  const share = now / before - 1;
  const percent = Math.round(100 * share);
  return `${percent > 0 ? '+' : percent < 0 ? '−' : '±'}${Math.abs(percent).toLocaleString('en-US')}%`;
}
