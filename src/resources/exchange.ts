import ipaddr from 'ipaddr.js';
import Type, { type Static } from 'typebox';
import { BLOCKING } from './blocking.ts';
import { FieldTable } from './field-table.ts';
import {
  domainOrNull,
  flag,
  json,
  number,
  numberOrNull,
  share,
  text,
  textOrNull,
} from './field.ts';
import {
  EMAIL,
  GVL_ID,
  NAME,
  REVIEW_POLICY,
  SELLER_ID,
  TRAFFIC_TREATMENT,
  list,
  mapping,
  whole,
} from './vocabulary.ts';

const TMAX_LIMIT_MS = 10_000;

const ADDRESS_RANGE = Type.Refine(
  Type.String({ maxLength: 64, description: 'a CIDR range such as 10.0.0.0/8 or fd00::/8' }),
  (range) => typeof range === 'string' && ipaddr.isValidCIDR(range),
);

const BID_FIELD = Type.Enum(['adomain', 'cat', 'crid', 'iurl'], {
  description: 'one of adomain, cat, crid, iurl',
});

/** The exchange's own settings. */
export const EXCHANGE = new FieldTable({
  name: text(NAME, 'Rialto'),
  ...BLOCKING,
  /** Ranges of private addresses that bidders and notices may live at. */
  allow_private_addresses: json(list(ADDRESS_RANGE, 'address ranges', 100), '[]'),
  /** Time for an auction when the publisher's request names none. */
  tmax_default_ms: number(whole(1, TMAX_LIMIT_MS), 300),
  /** The longest time that a publisher's request may ask for. */
  tmax_max_ms: number(whole(1, TMAX_LIMIT_MS), 1_000),
  /** Part of the auctions without a winner whose trace is kept. All wins are kept. */
  trace_share: share(100, { column: 'trace_share_bps' }),
  /** Part of all auctions whose trace holds what was sent and answered. */
  trace_bodies_share: share(100, { column: 'trace_bodies_bps' }),
  loss_notice_price: flag(
    1,
    {},
    Type.Boolean({
      description:
        'true if a loss notice tells the clearing price, or false if ${AUCTION_PRICE} is empty there',
    }),
  ),
  /** What the exchange wants of every bid, beyond what OpenRTB requires. */
  required_bid_fields: json(list(BID_FIELD, 'fields that a bid must have', 4), '[]', {
    entity: 'fields',
    group: 'bidRequirements',
  }),
  /** The most advertiser domains that a bid may name; null is no limit. */
  adomains_max: numberOrNull(whole(1, 100), { group: 'bidRequirements' }),
  /** Whether creatives have to be approved by the operator before they are shown anywhere. */
  creative_review: text(REVIEW_POLICY, 'none'),
  /** Where the exchange's sellers are listed: its `asi` in supply chains; null names it in none. */
  domain: domainOrNull(),
  /** Its id in payment chains; null names it in none. */
  payment_id: textOrNull(SELLER_ID),
  /** Its id at the Trustworthy Accountability Group; null is none. */
  tag_id: textOrNull(SELLER_ID),
  /** Whom sellers.json names for questions; null names nobody. */
  contact_email: textOrNull(EMAIL),
  contact_address: textOrNull(NAME),
  invalid_traffic: text(TRAFFIC_TREATMENT, 'ignore'),
  /** The exchange's own vendor id, for what it keeps in browsers; null leaves that to others. */
  gvl_id: numberOrNull(GVL_ID),
  require_second_factor: flag(
    0,
    { entity: null },
    Type.Boolean({
      description:
        'true if people need a second factor for all that they change in the console, or false',
    }),
  ),
});

export const ExchangeSchema = mapping('the exchange', EXCHANGE.inputs);

export type ExchangeInput = Static<typeof ExchangeSchema>;
