import { sql, type Kysely, type RawBuilder } from 'kysely';
import Type from 'typebox';
import { AD_SPACE } from '../../resources/ad-space.ts';
import { ID, NAME, STATUS } from '../../resources/vocabulary.ts';
import type { Element, Plan } from '../../configuration/plan.ts';
import type { Computed } from '../../configuration/resource-rows.ts';
import { adSpaceDocument, planAdSpace } from '../../configuration/resources/ad-space.ts';
import type { Database } from '../../configuration/schema.ts';
import type { Caller } from '../../identity/caller.ts';
import { SUPPLY_SIDE } from '../endpoint.ts';
import type { Endpoints } from '../endpoints.ts';
import { ownedBy, publisherOf } from '../owners.ts';
import { OWNED_MAX, readNumericId, type Params } from '../resource.ts';
import { addResource } from '../resource-routes.ts';
import { shownTimes } from '../shown.ts';
import { addTags, type TagParts } from './tags-route.ts';
import {
  AdSpaceBodySchema,
  type AdSpaceBody,
  ShownAdSpaceSchema,
  type ShownAdSpace,
} from './schema.ts';

const OWNER_KEYS = ['app_id', 'site_id'] as const;
const OWNER = { app_id: 'app', site_id: 'site' } as const;

/** The app or the site of an ad space; the other one is null. */
type Owner = Record<(typeof OWNER_KEYS)[number], number | null>;

const EXAMPLE: ShownAdSpace = {
  id: 4004,
  app_id: null,
  site_id: 3002,
  ...AD_SPACE.document(AD_SPACE.initial),
  name: 'Front page box',
  banner: { sizes: ['300x250'] },
  floor: 0.3,
  floors: [{ countries: ['DE'], floor: 0.8 }],
  pos: 1,
  viewability: 0.6,
  exp: 300,
  refresh: { min_seconds: 30, max_per_page: 5 },
  backfill: { banner: '<a href="https://planet.example/subscribe">Subscribe</a>' },
  created_at: '2026-11-02T09:30:00.000Z',
  updated_at: '2026-11-20T08:15:00.000Z',
};

/** The ad spaces of a publisher, whichever of its apps and sites they are in. */
export function registerAdSpaces(endpoints: Endpoints, parts: TagParts): void {
  addResource(
    endpoints,
    {
      table: 'ad_spaces',
      key: 'id',
      noun: 'ad space',
      plural: 'ad spaces of a publisher',
      name: 'AdSpace',
      tag: 'Ad spaces',
      description:
        'An ad space is in an app or on a site, of which `app_id` or `site_id` is the id; the other one is null. It is named when the ad space is made, and never changes.',
      path: '/publishers/:publisher_id/ad-spaces',
      param: 'ad_space_id',
      readId: readNumericId,
      schema: AdSpaceBodySchema,
      shown: ShownAdSpaceSchema,
      example: EXAMPLE,
      fields: AD_SPACE,
      readers: SUPPLY_SIDE,
      creators: SUPPLY_SIDE,
      writers: SUPPLY_SIDE,
      filters: {
        name: Type.Optional(NAME),
        status: Type.Optional(STATUS),
        app_id: Type.Optional(ID),
        site_id: Type.Optional(ID),
      },
      sorts: ['id', 'name', 'status', 'created_at', 'updated_at'],
      within: adSpacesOf,
      computed: OWNERS,
      show: showAdSpace,
      plan: planOwnedAdSpace,
      newId: (plan) => plan.nextId('ad_spaces', plan.state.adSpaces.values()),
      most: OWNED_MAX,
    },
    parts,
  );
  addTags(endpoints, parts, adSpacesOf);
}

async function adSpacesOf(
  db: Kysely<Database>,
  caller: Caller,
  params: Params,
): Promise<RawBuilder<unknown>> {
  const owned = ownedBy('publisher_id', await publisherOf(db, caller, params));
  return sql`property_id in (select id from properties where ${owned})`;
}

const OWNERS: Computed<Owner> = { app_id: ownerOf('app'), site_id: ownerOf('site') };

function ownerOf(type: 'app' | 'site'): RawBuilder<number | null> {
  return sql`(
    select owner.id from properties as owner
    where owner.id = ad_spaces.property_id and owner.type = ${type}
  )`;
}

function showAdSpace(row: Database['ad_spaces'] & Owner): ShownAdSpace {
  const { id, ...document } = adSpaceDocument(row);
  const { app_id, site_id } = row;
  return { id, app_id, site_id, ...document, ...shownTimes(row) };
}

function planOwnedAdSpace(
  plan: Plan,
  element: Element<AdSpaceBody>,
  { publisher_id: publisher }: Params,
): void {
  const { input } = element;
  const stored = plan.state.adSpaces.get(input.id);
  if (stored !== undefined) {
    checkStays(plan, input, stored.property_id);
    return planAdSpace(plan, element, stored.property_id);
  }
  const propertyId = findOwner(plan, input, Number(publisher));
  if (propertyId !== null) planAdSpace(plan, element, propertyId);
}

/** An ad space is what its reports are about: it belongs where it is for good. */
function checkStays(plan: Plan, input: AdSpaceBody, propertyId: number): void {
  const type = plan.state.properties.get(propertyId)?.type;
  for (const key of OWNER_KEYS) {
    const right = OWNER[key] === type ? propertyId : null;
    if (input[key] === undefined || input[key] === right) continue;
    plan.find([key], `must stay ${right}: an ad space never moves`);
  }
}

/** The one app or site that a new ad space names. Another publisher's is like none at all. */
function findOwner(plan: Plan, input: AdSpaceBody, publisherId: number): number | null {
  const named = OWNER_KEYS.filter((key) => (input[key] ?? null) !== null);
  const [key] = named;
  if (key === undefined || named.length > 1) {
    const message = 'an ad space needs the id of either its app (app_id) or its site (site_id)';
    if (key === undefined) plan.find(['app_id'], `is missing, and so is site_id: ${message}`);
    else for (const each of named) plan.find([each], `is one of two: ${message}`);
    return null;
  }
  const property = plan.state.properties.get(input[key] ?? 0);
  if (property?.publisher_id === publisherId && property.type === OWNER[key]) return property.id;
  plan.find([key], `must be the id of one of the publisher's ${OWNER[key]}s, found ${input[key]}`);
  return null;
}
