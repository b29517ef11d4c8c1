import { addDays } from '../parts/days.ts';
import { day, given, oneOf, text, whole } from '../app/search.ts';
import type { Query } from '../api/client.ts';

export const OUTCOMES = ['bid', 'no_bid', 'timeout', 'error', 'throttled'] as const;
export const AD_FORMATS = ['banner', 'video', 'native'] as const;
const WINDOWS = ['6h', '12h'] as const;
const HOURS: Readonly<Record<(typeof WINDOWS)[number], number>> = { '6h': 6, '12h': 12 };
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** What the address of the list of auctions says. */
export type AuctionSearch = ReturnType<typeof readAuctionSearch>;

/** Reads it, whatever was typed: what cannot be meant is left out. */
export function readAuctionSearch(search: Record<string, unknown>) {
  return given({
    window: oneOf(WINDOWS, search['window']),
    day: day(search['day']),
    outcome: oneOf(OUTCOMES, search['outcome']),
    reason: text(search['reason']),
    loss_reason: whole(search['loss_reason']),
    ad_format: oneOf(AD_FORMATS, search['ad_format']),
    country: countryOf(text(search['country'])),
    lineitem_id: whole(search['lineitem_id']),
    publisher_id: whole(search['publisher_id']),
    ad_space_id: whole(search['ad_space_id']),
    demand_partner_id: whole(search['demand_partner_id']),
    filled: oneOf(['true', 'false'], String(search['filled'])),
    live: oneOf(['1'], String(search['live'])),
    // Where an older part begins, as the link to it says.
    from: text(search['from']),
    to: text(search['to']),
    before: text(search['before']),
  });
}

/** Whether the newest are shown, and not an older part. */
export function isNewest({ before }: AuctionSearch): boolean {
  return before === undefined;
}

/** How many filters narrow the list, besides the time. */
export function filterCount(search: AuctionSearch): number {
  const { window, day: date, live, from, to, before, ...filters } = search;
  return Object.keys(filters).length;
}

/**
 * What the API is asked.
 *
 * @param nowMs Unix time in milliseconds; taken to the minute, so that a question stays the same.
 */
export function questionOf(search: AuctionSearch, nowMs: number): Query {
  const { window, day: date, live, ...asked } = search;
  if (search.before !== undefined) return asked;
  if (date !== undefined) {
    return { ...asked, from: `${date}T00:00:00.000Z`, to: `${addDays(date, 1)}T00:00:00.000Z` };
  }
  if (window === undefined) return asked;
  const minuteMs = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS;
  return { ...asked, from: new Date(minuteMs - HOURS[window] * HOUR_MS).toISOString() };
}

/** The part of the address that leads to the older ones, of the API's link to them. */
export function olderOf(next: string): Pick<AuctionSearch, 'from' | 'to' | 'before'> {
  const { searchParams } = new URL(next, 'http://localhost');
  return given({
    from: text(searchParams.get('from')),
    to: text(searchParams.get('to')),
    before: text(searchParams.get('before')),
  });
}

function countryOf(code: string | undefined): string | undefined {
  const upper = code?.toUpperCase();
  return upper !== undefined && /^[A-Z]{3}$/.test(upper) ? upper : undefined;
}
