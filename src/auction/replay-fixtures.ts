import type { ReplayAuction, ReplayBid, ReplayTrace } from './replay.ts';

/** A bid in both of its records; what a test needs of it otherwise it says. */
export type RecordedBid = Partial<ReplayBid> & Partial<ReplayTrace['bids'][number]>;

/**
 * An auction for one impression of ad space 4001 with a publisher's floor of 0.10 USD, of which
 * publishers get 80 %. Bids that are not said to be refused competed.
 */
export function aRecordedAuction(
  bids: readonly RecordedBid[],
  differs: Partial<ReplayAuction> = {},
): ReplayAuction {
  return {
    auction_id: 'auction',
    imps: [{ zone_id: 4001, floor_micros: 100_000, filled: 1 }],
    bids: bids.map((bid, index) => ({
      demand_partner_id: 1001 + index,
      imp: 0,
      bid_id: `b${index}`,
      dealid: '',
      price_micros: 1_000_000,
      loss_reason: 0,
      in_auction: (bid.loss_reason ?? 0) === 0 || bid.loss_reason === 102 ? 1 : 0,
      clearing_micros: 0,
      payout_micros: 0,
      ...bid,
    })),
    bids_dropped: 0,
    trace: {
      revenue_share_bps: 8_000,
      imps: [{ first_price: 0 }],
      bids: bids.map((bid) => ({
        floor_micros: 100_000,
        lineitem_floor_micros: 0,
        deal_type: '',
        group: -1,
        min_to_win_micros: -1,
        out: 0,
        ...bid,
      })),
    },
    ...differs,
  };
}
