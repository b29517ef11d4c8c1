import { lineItemDocument } from '../../configuration/resources/line-item.ts';
import type { Database } from '../../configuration/schema.ts';
import { LINE_ITEM, LineItemSchema } from '../../resources/line-item.ts';
import { OWNED_MAX } from '../resource.ts';
import { shownTimes } from '../shown.ts';
import { ShownLineItemSchema, type ShownLineItem } from './schema.ts';

/** The collection of a demand partner; `xch` is a fixed part of the addresses. */
export const LINE_ITEMS_PATH = '/demand-partners/:demand_partner_id/line-items/xch';

/** What may be said of a line item, one by one and many at a time. */
export const LINE_ITEM_RULES = {
  noun: 'line item',
  plural: 'line items of a demand partner',
  schema: LineItemSchema,
  shown: ShownLineItemSchema,
  fields: LINE_ITEM,
  most: OWNED_MAX,
} as const;

export const LINE_ITEM_EXAMPLE: ShownLineItem = {
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

/** In the order of the spec's table, then what it does not have. */
export function showLineItem(row: Database['line_items']): ShownLineItem {
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
