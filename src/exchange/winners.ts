import type { Candidate } from '../auction/offer.ts';
import { shareOf } from '../base/money.ts';
import { LossReason } from '../openrtb/loss-reason.ts';
import { substituteMacros } from '../auction/macros.ts';
import type { SettledBid } from './settle.ts';
import type { Slot } from './slots.ts';

/** A winner, with what it costs the buyer and brings the publisher. */
export interface Winner {
  readonly candidate: Candidate;
  /** What the buyer pays and what the publisher gets, in micro-dollars CPM. */
  readonly clearingMicros: number;
  readonly payoutMicros: number;
  /** What the publisher is told, on its own basis: the payout, or the clearing price. */
  readonly toldMicros: number;
  /** The bid's markup with its macros substituted, otherwise untouched. */
  readonly adm: string;
}

/** The winners by slot. */
export function findWinners(
  slots: readonly Slot[],
  bids: readonly SettledBid[],
): ReadonlyMap<number, Winner> {
  const winners = new Map<number, Winner>();
  for (const settled of bids) {
    const { candidate } = settled;
    if (settled.reason !== LossReason.Won || candidate === null) continue;
    const slot = slots[candidate.imp.slot];
    if (slot === undefined)
      throw new Error(`a winner for slot ${candidate.imp.slot} of ${slots.length}`);
    const { publisher } = slot.space;
    const { clearingMicros } = settled;
    const payoutMicros = shareOf(clearingMicros, publisher.revenueShareBps);
    winners.set(candidate.imp.slot, {
      candidate,
      clearingMicros,
      payoutMicros,
      toldMicros: publisher.priceBasis === 'net' ? payoutMicros : clearingMicros,
      adm: fillMacros(settled, candidate),
    });
  }
  return winners;
}

/** Markup is substituted and otherwise left as it came. */
function fillMacros(settled: SettledBid, candidate: Candidate): string {
  const { bid, imp, priceMicros } = candidate;
  const { adm } = bid;
  if (adm === undefined) throw new Error(`bid ${bid.id} won without markup`);
  const { requestId, answer } = settled.result;
  const values = {
    auctionId: requestId,
    bidId: answer?.bidid ?? null,
    impId: imp.id,
    seatId: settled.seat ?? null,
    adId: bid.adid ?? null,
    priceMicros: settled.clearingMicros,
    bidMicros: priceMicros,
    lossReason: settled.reason,
    minToWinMicros: null,
    clickUrl: null,
  };
  return substituteMacros(adm, values, 'markup');
}
