import type { Kpi } from '../../../src/management/kpi/schema.ts';
import { useAsk, type Asked } from '../api/use-ask.ts';
import type { DateRange } from '../parts/ranges.ts';
import { lineItemsApiOf } from './partner.ts';

const EVERY_MS = 10_000;

/** What became of a partner's line items on some days: of all of them, or of those named. */
export function useKpis(
  partnerId: string,
  { first, last }: DateRange,
  lineItemIds?: readonly number[],
): Asked<readonly Kpi[]> {
  const lineitems = lineItemIds === undefined ? {} : { lineitems: lineItemIds };
  return useAsk(
    `${lineItemsApiOf(partnerId)}kpi/`,
    {},
    { body: { start_date: first, end_date: last, ...lineitems }, everyMs: EVERY_MS },
  );
}
