import { BIDDER } from '../../resources/bidder.ts';
import { DEMAND_PARTNER, type DemandPartnerInput } from '../../resources/demand-partner.ts';
import type { DemandPartner } from '../../snapshot/entities.ts';
import type { Element, Plan } from '../plan.ts';
import type { Row } from '../state.ts';

/** A demand partner, new or changed; it may be planned without any of what belongs to it. */
export function planDemandPartner(plan: Plan, element: Element<DemandPartnerInput>): void {
  const { input, path } = element;
  const stored = plan.state.demandPartners.get(input.id);
  if (stored === undefined) plan.require(element, DEMAND_PARTNER.needed);
  const next: Row<'demand_partners'> = {
    id: input.id,
    ...DEMAND_PARTNER.row(input, stored ?? DEMAND_PARTNER.initial),
  };
  const names = { noun: 'demand partner', name: input.id, document: demandPartnerDocument };
  const row = plan.save({ table: 'demand_partners', stored, next, path, ...names });
  plan.state.demandPartners.set(input.id, row);
}

/** A demand partner in the form that people write. */
export function demandPartnerDocument(row: Row<'demand_partners'>): Required<DemandPartnerInput> {
  return { id: row.id, ...DEMAND_PARTNER.document(row) };
}

/** A demand partner as the exchange works with it, with its bidder if it has one. */
export function demandPartnerEntity(
  row: Row<'demand_partners'>,
  bidder: Row<'bidders'> | undefined,
  stopped: boolean,
): DemandPartner {
  return {
    kind: 'demandPartner',
    id: row.id,
    ...DEMAND_PARTNER.entity(row),
    stopped,
    bidder: bidder === undefined ? null : BIDDER.entity(bidder),
  };
}
