import type { Kysely } from 'kysely';
import { dateOf, reportWindow } from '../analytics/dates.ts';
import type { Database } from '../configuration/schema.ts';
import { invalidRequest } from './endpoints.ts';
import { readDate } from './exports/dates.ts';

/** Days of which both are included, YYYY-MM-DD. */
export interface DaySpan {
  readonly startDate: string;
  readonly endDate: string;
}

interface SpanQuery {
  readonly start_date?: string;
  readonly end_date?: string;
}

/**
 * The days of a query; where one end is missing it lies so many days from the other.
 *
 * @throws RialtoError for what is no day, is out of reach or in reverse.
 */
export function readSpan(query: SpanQuery, days: number, nowMs: number): DaySpan {
  const window = reportWindow(nowMs);
  const { start_date: start, end_date: end } = query;
  const saidStart = start === undefined ? null : readDate('start_date', start, window);
  const endDate = end === undefined ? dateOf(nowMs) : readDate('end_date', end, window);
  const startMs = Date.parse(endDate) - (days - 1) * DAY_MS;
  const first = dateOf(startMs) < window.first ? window.first : dateOf(startMs);
  const startDate = saidStart ?? first;
  if (startDate > endDate) {
    const message = `is ${startDate}, after end_date ${endDate}; give the earlier day first`;
    throw invalidRequest([{ path: ['start_date'], message }]);
  }
  return { startDate, endDate };
}

const DAY_MS = 86_400_000;

/**
 * The line item of a query, if it is the demand partner's own.
 *
 * @throws RialtoError with the same words for another partner's as for one that is not there.
 */
export async function readOwnLineItem(
  db: Kysely<Database>,
  demandPartnerId: number,
  lineItemId: number | undefined,
): Promise<number | null> {
  if (lineItemId === undefined) return null;
  const row = await db
    .selectFrom('line_items')
    .select('id')
    .where('id', '=', lineItemId)
    .where('demand_partner_id', '=', demandPartnerId)
    .executeTakeFirst();
  if (row !== undefined) return lineItemId;
  const message = 'is no line item of this demand partner';
  throw invalidRequest([{ path: ['lineitem_id'], message }]);
}
