import { addDays, startOf } from '../../analytics/dates.ts';
import { totalOf, type Sums } from '../../analytics/sums.ts';
import type { Span } from './dates.ts';
import type { Counted, TheirDay } from './uploaded-counts.ts';

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;
/** Time zones lie between these. */
const FIRST_HOURS = -12;
const LAST_HOURS = 14;
/** A shift has to do away with nine tenths of all differences. */
const LEFT_MAX = 0.1;

export interface ShiftQuestion {
  readonly ours: ReadonlyMap<string, Sums>;
  readonly theirs: ReadonlyMap<string, TheirDay>;
  readonly metrics: readonly Counted[];
  /** By Unix time in hours. */
  readonly hours: ReadonlyMap<number, Sums>;
  /** Of which days there are hours. */
  readonly factDays: Span;
}

/**
 * By how many hours ahead of UTC their days begin, if that explains what differs: null for UTC, and
 * where no shift does. Days are not looked at whose shifted hours are not all kept.
 */
export function timeShiftOf(question: ShiftQuestion): number | null {
  const { ours, theirs, metrics, hours, factDays } = question;
  const metric = (['impressions', 'wins', 'clicks'] as const).find((name) =>
    metrics.includes(name),
  );
  if (metric === undefined) return null;
  const days = [...theirs.values()].filter(
    ({ date }) => addDays(date, -1) >= factDays.first && addDays(date, 1) <= factDays.last,
  );
  const offBy = (figureOf: (date: string) => number): number =>
    days.reduce((sum, { date, counts }) => {
      return sum + Math.abs(Number(counts.get(metric) ?? 0n) - figureOf(date));
    }, 0);
  const present = offBy((date) => ours.get(date)?.[metric] ?? 0);
  if (present === 0) return null;
  let best = { hours: 0, offBy: present };
  for (let shift = FIRST_HOURS; shift <= LAST_HOURS; shift += 1) {
    const off = offBy((date) => shiftedDay(date, shift, hours)[metric]);
    const isNearer = off === best.offBy && Math.abs(shift) < Math.abs(best.hours);
    if (off < best.offBy || isNearer) best = { hours: shift, offBy: off };
  }
  return best.hours !== 0 && best.offBy <= present * LEFT_MAX ? best.hours : null;
}

/** Our figures of a day that begins so many hours before UTC's. */
export function shiftedDay(
  date: string,
  shiftHours: number,
  hours: ReadonlyMap<number, Sums>,
): Sums {
  const first = startOf(date) / HOUR_MS - shiftHours;
  const present = Array.from({ length: DAY_HOURS }, (_, index) => hours.get(first + index));
  return totalOf(present.filter((sums) => sums !== undefined));
}
