import Type, { type Static, type TSchema } from 'typebox';

/**
 * The answer of `GET /api/auctions/{id}/`: an auction as its operator sees it, or the part of it that
 * is one demand partner's. Prices are US dollars CPM. What is not known is null: the auction's record
 * is kept for two weeks, its trace for a week, and not of every auction without a winner. Each part
 * has a `sentence` that says it in words.
 */

const Sentence = Type.String({ description: 'the same in words' });
const Id = Type.Integer();
const Cpm = Type.Number({ minimum: 0, description: 'US dollars CPM' });
const Time = Type.String({ description: 'ISO 8601, UTC' });
const Milliseconds = Type.Number({ minimum: 0 });

/** A demand partner by its id. */
export const NamedSchema = Type.Object(
  {
    id: Id,
    name: nullable(Type.String({ description: 'in the present configuration' })),
  },
  { title: 'Named' },
);

/** Which configuration the auction went by, and which one names and line items are taken from. */
const ConfigurationSchema = Type.Object(
  {
    version: Type.String({ description: 'epoch.seq, of the auction' }),
    present_version: Type.String(),
    is_present: Type.Boolean(),
    sentence: Sentence,
  },
  { title: 'AuctionConfiguration' },
);

const TraceSchema = Type.Object(
  { is_kept: Type.Boolean(), sentence: Sentence },
  { title: 'AuctionTrace' },
);

/** Where the ad was to appear, by the ids that bid requests carry. */
const PlaceSchema = Type.Object(
  {
    publisher_id: Id,
    property_id: Type.Integer({ description: 'the app or site' }),
    app_bundle: Type.String(),
    app_site_domain: Type.String(),
    categories: Type.Array(Type.String()),
  },
  { title: 'Place' },
);

/** What reports know of device and person. */
const AudienceSchema = Type.Object(
  {
    country: Type.String({ description: 'ISO 3166-1 alpha-3; empty is unknown' }),
    platform: Type.String(),
    os: Type.String(),
    language: Type.String({ description: 'ISO 639-1 alpha-2' }),
    connectiontype: Type.Integer({ description: 'OpenRTB list 5.22; 0 is unknown' }),
    has_location: Type.Boolean({ description: 'the publisher sent coordinates' }),
  },
  { title: 'Audience' },
);

/** One impression as it was offered. */
const OfferedImpProperties = {
  imp: Type.Integer({ description: "index among the publisher's impressions, from 0" }),
  ad_space_id: Id,
  sizes: Type.Array(Type.String()),
  interstitial: Type.Boolean(),
  rewarded: Type.Boolean(),
  secure: Type.Boolean(),
};
const OfferedImpSchema = Type.Object(OfferedImpProperties, { title: 'OfferedImp' });

/** One impression whole: who was where in the ranking, and how the price came about. */
const ImpSchema = Type.Object(
  {
    ...OfferedImpProperties,
    ad_space_name: nullable(Type.String()),
    formats: nullable(Type.Array(Type.String())),
    floor_cpm: Cpm,
    is_first_price: nullable(Type.Boolean()),
    filled: Type.Boolean(),
    ranking: Type.Array(Type.Integer(), {
      description: 'indexes in `bids` of those that competed to the end, the best first',
    }),
    price: nullable(
      Type.Object({
        rule: nullable(Type.Enum(['first_price', 'second_price', 'fixed_price'])),
        bid_cpm: Cpm,
        floor_cpm: nullable(Cpm),
        runner_up: nullable(
          Type.Integer({ description: 'index in `bids` of the best of another demand partner' }),
        ),
        clearing_cpm: Cpm,
        payout_cpm: Type.Number({ minimum: 0, description: 'what the publisher gets' }),
      }),
    ),
    sentence: Sentence,
  },
  { title: 'Imp' },
);

const CallSchema = Type.Object(
  {
    demand_partner: NamedSchema,
    request_id: nullable(Type.String({ description: '`BidRequest.id`' })),
    outcome: Type.Enum(['bid', 'no_bid', 'timeout', 'error', 'throttled']),
    reason: Type.String({ description: 'empty when there is nothing to say' }),
    detail: nullable(Type.String({ description: 'what was wrong with the answer' })),
    imps: Type.Array(Type.Integer(), { description: 'the impressions that were offered' }),
    deals: nullable(Type.Array(Type.String())),
    line_items: Type.Array(NamedSchema, { description: 'the line items that matched' }),
    at: nullable(Type.Integer({ description: '`BidRequest.at`; null also where it was absent' })),
    sent_after_ms: nullable(Milliseconds),
    tmax_ms: nullable(Milliseconds),
    answered_after_ms: nullable(Milliseconds),
    status: nullable(Type.Integer({ description: 'of HTTP' })),
    response_bytes: nullable(Type.Integer({ minimum: 0 })),
    request: nullable(Type.String({ description: 'as sent, without what identifies a person' })),
    response: nullable(Type.String()),
    sentence: Sentence,
  },
  { title: 'Call' },
);

const BidSchema = Type.Object(
  {
    bid: Type.Integer({ description: 'index among the bids of the auction that are recorded' }),
    demand_partner: NamedSchema,
    line_item: nullable(NamedSchema),
    imp: nullable(Type.Integer({ description: 'null where the bid names none that was offered' })),
    bid_id: Type.String(),
    seat: Type.String(),
    dealid: Type.String(),
    crid: Type.String(),
    adomain: Type.String({ description: 'the first' }),
    ad_format: Type.String(),
    group: nullable(Type.Integer({ description: 'bids of one number win together or not at all' })),
    bid_cpm: nullable(Cpm),
    floor_cpm: nullable(Cpm),
    won: Type.Boolean(),
    loss_reason: Type.Integer({ description: '0 won, else OpenRTB 2.5 list 5.25' }),
    loss_reason_text: Type.String(),
    detail: nullable(Type.String({ description: 'the values that were compared' })),
    min_to_win_cpm: nullable(Type.Number({ description: 'the lowest bid that would have won' })),
    clearing_cpm: nullable(Type.Number({ description: 'what the buyer pays' })),
    sentence: Sentence,
  },
  { title: 'Bid' },
);

const LineItemSchema = Type.Object(
  {
    id: Id,
    name: Type.String(),
    status: Type.String(),
    refusals: Type.Array(
      Type.Object({
        imp: Type.Integer(),
        format: Type.String(),
        key: Type.String({ description: 'the first key of targeting that refuses' }),
      }),
    ),
    sentence: Sentence,
  },
  { title: 'RefusingLineItem' },
);

/** A partner without any bid request of the auction, also none that a limit held back. */
const NotCalledSchema = Type.Object(
  {
    demand_partner: NamedSchema,
    reason: Type.Enum([
      'not_active',
      'no_bidder',
      'no_line_items',
      'targeting',
      'location_withheld',
      'unexplained',
    ]),
    line_items: Type.Array(LineItemSchema),
    sentence: Sentence,
  },
  { title: 'NotCalled' },
);

const BeaconSchema = Type.Object(
  {
    kind: Type.Enum(['win', 'impression', 'view', 'click']),
    imp: Type.Integer(),
    at: Time,
    sentence: Sentence,
  },
  { title: 'Beacon' },
);

const NoticeSchema = Type.Object(
  {
    event: Type.Enum(['win', 'billing', 'loss']),
    demand_partner: NamedSchema,
    imp: Type.Integer(),
    bid: nullable(Type.Integer()),
    url: Type.String({ description: 'macros substituted' }),
    due_at: Time,
    state: Type.Enum(['delivered', 'given_up', 'pending', 'called_once', 'held', 'not_due'], {
      description:
        '`called_once`: a loss, whose delivery is not recorded; `held`: a loss unless the publisher ' +
        'takes the bid; `not_due`: it has taken it',
    }),
    tries: nullable(Type.Integer()),
    status: nullable(Type.Integer({ description: 'of HTTP, the last answer' })),
    done_at: nullable(Time),
    sentence: Sentence,
  },
  { title: 'Notice' },
);

const commonProperties = {
  id: Type.String(),
  at: Time,
  test: Type.Boolean({ description: 'nothing is called, counted or paid' }),
  publisher_decides: Type.Boolean({ description: 'a win counts once a beacon confirms it' }),
  place: PlaceSchema,
  configuration: ConfigurationSchema,
  trace: TraceSchema,
  calls: Type.Array(CallSchema),
  bids: Type.Array(BidSchema),
  beacons: Type.Array(BeaconSchema),
  notices: Type.Array(NoticeSchema),
  sentence: Sentence,
};

/** The whole auction. */
export const OperatorAuctionSchema = Type.Object(
  {
    view: Type.Literal('operator'),
    ...commonProperties,
    request_id: Type.String({ description: "the publisher's own" }),
    publisher_name: nullable(Type.String()),
    property_name: nullable(Type.String()),
    audience: AudienceSchema,
    tmax_ms: nullable(Milliseconds),
    duration_ms: nullable(Milliseconds),
    imps: Type.Array(ImpSchema),
    bids_dropped: Type.Integer({ minimum: 0, description: 'losing bids that are not recorded' }),
    not_called: Type.Array(NotCalledSchema),
    not_called_dropped: Type.Integer({ minimum: 0, description: 'partners that are not shown' }),
  },
  { title: 'OperatorAuction' },
);

/** One demand partner's part: what it was told, what it answered, and what became of it. */
export const PartnerAuctionSchema = Type.Object(
  {
    view: Type.Literal('demand-partner'),
    ...commonProperties,
    demand_partner: NamedSchema,
    audience: nullable(AudienceSchema),
    imps: Type.Array(OfferedImpSchema),
    not_matched: Type.Array(LineItemSchema, {
      description: "the partner's line items that none of its bid requests was for",
    }),
  },
  { title: 'PartnerAuction' },
);

export const AuctionViewSchema = Type.Union([OperatorAuctionSchema, PartnerAuctionSchema], {
  title: 'Auction',
});

export type OperatorAuction = Static<typeof OperatorAuctionSchema>;
export type PartnerAuction = Static<typeof PartnerAuctionSchema>;
export type AuctionView = OperatorAuction | PartnerAuction;
export type NamedView = Static<typeof NamedSchema>;
export type ImpView = Static<typeof ImpSchema>;
export type OfferedImpView = Static<typeof OfferedImpSchema>;
export type PriceView = NonNullable<ImpView['price']>;
export type CallView = Static<typeof CallSchema>;
export type BidView = Static<typeof BidSchema>;
export type LineItemView = Static<typeof LineItemSchema>;
export type NotCalledView = Static<typeof NotCalledSchema>;
export type BeaconView = Static<typeof BeaconSchema>;
export type NoticeView = Static<typeof NoticeSchema>;

/** A value that may be unknown, which is null. */
export function nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()]);
}
