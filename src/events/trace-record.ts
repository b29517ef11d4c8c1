import Type, { type Static } from 'typebox';

import { AdFormatSchema, Flag, Micros } from './dimensions.ts';

/**
 * The records of the *trace* stream: what a person wants to read and no report needs. They hold no
 * advertising id and no full IP address, and go first when disk is short.
 */
export const TRACE_SCHEMA = 3;

/**
 * Diagnostics of one auction. Joined to the auction's record by `auction_id`; `imps`, `calls` and
 * `bids` run parallel to its own, and what stands there is not said again here. Together the two are
 * all that the auction can be decided from anew.
 */
export const AuctionTraceSchema = Type.Object({
  kind: Type.Literal('trace'),
  auction_id: Type.String(),
  at_ms: Type.Integer(),
  publisher_id: Type.Integer(),
  /** Every demand partner that was called, or would have been: who may read a part of this. */
  demand_partner_ids: Type.Array(Type.Integer()),
  /** Time for the auction, and what it took from the request's arrival until it was decided. */
  tmax_ms: Type.Integer(),
  duration_us: Type.Integer(),
  /** What nobody is believed to have looked at, and what was done with it; absent for all else. */
  invalid_traffic: Type.Optional(
    Type.Object({
      kind: Type.Enum(['spider', 'datacenter']),
      treatment: Type.Enum(['ignore', 'mark', 'refuse']),
    }),
  ),
  /** The publisher's part of what is paid, in basis points. */
  revenue_share_bps: Type.Integer({ minimum: 0 }),
  imps: Type.Array(
    Type.Object({
      /** All that may fill it: what targeting was asked about. */
      formats: Type.Array(AdFormatSchema),
      first_price: Flag,
    }),
  ),
  calls: Type.Array(
    Type.Object({
      request_id: Type.String({ description: 'BidRequest.id' }),
      /** Impressions that were offered, as indexes, and the deals among them. */
      imps: Type.Array(Type.Integer()),
      deals: Type.Array(Type.String()),
      /** `BidRequest.at`; 0 where it was absent. */
      at: Type.Integer(),
      /** When it was sent, counted from the request's arrival; −1 when it was not. */
      sent_us: Type.Integer(),
      /** `BidRequest.tmax`; 0 when it was not sent. */
      tmax_ms: Type.Integer(),
      /** HTTP status; 0 without an answer. */
      status: Type.Integer(),
      response_bytes: Type.Integer(),
      /** What was wrong with the answer, in words; empty when nothing was. */
      detail: Type.String(),
      /**
       * What was sent and what came back, without what identifies a person; empty unless the exchanged
       * messages of this auction are kept. Of an answer that could not be read the beginning always is.
       */
      request: Type.String(),
      response: Type.String(),
    }),
  ),
  bids: Type.Array(
    Type.Object({
      /** The values that were compared, in words; empty for one that competed to the end. */
      detail: Type.String(),
      /**
       * What it had to reach: its deal's floor, else the highest that applied to its format. 0 for
       * one that was refused for something else before it could compete.
       */
      floor_micros: Micros,
      /** The own floor of its line item, which holds whatever the publisher's is; 0 for none. */
      lineitem_floor_micros: Micros,
      /** `first_price`, `second_price`, `fixed_price`; empty for an open bid. */
      deal_type: Type.String(),
      /** Bids of one number won together or not at all; −1 stands alone. */
      group: Type.Integer({ minimum: -1 }),
      /** The lowest bid that would have won; −1 where none would have, or it cannot be told. */
      min_to_win_micros: Type.Integer({ minimum: -1 }),
      /** 1: its group had lost when another impression's winner was told so, and stayed lost. */
      out: Flag,
    }),
  ),
});

/**
 * A creative that won, or waits for its review, as one exchange process saw it since it last said so.
 */
export const CreativeRecordSchema = Type.Object({
  kind: Type.Literal('creative'),
  /** Unix time in milliseconds of the last of the bids that are counted here, and of the first. */
  at_ms: Type.Integer(),
  first_ms: Type.Integer(),
  demand_partner_id: Type.Integer(),
  publisher_id: Type.Integer(),
  /** The bid's `crid`, else `adid:` and its ad id, else `adm:` and a hash of its markup. */
  crid: Type.String(),
  adomain: Type.Array(Type.String()),
  ad_format: AdFormatSchema,
  /** 0 where the bid does not say. */
  w: Type.Integer(),
  h: Type.Integer(),
  /** The beginning of the markup, macros not substituted; empty where only the counts are news. */
  markup: Type.String(),
  markup_bytes: Type.Integer(),
  wins: Type.Integer({ minimum: 0 }),
  /** Bids that were refused because the creative waits for its review. */
  pending: Type.Integer({ minimum: 0 }),
});

export type AuctionTrace = Static<typeof AuctionTraceSchema>;
export type CreativeRecord = Static<typeof CreativeRecordSchema>;
export type TraceRecord = AuctionTrace | CreativeRecord;
