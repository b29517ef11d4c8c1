import { given, oneOf, text, whole, day } from '../app/search.ts';
import { STATUSES } from '../parts/status/statuses.ts';
import { readRange } from '../parts/range-search.ts';

/** What the addresses of these pages say after their question mark. */

type Raw = Record<string, unknown>;

/** Of the overview: which day, and of which line item. */
export function readOverviewSearch(raw: Raw) {
  return given({ day: day(raw['day']), lineitem: whole(raw['lineitem']) });
}

/** Of the list of line items. */
export function readLineItemsSearch(raw: Raw) {
  return given({
    q: text(raw['q']),
    status: oneOf(STATUSES, raw['status']),
    days: oneOf(['today', '7d'], raw['days']),
  });
}

/** Of a new line item: what it begins with. The page reads the targeting; its names are many. */
export function readNewLineItemSearch(raw: Raw) {
  return given({ targeting: raw['targeting'], name: text(raw['name']) });
}

/** Of one line item. */
export function readLineItemSearch(raw: Raw) {
  return { ...given({ tab: oneOf(['settings'], raw['tab']) }), ...readRange(raw) };
}

/** Of inventory discovery. */
export function readDiscoverySearch(raw: Raw) {
  return given({ targeting: raw['targeting'] });
}
