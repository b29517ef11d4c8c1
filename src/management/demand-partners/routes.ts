import Type from 'typebox';
import { STATUS } from '../../resources/vocabulary.ts';
import { EVERYTHING } from '../../configuration/resource-rows.ts';
import {
  demandPartnerDocument,
  planDemandPartner,
} from '../../configuration/resources/demand-partner.ts';
import { DEMAND_PARTNER, DemandPartnerSchema } from '../../resources/demand-partner.ts';
import { planDefaultLineItems } from '../../configuration/resources/line-item.ts';
import { findStops } from '../../configuration/stopped-bidders.ts';
import { sql } from 'kysely';
import { showStop } from '../bidders/shown-stop.ts';
import { DEMAND_SIDE, OPERATORS } from '../endpoint.ts';
import type { Endpoints } from '../endpoints.ts';
import { readNumericId } from '../resource.ts';
import { addResource, type ResourceParts } from '../resource-routes.ts';
import { shownTimes } from '../shown.ts';
import { ShownDemandPartnerSchema, type ShownDemandPartner } from './schema.ts';

const EXAMPLE: ShownDemandPartner = {
  id: 1001,
  name: 'Acme DSP',
  status: 'ACTIVE',
  stopped: null,
  created_at: '2026-11-02T09:30:00.000Z',
  updated_at: '2026-11-20T08:15:00.000Z',
};

/** Those who buy. What belongs to one stands below its address. */
export function registerDemandPartners(endpoints: Endpoints, parts: ResourceParts): void {
  addResource(
    endpoints,
    {
      table: 'demand_partners',
      key: 'id',
      noun: 'demand partner',
      plural: 'demand partners',
      name: 'DemandPartner',
      tag: 'Demand partners',
      description:
        'A demand partner sees itself alone. One that is made gets a line item "Default", which takes all traffic.',
      path: '/demand-partners',
      param: 'demand_partner_id',
      readId: readNumericId,
      schema: DemandPartnerSchema,
      shown: ShownDemandPartnerSchema,
      example: EXAMPLE,
      fields: DEMAND_PARTNER,
      readers: DEMAND_SIDE,
      creators: OPERATORS,
      writers: OPERATORS,
      filters: { status: Type.Optional(STATUS) },
      sorts: ['id', 'name', 'status', 'created_at', 'updated_at'],
      within: async (_db, { role, entityId }) =>
        role === 'operator' ? EVERYTHING : sql`id = ${entityId}`,
      show: (row) => ({ ...demandPartnerDocument(row), stopped: null, ...shownTimes(row) }),
      complete: async (db) => {
        const stops = await findStops(db);
        return (row, shown) => ({ ...shown, stopped: showStop(stops.get(row.id)) });
      },
      plan: (plan, element) => {
        planDemandPartner(plan, element);
        planDefaultLineItems(plan);
      },
      newId: (plan) => plan.nextId('demand_partners', plan.state.demandPartners.values()),
    },
    parts,
  );
}
