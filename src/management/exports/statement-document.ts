import { addDays, dateOf, eachDate } from '../../analytics/dates.ts';
import { dollarsOf } from '../../analytics/revenue.ts';
import { NO_SUMS, totalOf, type DaySums, type IdSums, type Sums } from '../../analytics/sums.ts';
import type { Span } from './dates.ts';
import type { Statement } from './schema.ts';

export interface StatementFacts {
  readonly side: 'demand' | 'supply';
  readonly account: { readonly id: number; readonly name: string };
  readonly revenueShare: number | null;
  /** The days of the month. */
  readonly span: Span;
  readonly days: readonly DaySums[];
  readonly parts: readonly IdSums[];
  readonly names: ReadonlyMap<number, string>;
  /** Unix time in milliseconds. */
  readonly nowMs: number;
}

/**
 * A beacon counts on the day on which it comes, so that nothing of a month happens after its end; what
 * a machine recorded that was cut off may arrive later. Three whole days are given to it.
 */
const FINAL_AFTER_DAYS = 4;

/** Sums of integers, each divided once: the total is that of the days to the micro-dollar. */
export function statementOf(facts: StatementFacts): Statement {
  const { side, account, revenueShare, span, days, parts, names, nowMs } = facts;
  const today = dateOf(nowMs);
  const month = span.first.slice(0, 'YYYY-MM'.length);
  const finalFrom = addDays(span.last, FINAL_AFTER_DAYS);
  const byDate = new Map(days.map((each) => [each.date, each]));
  return {
    statement: `${side === 'demand' ? 'D' : 'P'}${account.id}-${month}`,
    month,
    account: { type: side === 'demand' ? 'DEMAND_PARTNER' : 'PUBLISHER', ...account },
    currency: 'USD',
    amount_is: side === 'demand' ? 'gross_revenue' : 'payout',
    revenue_share: revenueShare,
    final: today >= finalFrom,
    final_from: finalFrom,
    total: shown(totalOf(days)),
    days: eachDate(span.first, today < span.last ? today : span.last).map((date) =>
      dayOf(date, byDate.get(date) ?? NO_SUMS),
    ),
    parts: parts.map((part) => partOf(part, names)),
  };
}

function dayOf(date: string, sums: Sums): Statement['days'][number] {
  return { date, ...shown(sums) };
}

/** Line item 0 has what could be brought to none. */
function partOf(part: IdSums, names: ReadonlyMap<number, string>): Statement['parts'][number] {
  return { id: part.id === 0 ? null : part.id, name: names.get(part.id) ?? null, ...shown(part) };
}

function shown({ impressions, clicks, wins, cpmMicros }: Sums) {
  return { impressions, clicks, wins, amount: dollarsOf(cpmMicros) };
}
