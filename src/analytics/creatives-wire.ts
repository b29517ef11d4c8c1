import Type, { type Static } from 'typebox';

/** What control is asked of creatives that were seen, and what it answers. */

const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const Count = Type.Integer({ minimum: 0 });

/** The most creatives of one answer. */
export const CREATIVES_LISTED_MAX = 1_000;

export const CreativesQuestionSchema = Type.Object(
  {
    demand_partner: Type.Optional(Id),
    publisher: Type.Optional(Id),
    /** With a demand partner: this creative alone. */
    crid: Type.Optional(Type.String({ minLength: 1, maxLength: 1_024 })),
    /** Those that wait for a review alone. */
    pending: Type.Optional(Type.Boolean()),
    /** With a sample of their markup. */
    markup: Type.Optional(Type.Boolean()),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: CREATIVES_LISTED_MAX })),
  },
  { additionalProperties: false },
);

const SEEN = {
  /** Unix time in milliseconds. */
  first_seen_ms: Count,
  last_seen_ms: Count,
  wins: Count,
  /** Bids that lost because the creative waits for a review. */
  pending: Count,
};

/** A creative on the ad spaces of one publisher, and where it stands there. */
const PlaceSchema = Type.Object({
  publisher_id: Id,
  ...SEEN,
  verdict: Type.Union([
    Type.Literal('blocked'),
    Type.Literal('approved'),
    Type.Literal('pending'),
    Type.Literal('none'),
  ]),
  /** Who says so, or has to; empty for `none`. */
  by: Type.Union([Type.Literal('operator'), Type.Literal('publisher'), Type.Literal('')]),
  /** The advertiser's domain that the verdict is about; empty where it is the creative. */
  domain: Type.String(),
  reason: Type.String(),
});

export const SeenCreativeSchema = Type.Object({
  demand_partner_id: Id,
  crid: Type.String(),
  /** As its last bid said. */
  adomain: Type.Array(Type.String()),
  ad_format: Type.String(),
  w: Count,
  h: Count,
  markup_bytes: Count,
  /** The beginning of its markup; empty where it was not asked for or not seen. */
  markup: Type.String(),
  ...SEEN,
  places: Type.Array(PlaceSchema),
});

export const CreativesAnswerSchema = Type.Object({
  creatives: Type.Array(SeenCreativeSchema),
  /** There are more than were asked for. */
  more: Type.Boolean(),
});

export type CreativesQuestion = Static<typeof CreativesQuestionSchema>;
export type CreativePlace = Static<typeof PlaceSchema>;
export type SeenCreative = Static<typeof SeenCreativeSchema>;
export type CreativesAnswer = Static<typeof CreativesAnswerSchema>;
