import Type, { type Static } from 'typebox';
import { NamedSchema, nullable } from './schema.ts';

/**
 * The answer of `GET /api/auctions/`: auctions in short, to be opened at `GET /api/auctions/{id}/`. To
 * a demand partner the names of publisher, property and ad spaces are null, and its own calls and bids
 * are all that is told.
 */

const Id = Type.Integer();

const ListedAdSpaceSchema = Type.Object(
  {
    id: Id,
    name: nullable(Type.String()),
    ad_format: Type.String(),
    filled: nullable(Type.Boolean({ description: 'told to operators alone' })),
  },
  { title: 'ListedAdSpace' },
);

const ListedCallSchema = Type.Object(
  {
    demand_partner: NamedSchema,
    outcome: Type.Enum(['bid', 'no_bid', 'timeout', 'error', 'throttled']),
    reason: Type.String({ description: 'empty when there is nothing to say' }),
    answered_after_ms: nullable(Type.Number({ minimum: 0 })),
  },
  { title: 'ListedCall' },
);

const ListedBidSchema = Type.Object(
  {
    demand_partner: NamedSchema,
    lineitem_id: nullable(Id),
    bid_cpm: nullable(Type.Number({ minimum: 0, description: 'US dollars CPM' })),
    won: Type.Boolean(),
    loss_reason: Type.Integer({ description: '0 won, else OpenRTB 2.5 list 5.25' }),
    loss_reason_text: Type.String(),
    clearing_cpm: nullable(Type.Number({ minimum: 0, description: 'what the buyer pays' })),
  },
  { title: 'ListedBid' },
);

export const ListedAuctionSchema = Type.Object(
  {
    id: Type.String(),
    at: Type.String({ format: 'date-time', description: 'ISO 8601, UTC' }),
    test: Type.Boolean({ description: 'nothing is called, counted or paid' }),
    publisher_id: Id,
    publisher_name: nullable(Type.String({ description: 'in the present configuration' })),
    property_id: Id,
    property_name: nullable(Type.String()),
    app_bundle: Type.String(),
    app_site_domain: Type.String(),
    country: nullable(
      Type.String({
        description:
          'ISO 3166-1 alpha-3; empty is unknown. Null, as platform and os, to a partner that was sent nothing',
      }),
    ),
    platform: nullable(Type.String()),
    os: nullable(Type.String()),
    ad_spaces: Type.Array(ListedAdSpaceSchema, {
      description:
        'one for each impression; to a partner those that its bid requests are known for',
    }),
    calls: Type.Array(ListedCallSchema),
    bids: Type.Array(ListedBidSchema),
    sentence: Type.String({ description: 'the same in words' }),
  },
  { title: 'ListedAuction' },
);

export type ListedAuction = Static<typeof ListedAuctionSchema>;
