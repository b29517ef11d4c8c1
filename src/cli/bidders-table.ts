import type { ListedBidder } from '../control/bidders.ts';

const GAP = '  ';
const HEAD = ['id', 'name', 'status', 'calls'] as const;

/** The bidders as a table, a line for each. */
export function describeBidders(bidders: readonly ListedBidder[]): string {
  if (bidders.length === 0) return 'There are no demand partners yet.';
  const rows = [HEAD, ...bidders.map(cellsOf)];
  const widths = HEAD.map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join(GAP)
      .trimEnd(),
  );
  return [...lines, '', 'How each fares is in the metrics rialto_bidder_… of the exchange.'].join(
    '\n',
  );
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
