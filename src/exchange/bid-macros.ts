import type { MacroValues } from '../auction/macros.ts';
import type { Bid } from '../openrtb/bid-response.ts';
import { LossReason } from '../openrtb/loss-reason.ts';
import type { SettledBid } from './settle.ts';

/** What the macros in a bid's markup and notices stand for, as they are told to its bidder. */
export function macrosOf(
  settled: SettledBid,
  bid: Bid,
  differs: Partial<MacroValues> = {},
): MacroValues {
  const { result, imp, seat, reason, clearingMicros, minToWinMicros } = settled;
  return {
    auctionId: result.requestId,
    bidId: result.answer?.bidid ?? null,
    impId: imp?.id ?? bid.impid,
    seatId: seat ?? null,
    adId: bid.adid ?? null,
    priceMicros: reason === LossReason.Won ? clearingMicros : null,
    bidMicros: (settled.candidate ?? settled.refusal)?.priceMicros ?? null,
    lossReason: reason,
    minToWinMicros,
    clickUrl: null,
    ...differs,
  };
}
