import { addDays, monthStart, today } from './days.ts';

/** Both days are included, in UTC. */
export interface DateRange {
  readonly first: string;
  readonly last: string;
}

/** How many months before the present one reports go back. Source: reporting API. */
const MONTHS_BACK = 4;

/** What can be chosen at once, by the word that stands in the address. */
export const RANGES = [
  { name: 'today', label: 'Today' },
  { name: 'yesterday', label: 'Yesterday' },
  { name: '7d', label: 'Last 7 days' },
  { name: '30d', label: 'Last 30 days' },
  { name: 'month', label: 'This month' },
  { name: 'last-month', label: 'Last month' },
] as const;

export type RangeName = (typeof RANGES)[number]['name'];

/** The days of a range, as of now. */
export function rangeOf(name: RangeName, nowMs = Date.now()): DateRange {
  const last = today(nowMs);
  switch (name) {
    case 'today':
      return { first: last, last };
    case 'yesterday':
      return { first: addDays(last, -1), last: addDays(last, -1) };
    case '7d':
      return { first: addDays(last, -6), last };
    case '30d':
      return { first: addDays(last, -29), last };
    case 'month':
      return { first: monthStart(last), last };
    case 'last-month':
      return { first: monthStart(last, -1), last: addDays(monthStart(last), -1) };
  }
}

/** The days that reports can be had of. */
export function reportWindow(nowMs = Date.now()): DateRange {
  const last = today(nowMs);
  return { first: monthStart(last, -MONTHS_BACK), last };
}
