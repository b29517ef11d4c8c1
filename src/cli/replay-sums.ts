import type { ReplayAuction, ReplayChange, ReplayedBid } from '../auction/replay.ts';
import { isMeant } from '../auction/replay.ts';
import { LossReason } from '../openrtb/loss-reason.ts';

/** What a number of auctions came to. Money is a sum of micro-dollars CPM: 1e9 are one dollar. */
export interface Sums {
  /** Filled impressions; each has one winner. */
  filled: number;
  /** What buyers pay, and what publishers get, if every winner is shown. */
  grossCpmMicros: bigint;
  payoutCpmMicros: bigint;
}

/** One win that is counted. */
export interface CountedWin {
  readonly zoneId: number;
  readonly demandPartnerId: number;
  readonly clearingMicros: number;
  readonly payoutMicros: number;
  readonly isUnchecked: boolean;
}

export function noSums(): Sums {
  return { filled: 0, grossCpmMicros: 0n, payoutCpmMicros: 0n };
}

export function addWin(sums: Sums, win: Pick<CountedWin, 'clearingMicros' | 'payoutMicros'>): void {
  sums.filled += 1;
  sums.grossCpmMicros += BigInt(win.clearingMicros);
  sums.payoutCpmMicros += BigInt(win.payoutMicros);
}

/** The wins that an auction's record holds, of the impressions that are meant. */
export function recordedWins(auction: ReplayAuction, change: ReplayChange): CountedWin[] {
  return winsOf(auction, change, (index) => {
    const bid = auction.bids[index];
    if (bid?.loss_reason !== LossReason.Won) return null;
    const { clearing_micros: clearingMicros, payout_micros: payoutMicros } = bid;
    return { clearingMicros, payoutMicros, isUnchecked: false };
  });
}

/** The wins of an auction that was decided again. */
export function replayedWins(
  auction: ReplayAuction,
  change: ReplayChange,
  replayed: readonly ReplayedBid[],
): CountedWin[] {
  return winsOf(auction, change, (index) => {
    const bid = replayed[index];
    return bid?.reason === LossReason.Won ? bid : null;
  });
}

function winsOf(
  { imps, bids }: ReplayAuction,
  change: ReplayChange,
  priceOf: (
    index: number,
  ) => Pick<CountedWin, 'clearingMicros' | 'payoutMicros' | 'isUnchecked'> | null,
): CountedWin[] {
  const wins: CountedWin[] = [];
  for (const [index, { imp: slot, demand_partner_id: demandPartnerId }] of bids.entries()) {
    const imp = imps[slot];
    const price = imp !== undefined && isMeant(imp, change) ? priceOf(index) : null;
    if (imp === undefined || price === null) continue;
    const { clearingMicros, payoutMicros, isUnchecked } = price;
    wins.push({
      zoneId: imp.zone_id,
      demandPartnerId,
      clearingMicros,
      payoutMicros,
      isUnchecked,
    });
  }
  return wins;
}
