import Type, { type Static } from 'typebox';
import { BLOCKING } from './blocking.ts';
import { FieldTable, operatorsOnly } from './field-table.ts';
import { domainOrNull, flag, json, share, text, textOrNull } from './field.ts';
import { FLOORS } from './floors.ts';
import {
  CATEGORY,
  ID,
  NAME,
  REVIEW_POLICY,
  SELLER_ID,
  STATUS,
  TRAFFIC_TREATMENT,
  list,
  mapping,
} from './vocabulary.ts';

/** What a publisher has agreed on with the operator. */
const AGREED = operatorsOnly({
  name: text(NAME, '', { isNeeded: true }),
  status: text(STATUS, 'ACTIVE'),
  /** Money, which is never guessed. */
  revenue_share: share(0, { column: 'revenue_share_bps', isNeeded: true }),
  /** What an OpenRTB response tells this publisher: its share, or the clearing price. */
  price_basis: text(Type.Enum(['net', 'gross'], { description: 'net or gross' }), 'net'),
  /** As `source.fd` = 1 in each of its requests. */
  confirms_wins: flag(
    0,
    {},
    Type.Boolean({
      description:
        'true if the publisher decides which bid it shows, so that a win counts once it is confirmed, or false',
    }),
  ),
  seat_non_bids: text(
    Type.Enum(['none', 'pseudonyms', 'seats'], {
      description:
        'none, or what it may be told of who lost where it asks: pseudonyms of the demand partners, or seats, which are their ids',
    }),
    'none',
  ),
  /** Whether creatives have to be approved, by it or by the operator, before it shows them. */
  creative_review: text(REVIEW_POLICY, 'none'),
  /** Its id among the exchange's sellers; null is its own id. */
  seller_id: textOrNull(SELLER_ID),
  /** Such as its account at a Prebid Server. */
  aliases: json(list(SELLER_ID, 'other ids that its requests may name it by', 100), '[]'),
  /** Whether it sells what is its own, what is others', or both; as sellers.json spells it. */
  seller_type: text(
    Type.Enum(['PUBLISHER', 'INTERMEDIARY', 'BOTH'], {
      description: 'PUBLISHER, INTERMEDIARY or BOTH',
    }),
    'PUBLISHER',
  ),
  /** Null is as the exchange has it. */
  invalid_traffic: textOrNull(TRAFFIC_TREATMENT),
  domain: domainOrNull(),
  categories: json(list(CATEGORY, 'content categories'), '[]'),
  /** Bidders get the names of the publisher and its apps as blanks. */
  hide_names: flag(0, { entity: 'hidesNames' }),
});

/** Who sells. Its apps, sites, users and account are resources of their own. */
export const PUBLISHER = new FieldTable({ ...AGREED, floors: FLOORS, ...BLOCKING });

export const PublisherSchema = mapping('a publisher', { id: ID, ...PUBLISHER.inputs });

export type PublisherInput = Static<typeof PublisherSchema>;
