import { LossReason } from '../openrtb/loss-reason.ts';
import type { ReplayAuction, ReplayBid, ReplayedBid } from './replay.ts';

/** What is wrong with an auction's records before anything is decided; null when nothing is. */
export function objectToRecords({ imps, bids, trace }: ReplayAuction): string | null {
  if (trace === null) return null;
  if (trace.imps.length !== imps.length) {
    return `the record has ${imps.length} impressions, its trace ${trace.imps.length}`;
  }
  if (trace.bids.length !== bids.length) {
    return `the record has ${bids.length} bids, its trace ${trace.bids.length}`;
  }
  const lost = bids.findIndex(
    ({ imp, in_auction }) => imp >= imps.length || (imp < 0 && in_auction === 1),
  );
  return lost < 0
    ? null
    : `bid ${lost} is for impression ${String(bids[lost]?.imp)}, which is none`;
}

/**
 * Compares an auction that was decided again, with nothing changed, with what its records say.
 *
 * @returns the first difference in words, prices in micro-dollars CPM; null when there is none.
 */
export function disagreement(
  auction: ReplayAuction,
  replayed: readonly ReplayedBid[],
): string | null {
  for (const [index, bid] of auction.bids.entries()) {
    const found = replayed[index];
    if (found === undefined) return `bid ${index} was not decided`;
    const traced = auction.trace?.bids[index];
    const told = found.competes && traced !== undefined ? traced.min_to_win_micros : null;
    const difference = differenceOf(bid, found, told);
    // Not by its id, which is the bidder's own text.
    if (difference === null) continue;
    return `bid ${index} of partner ${bid.demand_partner_id}: ${difference}`;
  }
  for (const [slot, { filled }] of auction.imps.entries()) {
    const isFilled = auction.bids.some(
      ({ imp }, index) => imp === slot && replayed[index]?.reason === LossReason.Won,
    );
    if (isFilled !== (filled === 1)) {
      return `impression ${slot}: recorded as ${fill(filled === 1)}, decided as ${fill(isFilled)}`;
    }
  }
  return null;
}

/** @param toldMicros the least that would have won, as it was told; null where it is not compared. */
function differenceOf(
  bid: ReplayBid,
  found: ReplayedBid,
  toldMicros: number | null,
): string | null {
  const minToWinMicros = toldMicros === null ? null : (found.minToWinMicros ?? -1);
  const pairs: readonly (readonly [string, number | null, number | null])[] = [
    ['reason', bid.loss_reason, found.reason],
    ['price', bid.clearing_micros, found.clearingMicros],
    ['payout', bid.payout_micros, found.payoutMicros],
    ['minimum to win', toldMicros, minToWinMicros],
  ];
  const differing = pairs.find(([, recorded, decided]) => recorded !== decided);
  if (differing === undefined) return null;
  const [what, recorded, decided] = differing;
  return `${what} recorded as ${String(recorded)}, decided as ${String(decided)}`;
}

function fill(isFilled: boolean): string {
  return isFilled ? 'filled' : 'empty';
}
