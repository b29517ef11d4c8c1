/** Months before the current one that reports reach back; the history fills them. */
const MONTHS_BACK = 4;
/** Auctions of the first day, and of a busy one now: an exchange that grows by as much each week. */
const FIRST_DAY = 200;
const LAST_DAY = 3_000;
/** Traffic of the days from Sunday to Saturday, as a part of the busiest. */
const WEEK = [1, 0.8, 0.75, 0.78, 0.82, 0.9, 0.97];
/** Traffic of the hours of a UTC day: nights are quiet, and evenings in America are not. */
const HOURS = [
  7, 6, 5, 4.5, 4, 4, 5, 6, 7.5, 9, 10, 10.5, 11, 11.5, 12, 13, 13.5, 14, 14.5, 15, 14.5, 13, 11, 9,
];
const HOURS_SUM = HOURS.reduce((sum, hour) => sum + hour, 0);

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** What the rate of the demo's publishers has above the history's comes in so long a time, by and by. */
const RAMP_MS = 1.5 * HOUR_MS;
const RAMP_LONGEST_MS = 12 * HOUR_MS;
/** Of a rate that would take more, the history stays behind. */
const RAMP_MAX = 20_000;

/** An auction of the history: when it was, and what all else of it follows from. */
export interface Moment {
  readonly atMs: number;
  readonly seed: string;
}

/** A number from 0 to 1 that is the same for the same seed and label. */
type ChanceOf = (seed: string, label: string) => number;

/**
 * When the auctions of a demo's history were, the newest days first: months with growth, weekdays and
 * hours, and in the last hours as many more as lead to the rate at which the demo goes on.
 *
 * @param nowMs Unix time in milliseconds; nothing is later.
 * @param ratePerSecond of the demo's ad requests.
 */
export function* historyMoments(
  nowMs: number,
  ratePerSecond: number,
  chanceOf: ChanceOf,
): Generator<Moment> {
  const today = Math.floor(nowMs / DAY_MS);
  const date = new Date(nowMs);
  const first = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - MONTHS_BACK, 1) / DAY_MS;
  yield* ramp(nowMs, ratePerSecond - presentRate(nowMs, today - first), chanceOf);
  for (let day = today; day >= first; day -= 1) {
    const auctions = Math.round(volumeOf(day, { first, today }));
    for (let index = 0; index < auctions; index += 1) {
      const seed = `${day} ${index}`;
      const atMs = Math.floor(day * DAY_MS + timeOfDay(chanceOf(seed, 'time')));
      if (atMs < nowMs) yield { atMs, seed };
    }
  }
}

/** The auctions of a whole day. */
function volumeOf(
  day: number,
  { first, today }: { readonly first: number; readonly today: number },
): number {
  const growth = (LAST_DAY / FIRST_DAY) ** ((day - first) / (today - first));
  return FIRST_DAY * growth * (WEEK[new Date(day * DAY_MS).getUTCDay()] ?? 1);
}

/** Auctions a second now, without what leads to the demo's own rate. */
function presentRate(nowMs: number, days: number): number {
  const today = Math.floor(nowMs / DAY_MS);
  const hour = HOURS[new Date(nowMs).getUTCHours()] ?? 0;
  const volume = volumeOf(today, { first: today - days, today });
  return (volume * hour) / HOURS_SUM / (HOUR_MS / 1_000);
}

/** Ever more until now, at the end as many more a second as are missing. */
function* ramp(nowMs: number, missingPerSecond: number, chanceOf: ChanceOf): Generator<Moment> {
  const all = Math.round((Math.max(0, missingPerSecond) * RAMP_MS) / 1_000);
  for (let index = 0; index < Math.min(all, RAMP_MAX); index += 1) {
    const seed = `now ${index}`;
    const agoMs = -RAMP_MS * Math.log(1 - chanceOf(seed, 'time'));
    if (agoMs < RAMP_LONGEST_MS) yield { atMs: Math.floor(nowMs - agoMs) - 1, seed };
  }
}

/** The time of a day in milliseconds, of which hours have their parts. */
function timeOfDay(part: number): number {
  let left = part * HOURS_SUM;
  for (const [hour, weight] of HOURS.entries()) {
    if (left < weight) return (hour + left / weight) * HOUR_MS;
    left -= weight;
  }
  return DAY_MS - 1;
}
