import { BASIS_POINTS } from '../../base/money.ts';
import type { ExchangeSettings } from '../../snapshot/entities.ts';
import { domainColumn, flagColumn, jsonColumn } from '../columns.ts';
import type { Element, Plan } from '../plan.ts';
import type { Row } from '../state.ts';
import { NOTHING_BLOCKED, blockingColumns, blockingDocument, blockingEntity } from './blocking.ts';
import type { ExchangeInput } from './exchange-schema.ts';

/** What holds until the operator says otherwise. */
const DEFAULT_SETTINGS: Row<'exchange_settings'> = {
  id: 1,
  name: 'Rialto',
  ...NOTHING_BLOCKED,
  allow_private_addresses: '[]',
  allow_private_webhooks: '[]',
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
  require_second_factor: 0,
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
    allow_private_webhooks: jsonColumn(input.allow_private_webhooks, before.allow_private_webhooks),
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
    require_second_factor: flagColumn(input.require_second_factor, before.require_second_factor),
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
    allow_private_webhooks: JSON.parse(row.allow_private_webhooks),
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
    require_second_factor: row.require_second_factor === 1,
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
