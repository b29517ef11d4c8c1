import type { Query } from '../api/client.ts';
import { given, whole } from '../app/search.ts';
import { chosenRange, readRange } from '../parts/range-search.ts';
import type { RangeName } from '../parts/ranges.ts';

/** The days that are shown unless the address says otherwise. */
export const USUAL_RANGE: RangeName = '7d';

/** What the address of the lost bids says. */
export type LostBidsSearch = ReturnType<typeof readLostBidsSearch>;

/** Reads it, whatever was typed. */
export function readLostBidsSearch(search: Record<string, unknown>) {
  return given({ ...readRange(search), lineitem_id: whole(search['lineitem_id']) });
}

/** What the API is asked: days of which both are included. */
export function lossQuestion(search: LostBidsSearch): Query {
  const { first, last } = chosenRange(search, USUAL_RANGE);
  return { start_date: first, end_date: last, lineitem_id: search.lineitem_id };
}
