import Type, { type Static } from 'typebox';
import { addDays, dateOf, eachDate } from '../../analytics/dates.ts';
import { dollarsOf } from '../../analytics/revenue.ts';
import { NO_SUMS, totalOf, type DaySums, type IdSums, type Sums } from '../../analytics/sums.ts';
import type { Span } from './dates.ts';

const Count = Type.Integer({ minimum: 0 });
const Dollars = Type.Number({ minimum: 0, description: 'an amount in USD' });

const SUMS = {
  impressions: Count,
  clicks: Count,
  wins: Count,
  /** What a demand partner pays, or a publisher gets. */
  amount: Dollars,
};

/** A month of one account, as it is billed or paid. */
export const StatementSchema = Type.Object(
  {
    statement: Type.String({ description: 'its number, which is the same for ever' }),
    month: Type.String({ description: 'YYYY-MM, in UTC' }),
    account: Type.Object({
      type: Type.Union([Type.Literal('DEMAND_PARTNER'), Type.Literal('PUBLISHER')]),
      id: Type.Integer(),
      name: Type.String(),
    }),
    currency: Type.Literal('USD'),
    amount_is: Type.Union([Type.Literal('gross_revenue'), Type.Literal('payout')], {
      description: 'what the report calls the amounts',
    }),
    revenue_share: Type.Union([Type.Null(), Type.Number()], {
      description: 'of a publisher: its share as it is set now; null for a demand partner',
    }),
    final: Type.Boolean({ description: 'false while figures may still change' }),
    final_from: Type.String({ description: 'the UTC day from which on it is final' }),
    total: Type.Object(SUMS, { additionalProperties: false }),
    days: Type.Array(
      Type.Object({ date: Type.String(), ...SUMS }, { additionalProperties: false }),
      { description: 'each day of the month, the current one included, zeros too' },
    ),
    parts: Type.Array(
      Type.Object(
        {
          id: Type.Union([Type.Null(), Type.Integer()]),
          name: Type.Union([Type.Null(), Type.String()]),
          ...SUMS,
        },
        { additionalProperties: false },
      ),
      { description: 'the same by line item of a demand partner, or by ad space of a publisher' },
    ),
  },
  { title: 'Statement', additionalProperties: false },
);
export type Statement = Static<typeof StatementSchema>;

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
