import { given, oneOf, whole } from '../app/search.ts';

/** What the address of an auction's page says: how calls are shown, and which one is open. */
export function readAuctionViewSearch(search: Record<string, unknown>) {
  return given({ calls: oneOf(['table'], search['calls']), call: whole(search['call']) });
}
