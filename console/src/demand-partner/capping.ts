import type { ShownLineItem } from '../../../src/management/line-items/schema.ts';
import { formatCount, formatUsd } from '../parts/format.ts';

export type Capping = ShownLineItem['capping'];

/** The limits of a line item in one line: `100 QPS · 5,000 impressions a day`. */
export function describeCapping(capping: Capping): string {
  const { max_qps: qps, max_daily_impressions: impressions, max_daily_spend: spend } = capping;
  const parts: string[] = [];
  if (qps !== undefined && qps !== null) parts.push(`${formatCount(qps)} QPS`);
  if (impressions !== undefined && impressions !== null) {
    parts.push(`${formatCount(impressions)} impressions a day`);
  }
  if (spend !== undefined && spend !== null) parts.push(`${formatUsd(spend)} a day`);
  return parts.length === 0 ? 'No limit' : parts.join(' · ');
}
