const DAY_MS = 86_400_000;
/** Months before the current one that the daily rollups are kept for; `sql/0002-reports.sql`. */
const MONTHS_BACK = 4;

/** UTC days, YYYY-MM-DD, both included. */
export interface DateWindow {
  readonly first: string;
  readonly last: string;
}

/**
 * The days that reports and KPIs can be had of: the current month and the four before it.
 *
 * @param nowMs Unix time in milliseconds.
 */
export function reportWindow(nowMs: number): DateWindow {
  const today = new Date(nowMs);
  const year = today.getUTCFullYear();
  const month = today.getUTCMonth();
  return {
    first: dateOf(Date.UTC(year, month - MONTHS_BACK, 1)),
    last: dateOf(Date.UTC(year, month + 1, 0)),
  };
}

/** Whether a text is a day that exists, as YYYY-MM-DD: 2026-02-30 is none. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const ms = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(ms) && dateOf(ms) === text;
}

/** The UTC day of a time in milliseconds, YYYY-MM-DD. */
export function dateOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 'YYYY-MM-DD'.length);
}

/** Every day from the first to the last, both included; none where the last comes first. */
export function eachDate(startDate: string, endDate: string): string[] {
  const dates: string[] = [];
  const endMs = startOf(endDate);
  for (let atMs = startOf(startDate); atMs <= endMs; atMs += DAY_MS) dates.push(dateOf(atMs));
  return dates;
}

/** The first millisecond of a day. @throws TypeError for what is no date. */
export function startOf(date: string): number {
  const atMs = Date.parse(`${date}T00:00:00.000Z`);
  if (Number.isNaN(atMs) || dateOf(atMs) !== date) throw new TypeError(`"${date}" is no date.`);
  return atMs;
}

/** The day so many days later, or earlier. */
export function addDays(date: string, days: number): string {
  return dateOf(startOf(date) + days * DAY_MS);
}
