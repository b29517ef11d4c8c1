import Type from 'typebox';
import { STATUS } from '../../resources/vocabulary.ts';
import { planLineItem } from '../../configuration/resources/line-item.ts';
import { DEMAND_SIDE } from '../endpoint.ts';
import type { Endpoints } from '../endpoints.ts';
import { demandPartnerOf, ownedBy } from '../owners.ts';
import { readNumericId } from '../resource.ts';
import { addResource } from '../resource-routes.ts';
import { registerBulkLineItems, type BulkParts } from './bulk-routes.ts';
import { LINE_ITEM_EXAMPLE, LINE_ITEM_RULES, LINE_ITEMS_PATH, showLineItem } from './line-item.ts';

/** The line items of a demand partner. */
export function registerLineItems(endpoints: Endpoints, parts: BulkParts): void {
  addResource(
    endpoints,
    {
      ...LINE_ITEM_RULES,
      table: 'line_items',
      key: 'id',
      name: 'LineItem',
      tag: 'Line items',
      path: LINE_ITEMS_PATH,
      param: 'line_item_id',
      readId: readNumericId,
      example: LINE_ITEM_EXAMPLE,
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
    },
    parts,
  );
  registerBulkLineItems(endpoints, parts);
}
