import type { CountFacts } from '../../analytics/count-facts.ts';
import { eachDate } from '../../analytics/dates.ts';
import { NO_SUMS, totalOf, type DaySums, type Sums } from '../../analytics/sums.ts';
import { causesOf, type Cause } from './causes.ts';
import type { Span } from './dates.ts';
import { shownValue, valueOf } from './figures.ts';
import { shiftedDay, timeShiftOf } from './time-shift.ts';
import type { Counted, TheirDay } from './uploaded-counts.ts';
import type { Comparison, Difference } from './schema.ts';

export interface Compared {
  readonly side: 'demand' | 'supply';
  readonly span: Span;
  readonly metrics: readonly Counted[];
  readonly theirs: ReadonlyMap<string, TheirDay>;
  readonly ours: readonly DaySums[];
  readonly facts: CountFacts;
  /** Of which days there are facts. */
  readonly factDays: Span;
}

/** Compares the figures of both sides day by day, and looks for what explains a difference. */
export function compareCounts(compared: Compared): Comparison {
  const { span, metrics, theirs, facts, factDays } = compared;
  const ours = new Map(compared.ours.map((day) => [day.date, day]));
  const shiftHours = timeShiftOf({ ours, theirs, metrics, hours: facts.hours, factDays });
  const days = eachDate(span.first, span.last).flatMap((date) => {
    const our = ours.get(date) ?? NO_SUMS;
    const their = theirs.get(date) ?? null;
    // Nobody has counted anything.
    if (their === null && metrics.every((metric) => valueOf(our, metric) === 0n)) return [];
    const differences = metrics.map((metric) => differenceOf(metric, our, their));
    const agrees = differences.every(({ difference }) => difference === 0);
    const isKept = date >= factDays.first && date <= factDays.last;
    const causes: Cause[] = agrees
      ? []
      : causesOf({
          side: compared.side,
          ours: our,
          theirs: their,
          metrics,
          facts: isKept ? (facts.days.get(date) ?? null) : null,
          isKept,
          shift:
            shiftHours === null
              ? null
              : { hours: shiftHours, sums: shiftedDay(date, shiftHours, facts.hours) },
        });
    return [{ date, agrees, differences, causes }];
  });
  const covered = [...theirs.keys()].map((date) => ours.get(date) ?? NO_SUMS);
  const total = { date: '', counts: totalCounts(theirs, metrics) };
  return {
    start_date: span.first,
    end_date: span.last,
    metrics: [...metrics],
    agrees: days.every((day) => day.agrees),
    time_zone_hours: shiftHours,
    total: metrics.map((metric) => differenceOf(metric, totalOf(covered), total)),
    days,
  };
}

function differenceOf(metric: Counted, our: Sums, their: TheirDay | null): Difference {
  const ours = valueOf(our, metric);
  const theirs = their?.counts.get(metric) ?? null;
  const difference = theirs === null ? null : theirs - ours;
  return {
    metric,
    ours: shownValue(ours, metric),
    theirs: theirs === null ? null : shownValue(theirs, metric),
    difference: difference === null ? null : shownValue(difference, metric),
    percent: difference === null || ours === 0n ? null : percentOf(difference, ours),
  };
}

/** To the ten-thousandth of a percent. */
function percentOf(difference: bigint, ours: bigint): number {
  return Math.round((Number(difference) / Number(ours)) * 1e6) / 1e4;
}

function totalCounts(
  theirs: ReadonlyMap<string, TheirDay>,
  metrics: readonly Counted[],
): Map<Counted, bigint> {
  return new Map(
    metrics.map((metric) => {
      const sum = [...theirs.values()].reduce(
        (total, { counts }) => total + (counts.get(metric) ?? 0n),
        0n,
      );
      return [metric, sum] as const;
    }),
  );
}
