import ipaddr from 'ipaddr.js';
import Type, { type Static } from 'typebox';
import {
  DOMAIN,
  EMAIL,
  NAME,
  REVIEW_POLICY,
  SELLER_ID,
  SHARE,
  TRAFFIC_TREATMENT,
  list,
  mapping,
  nullable,
  whole,
} from '../fields.ts';
import { BLOCKING_KEYS } from './blocking-schema.ts';

const TMAX_LIMIT_MS = 10_000;
/** As of bidders: vendor ids have 16 bits in a consent string. */
const GVL_ID_MAX = 65_535;

const ADDRESS_RANGE = Type.Refine(
  Type.String({ maxLength: 64, description: 'a CIDR range such as 10.0.0.0/8 or fd00::/8' }),
  (text) => typeof text === 'string' && ipaddr.isValidCIDR(text),
);

/** The exchange's own settings. */
export const ExchangeSchema = mapping('the exchange', {
  name: Type.Optional(NAME),
  ...BLOCKING_KEYS,
  allow_private_addresses: Type.Optional(list(ADDRESS_RANGE, 'address ranges', 100)),
  allow_private_webhooks: Type.Optional(list(ADDRESS_RANGE, 'address ranges', 100)),
  tmax_default_ms: Type.Optional(whole(1, TMAX_LIMIT_MS)),
  tmax_max_ms: Type.Optional(whole(1, TMAX_LIMIT_MS)),
  trace_share: Type.Optional(SHARE),
  trace_bodies_share: Type.Optional(SHARE),
  loss_notice_price: Type.Optional(
    Type.Boolean({
      description:
        'true if a loss notice tells the clearing price, or false if ${AUCTION_PRICE} is empty there',
    }),
  ),
  required_bid_fields: Type.Optional(
    list(
      Type.Union(
        [Type.Literal('adomain'), Type.Literal('cat'), Type.Literal('crid'), Type.Literal('iurl')],
        { description: 'one of adomain, cat, crid, iurl' },
      ),
      'fields that a bid must have',
      4,
    ),
  ),
  adomains_max: Type.Optional(nullable(whole(1, 100))),
  creative_review: Type.Optional(REVIEW_POLICY),
  domain: Type.Optional(nullable(DOMAIN)),
  payment_id: Type.Optional(nullable(SELLER_ID)),
  tag_id: Type.Optional(nullable(SELLER_ID)),
  contact_email: Type.Optional(nullable(EMAIL)),
  contact_address: Type.Optional(nullable(NAME)),
  invalid_traffic: Type.Optional(TRAFFIC_TREATMENT),
  gvl_id: Type.Optional(nullable(whole(1, GVL_ID_MAX))),
  require_second_factor: Type.Optional(
    Type.Boolean({
      description:
        'true if people need a second factor for all that they change in the console, or false',
    }),
  ),
});

export type ExchangeInput = Static<typeof ExchangeSchema>;
