import { tieBreak } from '../../auction/tie-break.ts';
import { CENT_MICROS } from '../../base/money.ts';
import type { AuctionTrace } from '../../events/trace-record.ts';
import type { BidPart } from './parts.ts';
import type { PriceView } from './schema.ts';

/**
 * How an impression was decided, read off the records: `src/auction/decide.ts` is what decides. It
 * takes the records' word for who won, and for the price.
 */

export function hasWon({ record }: BidPart): boolean {
  return record.loss_reason === 0;
}

/** The bids on an impression that competed to the end, the best first. */
export function rankedBids(auctionId: string, bids: readonly BidPart[], imp: number): BidPart[] {
  return bids
    .filter((bid) => bid.record.imp === imp && bid.record.in_auction === 1 && !isOfLostGroup(bid))
    .sort(
      (a, b) =>
        Number(hasWon(b)) - Number(hasWon(a)) ||
        classOf(a) - classOf(b) ||
        payableOf(b) - payableOf(a) ||
        tieBreak(auctionId, a.record.bid_id) - tieBreak(auctionId, b.record.bid_id) ||
        a.record.demand_partner_id - b.record.demand_partner_id,
    );
}

/** A group that does not win whole leaves the ranking, and is nobody's rival. */
export function isOfLostGroup(bid: BidPart): boolean {
  return bid.trace !== null && bid.trace.group >= 0 && !hasWon(bid);
}

/** What bids are ranked by before their prices: fixed-price deals, other deals, open bids. */
export function classOf({ record, trace }: BidPart): number {
  if (record.dealid === '') return 2;
  return trace?.deal_type === 'fixed_price' ? 0 : 1;
}

function payableOf({ record, trace }: BidPart): number {
  return trace?.deal_type === 'fixed_price' ? trace.floor_micros : record.price_micros;
}

/** By which rule a winner pays; null where the trace that says so was not kept. */
export function ruleOf(
  winner: BidPart,
  imp: AuctionTrace['imps'][number] | null,
): PriceView['rule'] {
  const { record, trace } = winner;
  if (trace === null || imp === null) return null;
  if (trace.deal_type === 'fixed_price') return 'fixed_price';
  if (trace.deal_type === 'first_price') return 'first_price';
  return record.dealid === '' && imp.first_price === 1 ? 'first_price' : 'second_price';
}

/** The best bid of another demand partner; for a deal the best for a deal. */
export function runnerUpOf(winner: BidPart, ranked: readonly BidPart[]): BidPart | null {
  let best: BidPart | null = null;
  for (const rival of ranked) {
    const { record } = rival;
    if (record.demand_partner_id === winner.record.demand_partner_id) continue;
    if (winner.record.dealid !== '' && record.dealid === '') continue;
    if (best === null || record.price_micros > best.record.price_micros) best = rival;
  }
  return best;
}

/** What second price plus comes to. @param runnerUp null where nobody else competed. */
export function secondPriceMicros(winner: BidPart, runnerUp: BidPart | null): number {
  const leastMicros = (runnerUp?.record.price_micros ?? 0) + CENT_MICROS;
  const floorMicros = winner.trace?.floor_micros ?? 0;
  return Math.min(winner.record.price_micros, Math.max(floorMicros, leastMicros));
}
