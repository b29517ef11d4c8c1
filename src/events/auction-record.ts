import Type, { type Static } from 'typebox';

import { AdFormatSchema, Flag, Micros } from './dimensions.ts';

/**
 * The record of one auction, the only one that reports and bills are made of. It is one line of the
 * *money* stream, written before the auction is answered. Names are the report's where the report
 * has one. Prices are integer micro-dollars CPM.
 */

/** One impression asked for: one ad request of the supply report. */
export const ImpRecordSchema = Type.Object({
  zone_id: Type.Integer({ description: 'ad space id' }),
  /** The winner's format, else the first that was offered of video, native, banner. */
  ad_format: AdFormatSchema,
  /** What was offered, as targeting names it: "320x50"; empty for native. */
  sizes: Type.Array(Type.String()),
  interstitial: Flag,
  rewarded: Flag,
  secure: Flag,
  /** The publisher's floor; the lowest, where the formats for sale have floors of their own. */
  floor_micros: Micros,
  filled: Flag,
});

/** What became of a partner that matched. Exactly one for each partner and bid request. */
export const CallOutcomeSchema = Type.Union([
  Type.Literal('bid'),
  Type.Literal('no_bid'),
  Type.Literal('timeout'),
  Type.Literal('error'),
  Type.Literal('throttled'),
]);
export type CallOutcome = Static<typeof CallOutcomeSchema>;

export const CallRecordSchema = Type.Object({
  demand_partner_id: Type.Integer(),
  /** Index in `imps` of the first impression offered; gives the call its dimensions. */
  imp: Type.Integer({ minimum: 0 }),
  lineitem_ids: Type.Array(Type.Integer()),
  outcome: CallOutcomeSchema,
  /** Why: `http_500`, an error code, `malformed`, `bidder_qps`, `nbr_2`, …; empty when nothing to say. */
  reason: Type.String(),
  latency_us: Type.Integer({ minimum: 0 }),
});

/** One bid, with its reason. */
export const BidRecordSchema = Type.Object({
  demand_partner_id: Type.Integer(),
  /** 0 when the bid could not be brought to a line item. */
  lineitem_id: Type.Integer(),
  /** Index in `imps`; −1 when the bid names no impression of the request. */
  imp: Type.Integer({ minimum: -1 }),
  bid_id: Type.String(),
  seat: Type.String(),
  dealid: Type.String(),
  crid: Type.String(),
  adomain: Type.String({ description: 'the first advertiser domain' }),
  ad_format: Type.Union([...AdFormatSchema.anyOf, Type.Literal('')]),
  price_micros: Micros,
  /** 0 won, else the OpenRTB 2.5 loss reason code. */
  loss_reason: Type.Integer({ minimum: 0 }),
  /** 1: the bid was valid and took part in the ranking. */
  in_auction: Flag,
  /** What the buyer pays and what the publisher gets; 0 unless the bid won. */
  clearing_micros: Micros,
  payout_micros: Micros,
});

/**
 * A call to a bidder that this auction makes due, macros substituted. They stand last in the record,
 * so that the courier finds them without reading the rest.
 */
export const NoticeRecordSchema = Type.Object({
  event: Type.Union([Type.Literal('win'), Type.Literal('loss')]),
  /** Index in `bids`. */
  bid: Type.Integer({ minimum: 0 }),
  /** Index in `imps`. */
  imp: Type.Integer({ minimum: 0 }),
  demand_partner_id: Type.Integer(),
  lineitem_id: Type.Integer(),
  /**
   * 0: at once. Else the bid won where the publisher decides, and its loss notice is due at this
   * Unix time in milliseconds, unless a win record has confirmed the impression before.
   */
  unless_won_by_ms: Type.Integer({ minimum: 0 }),
  url: Type.String(),
});

export const AuctionRecordSchema = Type.Object({
  kind: Type.Literal('auction'),
  /** Our id, the id of the bid requests. */
  auction_id: Type.String(),
  /** Incarnation of the data directory that wrote it, 16 hexadecimal digits. */
  node: Type.String(),
  /** The publisher's own request id. */
  request_id: Type.String(),
  /** Unix time in milliseconds at which the request arrived; its UTC day is the report's date. */
  at_ms: Type.Integer(),
  snapshot: Type.String({ description: 'configuration version, epoch.seq' }),
  /** 1: nothing is called, counted or paid. */
  test: Flag,
  /** 1: the publisher decides (`source.fd`), so that a win counts once a beacon confirms it. */
  fd: Flag,
  publisher_id: Type.Integer(),
  property_id: Type.Integer(),
  app_bundle: Type.String(),
  app_site_domain: Type.String(),
  country_code: Type.String({ description: 'ISO 3166-1 alpha-3' }),
  platform_demand: Type.String(),
  platform_supply: Type.String(),
  os: Type.String(),
  categories: Type.Array(Type.String(), { description: 'of the app or site' }),
  language: Type.String({ description: 'ISO 639-1 alpha-2' }),
  connectiontype: Type.Integer({ description: 'OpenRTB list 5.22; 0 is unknown' }),
  has_location: Flag,
  imps: Type.Array(ImpRecordSchema),
  calls: Type.Array(CallRecordSchema),
  bids: Type.Array(BidRecordSchema),
  /** Losing bids that were left out because the auction had more than a record holds. */
  bids_dropped: Type.Integer({ minimum: 0 }),
  notices: Type.Array(NoticeRecordSchema),
});

export type ImpRecord = Static<typeof ImpRecordSchema>;
export type CallRecord = Static<typeof CallRecordSchema>;
export type BidRecord = Static<typeof BidRecordSchema>;
export type NoticeRecord = Static<typeof NoticeRecordSchema>;
export type AuctionRecord = Static<typeof AuctionRecordSchema>;
