import Type, { type Static } from 'typebox';
import {
  CATEGORY,
  DOMAIN,
  ID,
  NAME,
  REVIEW_POLICY,
  SELLER_ID,
  SHARE,
  STATUS,
  TRAFFIC_TREATMENT,
  YES_OR_NO,
  list,
  mapping,
  nullable,
} from '../fields.ts';
import { BLOCKING_KEYS } from './blocking-schema.ts';
import { FLOORS } from './floors-schema.ts';

/** Who sells. Its apps, sites, users and account are resources of their own. */
export const PublisherSchema = mapping('a publisher', {
  id: ID,
  name: Type.Optional(NAME),
  status: Type.Optional(STATUS),
  revenue_share: Type.Optional(SHARE),
  price_basis: Type.Optional(Type.Enum(['net', 'gross'], { description: 'net or gross' })),
  confirms_wins: Type.Optional(
    Type.Boolean({
      description:
        'true if the publisher decides which bid it shows, so that a win counts once it is confirmed, or false',
    }),
  ),
  seat_non_bids: Type.Optional(
    Type.Enum(['none', 'pseudonyms', 'seats'], {
      description:
        'none, or what it may be told of who lost where it asks: pseudonyms of the demand partners, or seats, which are their ids',
    }),
  ),
  creative_review: Type.Optional(REVIEW_POLICY),
  seller_id: Type.Optional(nullable(SELLER_ID)),
  aliases: Type.Optional(list(SELLER_ID, 'other ids that its requests may name it by', 100)),
  seller_type: Type.Optional(
    Type.Enum(['PUBLISHER', 'INTERMEDIARY', 'BOTH'], {
      description: 'PUBLISHER, INTERMEDIARY or BOTH',
    }),
  ),
  invalid_traffic: Type.Optional(nullable(TRAFFIC_TREATMENT)),
  domain: Type.Optional(nullable(DOMAIN)),
  categories: Type.Optional(list(CATEGORY, 'content categories')),
  hide_names: Type.Optional(YES_OR_NO),
  floors: FLOORS,
  ...BLOCKING_KEYS,
});

export type PublisherInput = Static<typeof PublisherSchema>;
