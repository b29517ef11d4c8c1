import { definedField } from '../../base/fields.ts';
import { dollarsFromMicros, microsFromDollars } from '../../base/money.ts';
import type { LineItem } from '../../snapshot/entities.ts';
import { jsonColumn, microsColumn } from '../columns.ts';
import type { Element, Plan } from '../plan.ts';
import type { Row } from '../state.ts';
import type { CappingInput, LineItemInput } from './line-item-schema.ts';

type Settings = Omit<Row<'line_items'>, 'id' | 'demand_partner_id'>;

const NEW: Settings = {
  name: '',
  description: '',
  status: 'ACTIVE',
  seat: null,
  floor_micros: 0,
  max_qps: null,
  max_daily_impressions: null,
  max_daily_spend_micros: null,
  targeting: '{}',
};

const NOUN = 'line item';

/** A line item of a demand partner; it never moves to another one, since its history would. */
export function planLineItem(
  plan: Plan,
  element: Element<LineItemInput>,
  demandPartnerId: number,
): void {
  const { input, path } = element;
  const stored = plan.state.lineItems.get(input.id);
  if (stored === undefined) plan.require(element, ['name']);
  else if (stored.demand_partner_id !== demandPartnerId) {
    const owner = `demand partner ${stored.demand_partner_id}`;
    plan.find([...path, 'id'], `is taken: line item ${input.id} belongs to ${owner}`);
    return;
  }
  const next: Row<'line_items'> = {
    id: input.id,
    demand_partner_id: demandPartnerId,
    ...settings(input, stored ?? NEW),
  };
  const names = { noun: NOUN, name: input.id, document: lineItemDocument };
  plan.state.lineItems.set(
    next.id,
    plan.save({ table: 'line_items', stored, next, path, ...names }),
  );
}

/**
 * Gives each demand partner of the plan that has no line item one that takes all traffic.
 * Source: management API, "Line item".
 */
export function planDefaultLineItems(plan: Plan): void {
  const lineItems = [...plan.state.lineItems.values()];
  const served = new Set(lineItems.map((lineItem) => lineItem.demand_partner_id));
  for (const partner of plan.state.demandPartners.values()) {
    if (plan.originOf(partner) !== undefined && !served.has(partner.id)) {
      planDefaultLineItem(plan, partner);
    }
  }
}

function planDefaultLineItem(plan: Plan, partner: Row<'demand_partners'>): void {
  const id = plan.nextId('line_items', plan.state.lineItems.values());
  const next = { id, demand_partner_id: partner.id, ...NEW, name: 'Default' };
  const path = plan.originOf(partner) ?? [];
  const names = { noun: NOUN, name: id, document: lineItemDocument };
  plan.state.lineItems.set(
    id,
    plan.save({ table: 'line_items', stored: undefined, next, path, ...names }),
  );
}

/** A seat belongs to one demand partner, so that a bid's seat says whose it is. */
export function checkSeats(plan: Plan): void {
  const holders = new Map<string, Row<'line_items'>>();
  const stored: Row<'line_items'>[] = [];
  const planned: Row<'line_items'>[] = [];
  for (const row of plan.state.lineItems.values()) {
    if (row.status === 'ARCHIVED') continue;
    (plan.originOf(row) === undefined ? stored : planned).push(row);
  }
  // What the store has was there first.
  for (const row of [...stored, ...planned]) {
    if (row.seat === null) continue;
    const holder = holders.get(row.seat);
    if (holder === undefined) holders.set(row.seat, row);
    else if (holder.demand_partner_id !== row.demand_partner_id) {
      plan.find(
        [...(plan.originOf(row) ?? []), 'seat'],
        `must belong to one demand partner, found "${row.seat}", which line item ${holder.id} of demand partner ${holder.demand_partner_id} has`,
      );
    }
  }
}

/** A line item as the exchange works with it. */
export function lineItemEntity(row: Row<'line_items'>): LineItem {
  return {
    kind: 'lineItem',
    id: row.id,
    demandPartnerId: row.demand_partner_id,
    name: row.name,
    status: row.status,
    seat: row.seat,
    floorMicros: row.floor_micros,
    capping: {
      maxQps: row.max_qps,
      maxDailyImpressions: row.max_daily_impressions,
      maxDailySpendMicros: row.max_daily_spend_micros,
    },
    targeting: JSON.parse(row.targeting),
  };
}

/** A line item in the form that people write. */
export function lineItemDocument(row: Row<'line_items'>): Required<LineItemInput> {
  const spend = row.max_daily_spend_micros;
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    status: row.status,
    seat: row.seat,
    floor: dollarsFromMicros(row.floor_micros),
    capping: {
      ...definedField('max_qps', row.max_qps),
      ...definedField('max_daily_impressions', row.max_daily_impressions),
      ...definedField('max_daily_spend', spend === null ? null : dollarsFromMicros(spend)),
    },
    targeting: JSON.parse(row.targeting),
  };
}

/** A capping or targeting that is given replaces the one before as a whole. */
function settings(input: LineItemInput, before: Settings): Settings {
  return {
    name: input.name ?? before.name,
    description: input.description ?? before.description,
    status: input.status ?? before.status,
    seat: input.seat === undefined ? before.seat : input.seat,
    floor_micros: microsColumn(input.floor, before.floor_micros),
    ...(input.capping === undefined ? cappingOf(before) : cappingColumns(input.capping)),
    targeting: jsonColumn(input.targeting, before.targeting),
  };
}

type Capping = Pick<Settings, 'max_qps' | 'max_daily_impressions' | 'max_daily_spend_micros'>;

function cappingOf({ max_qps, max_daily_impressions, max_daily_spend_micros }: Capping): Capping {
  return { max_qps, max_daily_impressions, max_daily_spend_micros };
}

function cappingColumns(capping: CappingInput): Capping {
  const spend = capping.max_daily_spend ?? null;
  return {
    max_qps: capping.max_qps ?? null,
    max_daily_impressions: capping.max_daily_impressions ?? null,
    max_daily_spend_micros: spend === null ? null : microsFromDollars(spend),
  };
}
