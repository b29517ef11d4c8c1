import { sql, type Kysely, type RawBuilder } from 'kysely';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { STATUS } from '../../resources/vocabulary.ts';
import { elementsOf } from '../../configuration/json-elements.ts';
import { EVERYTHING } from '../../configuration/resource-rows.ts';
import { dealDocument, planDeal } from '../../configuration/resources/deal.ts';
import { DEAL, DEAL_ID, DealSchema } from '../../resources/deal.ts';
import type { Database } from '../../configuration/schema.ts';
import type { Caller } from '../../identity/caller.ts';
import { EVERYBODY, OPERATORS } from '../endpoint.ts';
import type { Endpoints } from '../endpoints.ts';
import { addResource, type ResourceParts } from '../resource-routes.ts';
import { shownTimes } from '../shown.ts';
import { ShownDealSchema, type ShownDeal } from './schema.ts';

const EXAMPLE: ShownDeal = {
  id: 'planet-acme-1',
  name: 'Planet first look',
  status: 'ACTIVE',
  ad_spaces: [4004],
  seats: ['acme-1'],
  type: 'fixed_price',
  price: 3,
  floor: null,
  advertisers: [],
  created_at: '2026-11-02T09:30:00.000Z',
  updated_at: '2026-11-20T08:15:00.000Z',
};

const dealId = Compile(DEAL_ID);

/** Terms that publishers and seats agreed on; the operator writes them down. */
export function registerDeals(endpoints: Endpoints, parts: ResourceParts): void {
  addResource(
    endpoints,
    {
      table: 'deals',
      key: 'id',
      noun: 'deal',
      plural: 'deals',
      name: 'Deal',
      tag: 'Deals',
      description:
        'A demand partner sees the deals for its seats, and of the seats its own; a publisher those with its ad spaces, and of the ad spaces its own.',
      path: '/deals',
      param: 'deal_id',
      readId: (text) => (dealId.Check(text) ? text : null),
      schema: DealSchema,
      shown: ShownDealSchema,
      example: EXAMPLE,
      fields: DEAL,
      readers: EVERYBODY,
      creators: OPERATORS,
      writers: OPERATORS,
      filters: { status: Type.Optional(STATUS), type: DealSchema.properties.type },
      sorts: ['id', 'name', 'status', 'type', 'created_at', 'updated_at'],
      within: async (db, caller) => dealsOf(db, caller),
      show: (row): ShownDeal => ({
        price: null,
        floor: null,
        ...dealDocument(row),
        ...shownTimes(row),
      }),
      complete: async (db, { role, entityId }) => {
        if (role === 'demand-partner') {
          const seats = await seatsOf(db, entityId ?? 0);
          return (row, shown) => ({ ...shown, seats: kept(row.seats, seats) });
        }
        if (role === 'operator') return (_row, shown) => shown;
        const adSpaces = await adSpacesOf(db, entityId ?? 0);
        return (row, shown) => ({ ...shown, ad_spaces: kept(row.ad_spaces, adSpaces) });
      },
      plan: (plan, element) => planDeal(plan, element),
      newId: null,
    },
    parts,
  );
}

/** A seat of an archived line item may be another partner's by now. */
const HOLDS = sql`holder.status <> 'ARCHIVED'`;

/** The deals that a caller is a party to. */
function dealsOf(db: Kysely<Database>, { role, entityId }: Caller): RawBuilder<unknown> {
  switch (role) {
    case 'operator':
      return EVERYTHING;
    case 'demand-partner':
      return sql`exists (
        select 1 from ${elementsOf(db, 'deals.seats')}
        join line_items as holder on holder.seat = element.value
        where holder.demand_partner_id = ${entityId} and ${HOLDS}
      )`;
    case 'publisher':
      return sql`exists (
        select 1 from ${elementsOf(db, 'deals.ad_spaces')}
        join ad_spaces as space on space.id = cast(element.value as integer)
        join properties as property on property.id = space.property_id
        where property.publisher_id = ${entityId}
      )`;
  }
}

async function seatsOf(db: Kysely<Database>, partner: number): Promise<ReadonlySet<unknown>> {
  const rows = await db
    .selectFrom('line_items as holder')
    .select('holder.seat')
    .distinct()
    .where('holder.demand_partner_id', '=', partner)
    .where(sql<boolean>`${HOLDS}`)
    .execute();
  return new Set(rows.map(({ seat }) => seat));
}

async function adSpacesOf(db: Kysely<Database>, publisher: number): Promise<ReadonlySet<unknown>> {
  const rows = await db
    .selectFrom('ad_spaces as space')
    .innerJoin('properties as property', 'property.id', 'space.property_id')
    .select('space.id')
    .where('property.publisher_id', '=', publisher)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Of a list in a column, what is the caller's own. */
function kept(column: string, own: ReadonlySet<unknown>): unknown[] {
  const items: unknown[] = JSON.parse(column);
  return items.filter((item) => own.has(item));
}
