import { given, oneOf } from '../app/search.ts';

export const BIDDER_TABS = ['settings', 'health', 'test', 'reporting-token'] as const;

/** What the address of a bidder's page says: which part of it is open. */
export function readBidderSearch(search: Record<string, unknown>) {
  return given({ tab: oneOf(BIDDER_TABS, search['tab']) });
}
