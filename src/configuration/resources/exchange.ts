import ipaddr from 'ipaddr.js';
import Type, { type Static } from 'typebox';
import { BASIS_POINTS } from '../../base/money.ts';
import type { ExchangeSettings } from '../../snapshot/entities.ts';
import { domainColumn, flagColumn, jsonColumn } from '../columns.ts';
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
import type { Element, Plan } from '../plan.ts';
import type { Row } from '../state.ts';
import {
  BLOCKING_KEYS,
  NOTHING_BLOCKED,
  blockingColumns,
  blockingDocument,
  blockingEntity,
} from './blocking.ts';

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
});

export type ExchangeInput = Static<typeof ExchangeSchema>;

/** What holds until the operator says otherwise. */
const DEFAULT_SETTINGS: Row<'exchange_settings'> = {
  id: 1,
  name: 'Rialto',
  ...NOTHING_BLOCKED,
  allow_private_addresses: '[]',
  tmax_default_ms: 300,
  tmax_max_ms: 1_000,
  trace_share_bps: 100,
  trace_bodies_bps: 100,
  loss_notice_price: 1,
  creative_review: 'none',
  required_bid_fields: '[]',
  adomains_max: null,
  domain: null,
  payment_id: null,
  tag_id: null,
  contact_email: null,
  contact_address: null,
  invalid_traffic: 'ignore',
  gvl_id: null,
};

/** The exchange's settings; those that are not given keep their value, or their default. */
export function planExchange(plan: Plan, element: Element<ExchangeInput>): void {
  const { input, path, unsound } = element;
  const stored = plan.state.exchange;
  const before = stored ?? DEFAULT_SETTINGS;
  const next: Row<'exchange_settings'> = {
    id: before.id,
    name: input.name ?? before.name,
    ...blockingColumns(input, before),
    allow_private_addresses: jsonColumn(
      input.allow_private_addresses,
      before.allow_private_addresses,
    ),
    tmax_default_ms: input.tmax_default_ms ?? before.tmax_default_ms,
    tmax_max_ms: input.tmax_max_ms ?? before.tmax_max_ms,
    trace_share_bps: shareColumn(input.trace_share, before.trace_share_bps),
    trace_bodies_bps: shareColumn(input.trace_bodies_share, before.trace_bodies_bps),
    loss_notice_price: flagColumn(input.loss_notice_price, before.loss_notice_price),
    required_bid_fields: jsonColumn(input.required_bid_fields, before.required_bid_fields),
    adomains_max: input.adomains_max === undefined ? before.adomains_max : input.adomains_max,
    creative_review: input.creative_review ?? before.creative_review,
    domain: domainColumn(input.domain, before.domain),
    payment_id: input.payment_id === undefined ? before.payment_id : input.payment_id,
    tag_id: input.tag_id === undefined ? before.tag_id : input.tag_id,
    contact_email: input.contact_email === undefined ? before.contact_email : input.contact_email,
    contact_address:
      input.contact_address === undefined ? before.contact_address : input.contact_address,
    invalid_traffic: input.invalid_traffic ?? before.invalid_traffic,
    gvl_id: input.gvl_id === undefined ? before.gvl_id : input.gvl_id,
  };
  const comparable = !unsound.has('tmax_default_ms') && !unsound.has('tmax_max_ms');
  if (comparable && next.tmax_default_ms > next.tmax_max_ms) {
    const [longer, longest] = [next.tmax_default_ms, next.tmax_max_ms];
    plan.find(
      [...path, input.tmax_default_ms === undefined ? 'tmax_max_ms' : 'tmax_default_ms'],
      `makes the default time (${longer} ms) longer than the longest one (${longest} ms)`,
    );
  }
  const names = { noun: 'exchange', name: next.name, document: exchangeDocument };
  plan.state.exchange = plan.save({ table: 'exchange_settings', stored, next, path, ...names });
}

/** The settings in the form that people write; the defaults where none were set. */
export function exchangeDocument(
  row: Row<'exchange_settings'> = DEFAULT_SETTINGS,
): Required<ExchangeInput> {
  return {
    name: row.name,
    ...blockingDocument(row),
    allow_private_addresses: JSON.parse(row.allow_private_addresses),
    tmax_default_ms: row.tmax_default_ms,
    tmax_max_ms: row.tmax_max_ms,
    trace_share: row.trace_share_bps / BASIS_POINTS,
    trace_bodies_share: row.trace_bodies_bps / BASIS_POINTS,
    loss_notice_price: row.loss_notice_price === 1,
    required_bid_fields: JSON.parse(row.required_bid_fields),
    adomains_max: row.adomains_max,
    creative_review: row.creative_review,
    domain: row.domain,
    payment_id: row.payment_id,
    tag_id: row.tag_id,
    contact_email: row.contact_email,
    contact_address: row.contact_address,
    invalid_traffic: row.invalid_traffic,
    gvl_id: row.gvl_id,
  };
}

/** A share in basis points. */
function shareColumn(share: number | undefined, before: number): number {
  return share === undefined ? before : Math.round(share * BASIS_POINTS);
}

/** The settings as the exchange works with them; the defaults where none were set. */
export function exchangeEntity(row: Row<'exchange_settings'> = DEFAULT_SETTINGS): ExchangeSettings {
  return {
    kind: 'exchange',
    name: row.name,
    blocking: blockingEntity(row),
    allowPrivateAddresses: JSON.parse(row.allow_private_addresses),
    tmaxDefaultMs: row.tmax_default_ms,
    tmaxMaxMs: row.tmax_max_ms,
    traceShareBps: row.trace_share_bps,
    traceBodiesBps: row.trace_bodies_bps,
    lossNoticePrice: row.loss_notice_price === 1,
    creativeReview: row.creative_review,
    bidRequirements: {
      fields: JSON.parse(row.required_bid_fields),
      adomainsMax: row.adomains_max,
    },
    domain: row.domain,
    paymentId: row.payment_id,
    tagId: row.tag_id,
    contactEmail: row.contact_email,
    contactAddress: row.contact_address,
    invalidTraffic: row.invalid_traffic,
    gvlId: row.gvl_id,
  };
}
