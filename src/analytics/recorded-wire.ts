import Type, { type Static } from 'typebox';

import { BidRecordSchema, ImpRecordSchema } from '../events/auction-record.ts';
import { Flag } from '../events/dimensions.ts';
import { AuctionTraceSchema } from '../events/trace-record.ts';

/** As many auctions come at once, and as many as a question should be about. */
export const PAGE_AUCTIONS_MAX = 5_000;
export const PAGE_AUCTIONS = 2_000;
/** A sample is a share of all auctions, in millionths. */
export const WHOLE_PPM = 1_000_000;

const Id = Type.Integer({ minimum: 0 });

/** Which recorded auctions are meant: those of a time, and those that pass the filters. */
export const AuctionChoiceSchema = Type.Object(
  {
    /** Unix times in milliseconds; the last one is outside. */
    from_ms: Type.Integer({ minimum: 0 }),
    to_ms: Type.Integer({ minimum: 0, maximum: Date.UTC(2100, 0) }),
    /** 0 is any of them. */
    publisher_id: Id,
    /** An ad space that the auction was about. */
    zone_id: Id,
    /** A demand partner that bid. */
    demand_partner_id: Id,
  },
  { additionalProperties: false },
);
export type AuctionChoice = Static<typeof AuctionChoiceSchema>;

/** How many of the chosen auctions there are in each minute that has any, in order. */
export const MinutesSchema = Type.Array(
  Type.Object({
    /** Unix time in milliseconds at which the minute begins. */
    at_ms: Type.Integer({ minimum: 0 }),
    auctions: Type.Integer({ minimum: 0 }),
  }),
);
export type Minutes = Static<typeof MinutesSchema>;

/** The last auction of a page, behind which the next one begins. */
export const CursorSchema = Type.Object(
  { at_ms: Id, auction_id: Type.String({ maxLength: 100 }) },
  { additionalProperties: false },
);
export type Cursor = Static<typeof CursorSchema>;

export const PageQuestionSchema = Type.Object(
  {
    ...AuctionChoiceSchema.properties,
    /** How many of a million auctions, chosen by their ids and this text; see `WHOLE_PPM`. */
    sample_ppm: Type.Integer({ minimum: 1, maximum: WHOLE_PPM }),
    seed: Type.String({ maxLength: 200 }),
    /** Null asks for the first page. */
    after: Type.Union([Type.Null(), CursorSchema]),
  },
  { additionalProperties: false },
);
export type PageQuestion = Static<typeof PageQuestionSchema>;

/** Of a trace what the auction is decided from; the rest of it may be large. */
export const RecordedTraceSchema = Type.Object({
  ...Type.Pick(AuctionTraceSchema, ['revenue_share_bps']).properties,
  imps: Type.Array(Type.Pick(AuctionTraceSchema.properties.imps.items, ['first_price'])),
  bids: Type.Array(
    Type.Pick(AuctionTraceSchema.properties.bids.items, [
      'floor_micros',
      'lineitem_floor_micros',
      'deal_type',
      'group',
      'min_to_win_micros',
      'out',
    ]),
  ),
});
export type RecordedTrace = Static<typeof RecordedTraceSchema>;

/** An auction from both of its records, and which of its impressions were billed. */
export const RecordedAuctionSchema = Type.Object({
  auction_id: Type.String(),
  publisher_id: Id,
  at_ms: Id,
  imps: Type.Array(
    Type.Object({
      ...Type.Pick(ImpRecordSchema, ['zone_id', 'floor_micros', 'filled']).properties,
      billed: Flag,
    }),
  ),
  bids: Type.Array(
    Type.Pick(BidRecordSchema, [
      'demand_partner_id',
      'imp',
      'bid_id',
      'dealid',
      'price_micros',
      'loss_reason',
      'in_auction',
      'clearing_micros',
      'payout_micros',
    ]),
  ),
  bids_dropped: Type.Integer({ minimum: 0 }),
  /** Null where it was not kept. */
  trace: Type.Union([Type.Null(), RecordedTraceSchema]),
});
export type RecordedAuction = Static<typeof RecordedAuctionSchema>;

export const RecordedPageSchema = Type.Object({
  auctions: Type.Array(RecordedAuctionSchema),
  /** Where to go on; null at the end. */
  next: Type.Union([Type.Null(), CursorSchema]),
});
export type RecordedPage = Static<typeof RecordedPageSchema>;
