import type { ListedBidder } from '../control/bidders.ts';
import { describeTable } from './text-table.ts';

const COLUMNS = [{ title: 'id' }, { title: 'name' }, { title: 'status' }, { title: 'calls' }];

/** The bidders as a table, a line for each. */
export function describeBidders(bidders: readonly ListedBidder[]): string {
  if (bidders.length === 0) return 'There are no demand partners yet.';
  const table = describeTable(COLUMNS, bidders.map(cellsOf));
  return `${table}\n\nHow each fares is in the metrics rialto_bidder_… of the exchange.`;
}

function cellsOf(bidder: ListedBidder): readonly string[] {
  return [String(bidder.demand_partner), bidder.name, bidder.status, describeCalls(bidder)];
}

function describeCalls({ status, endpoint, stop }: ListedBidder): string {
  if (stop !== null) {
    const since = new Date(stop.at_ms).toISOString().slice(0, 19);
    return `stopped since ${since}Z${stop.reason === '' ? '' : `: ${stop.reason}`}`;
  }
  if (endpoint === null) return 'none: it has no bidder';
  return status === 'ACTIVE' ? endpoint : `none: it is ${status}`;
}
