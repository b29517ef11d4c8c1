import { BASIS_POINTS } from '../../base/money.ts';
import type { Publisher } from '../../snapshot/entities.ts';
import { domainColumn, flagColumn, jsonColumn } from '../columns.ts';
import type { Element, Plan } from '../plan.ts';
import type { Row } from '../state.ts';
import { NOTHING_BLOCKED, blockingColumns, blockingDocument, blockingEntity } from './blocking.ts';
import { floorFaults, floorRules } from './floors.ts';
import type { PublisherInput } from './publisher-schema.ts';

type Settings = Omit<Row<'publishers'>, 'id'>;

/** Of what has to be named, the value is never used. */
const NEW: Settings = {
  name: '',
  status: 'ACTIVE',
  revenue_share_bps: 0,
  price_basis: 'net',
  confirms_wins: 0,
  seat_non_bids: 'none',
  creative_review: 'none',
  seller_id: null,
  aliases: '[]',
  seller_type: 'PUBLISHER',
  invalid_traffic: null,
  domain: null,
  categories: '[]',
  hide_names: 0,
  floors: '[]',
  ...NOTHING_BLOCKED,
};

/** A publisher, new or changed. Its share is money, which is never guessed: a new one has to name it. */
export function planPublisher(plan: Plan, element: Element<PublisherInput>): void {
  const { input, path } = element;
  const stored = plan.state.publishers.get(input.id);
  if (stored === undefined) plan.require(element, ['name', 'revenue_share']);
  plan.findAll(path, floorFaults(input.floors));
  const next: Row<'publishers'> = { id: input.id, ...settings(input, stored ?? NEW) };
  const names = { noun: 'publisher', name: input.id, document: publisherDocument };
  plan.state.publishers.set(
    input.id,
    plan.save({ table: 'publishers', stored, next, path, ...names }),
  );
}

/** A publisher as the exchange works with it. */
export function publisherEntity(row: Row<'publishers'>): Publisher {
  return {
    kind: 'publisher',
    id: row.id,
    name: row.name,
    status: row.status,
    revenueShareBps: row.revenue_share_bps,
    priceBasis: row.price_basis,
    confirmsWins: row.confirms_wins === 1,
    seatNonBids: row.seat_non_bids,
    creativeReview: row.creative_review,
    sellerId: row.seller_id,
    aliases: JSON.parse(row.aliases),
    sellerType: row.seller_type,
    invalidTraffic: row.invalid_traffic,
    domain: row.domain,
    categories: JSON.parse(row.categories),
    hidesNames: row.hide_names === 1,
    floors: floorRules(row.floors),
    blocking: blockingEntity(row),
  };
}

/** A publisher in the form that people write. */
export function publisherDocument(row: Row<'publishers'>): Required<PublisherInput> {
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    revenue_share: row.revenue_share_bps / BASIS_POINTS,
    price_basis: row.price_basis,
    confirms_wins: row.confirms_wins === 1,
    seat_non_bids: row.seat_non_bids,
    creative_review: row.creative_review,
    seller_id: row.seller_id,
    aliases: JSON.parse(row.aliases),
    seller_type: row.seller_type,
    invalid_traffic: row.invalid_traffic,
    domain: row.domain,
    categories: JSON.parse(row.categories),
    hide_names: row.hide_names === 1,
    floors: JSON.parse(row.floors),
    ...blockingDocument(row),
  };
}

function settings(input: PublisherInput, before: Settings): Settings {
  return {
    name: input.name ?? before.name,
    status: input.status ?? before.status,
    revenue_share_bps:
      input.revenue_share === undefined
        ? before.revenue_share_bps
        : Math.round(input.revenue_share * BASIS_POINTS),
    price_basis: input.price_basis ?? before.price_basis,
    confirms_wins: flagColumn(input.confirms_wins, before.confirms_wins),
    seat_non_bids: input.seat_non_bids ?? before.seat_non_bids,
    creative_review: input.creative_review ?? before.creative_review,
    seller_id: input.seller_id === undefined ? before.seller_id : input.seller_id,
    aliases: jsonColumn(input.aliases, before.aliases),
    seller_type: input.seller_type ?? before.seller_type,
    invalid_traffic:
      input.invalid_traffic === undefined ? before.invalid_traffic : input.invalid_traffic,
    domain: domainColumn(input.domain, before.domain),
    categories: jsonColumn(input.categories, before.categories),
    hide_names: flagColumn(input.hide_names, before.hide_names),
    floors: jsonColumn(input.floors, before.floors),
    ...blockingColumns(input, before),
  };
}
