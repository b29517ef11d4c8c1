import Type from 'typebox';
import { STATUS } from '../../resources/vocabulary.ts';
import { lineItemDocument, planLineItem } from '../../configuration/resources/line-item.ts';
import { LINE_ITEM, LineItemSchema } from '../../resources/line-item.ts';
import type { Database } from '../../configuration/schema.ts';
import { DEMAND_SIDE } from '../endpoint.ts';
import type { Endpoints } from '../endpoints.ts';
import { demandPartnerOf, ownedBy } from '../owners.ts';
import { OWNED_MAX, readNumericId } from '../resource.ts';
import { addResource, type ResourceParts } from '../resource-routes.ts';
import { shownTimes } from '../shown.ts';
import { ShownLineItemSchema, type ShownLineItem } from './schema.ts';

const EXAMPLE: ShownLineItem = {
  id: 501,
  name: 'Default',
  description: '',
  data_center: null,
  status: 'ACTIVE',
  capping: { max_qps: 100 },
  targeting: {
    geo: { countries: { identifiers: [{ code: 'US' }, { code: 'CA' }], is_whitelist: true } },
  },
  seat: 'acme-1',
  floor: 0.5,
  created_at: '2026-11-02T09:30:00.000Z',
  updated_at: '2026-11-20T08:15:00.000Z',
};

/** The line items of a demand partner. `xch` is a fixed part of the addresses. */
export function registerLineItems(endpoints: Endpoints, parts: ResourceParts): void {
  addResource(
    endpoints,
    {
      table: 'line_items',
      key: 'id',
      noun: 'line item',
      plural: 'line items of a demand partner',
      name: 'LineItem',
      tag: 'Line items',
      path: '/demand-partners/:demand_partner_id/line-items/xch',
      param: 'line_item_id',
      readId: readNumericId,
      schema: LineItemSchema,
      shown: ShownLineItemSchema,
      example: EXAMPLE,
      fields: LINE_ITEM,
      readers: DEMAND_SIDE,
      creators: DEMAND_SIDE,
      writers: DEMAND_SIDE,
      filters: { status: Type.Optional(STATUS) },
      sorts: ['id', 'name', 'status', 'created_at', 'updated_at'],
      within: async (db, caller, params) =>
        ownedBy('demand_partner_id', await demandPartnerOf(db, caller, params)),
      show: showLineItem,
      plan: (plan, element, { demand_partner_id: partner }) =>
        planLineItem(plan, element, Number(partner)),
      newId: (plan) => plan.nextId('line_items', plan.state.lineItems.values()),
      most: OWNED_MAX,
    },
    parts,
  );
}

/** In the order of the spec's table, then what it does not have. */
function showLineItem(row: Database['line_items']): ShownLineItem {
  const { id, name, description, status, capping, targeting, seat, floor } = lineItemDocument(row);
  return {
    id,
    name,
    description,
    data_center: null,
    status,
    capping,
    targeting,
    seat,
    floor,
    ...shownTimes(row),
  };
}
