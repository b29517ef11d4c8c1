import { LINE_ITEM, type LineItemInput } from '../../resources/line-item.ts';
import type { LineItem } from '../../snapshot/entities.ts';
import type { Element, Plan } from '../plan.ts';
import type { Row } from '../state.ts';

const NOUN = 'line item';

/** A line item of a demand partner; it never moves to another one, since its history would. */
export function planLineItem(
  plan: Plan,
  element: Element<LineItemInput>,
  demandPartnerId: number,
): void {
  const { input, path } = element;
  const stored = plan.state.lineItems.get(input.id);
  if (stored === undefined) plan.require(element, LINE_ITEM.needed);
  else if (stored.demand_partner_id !== demandPartnerId) {
    const owner = `demand partner ${stored.demand_partner_id}`;
    plan.find([...path, 'id'], `is taken: line item ${input.id} belongs to ${owner}`);
    return;
  }
  const next: Row<'line_items'> = {
    id: input.id,
    demand_partner_id: demandPartnerId,
    ...LINE_ITEM.row(input, stored ?? LINE_ITEM.initial),
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
  const next = { id, demand_partner_id: partner.id, ...LINE_ITEM.initial, name: 'Default' };
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
    ...LINE_ITEM.entity(row),
  };
}

/** A line item in the form that people write. */
export function lineItemDocument(row: Row<'line_items'>): Required<LineItemInput> {
  return { id: row.id, ...LINE_ITEM.document(row) };
}
