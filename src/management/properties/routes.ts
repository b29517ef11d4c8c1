import { sql, type Kysely, type RawBuilder } from 'kysely';
import Type from 'typebox';
import { APP, NAME, STATUS } from '../../resources/vocabulary.ts';
import type { Plan } from '../../configuration/plan.ts';
import {
  appDocument,
  planApp,
  planSite,
  siteDocument,
} from '../../configuration/resources/property.ts';
import { APP_FIELDS, AppSchema, SITE_FIELDS, SiteSchema } from '../../resources/property.ts';
import type { Database } from '../../configuration/schema.ts';
import type { Caller } from '../../identity/caller.ts';
import { SUPPLY_SIDE } from '../endpoint.ts';
import type { Endpoints } from '../endpoints.ts';
import { ownedBy, publisherOf } from '../owners.ts';
import { OWNED_MAX, readNumericId, type Params } from '../resource.ts';
import { addResource, type ResourceParts } from '../resource-routes.ts';
import { shownTimes } from '../shown.ts';
import { ShownAppSchema, ShownSiteSchema, type ShownApp, type ShownSite } from './schema.ts';

const SHARED_EXAMPLE = {
  categories: ['IAB12'],
  languages: ['en'],
  floors: [{ formats: ['video'], floor: 2.5 }],
  blocked_advertisers: ['rival.example'],
  created_at: '2026-11-02T09:30:00.000Z',
  updated_at: '2026-11-20T08:15:00.000Z',
} satisfies Partial<ShownSite>;

const APP_EXAMPLE: ShownApp = {
  id: 3001,
  ...APP_FIELDS.document(APP_FIELDS.initial),
  name: 'Planet Reader',
  bundle: 'com.planet.reader',
  platform: 'Android',
  storeurl: 'https://play.google.com/store/apps/details?id=com.planet.reader',
  domain: 'planet.example',
  ...SHARED_EXAMPLE,
};

const SITE_EXAMPLE: ShownSite = {
  id: 3002,
  ...SITE_FIELDS.document(SITE_FIELDS.initial),
  name: 'planet.example',
  domain: 'planet.example',
  ...SHARED_EXAMPLE,
};

/** What apps and sites have in common; both are rows of one table, and have their ids from it. */
const SHARED = {
  table: 'properties',
  key: 'id',
  readId: readNumericId,
  readers: SUPPLY_SIDE,
  creators: SUPPLY_SIDE,
  writers: SUPPLY_SIDE,
  sorts: ['id', 'name', 'status', 'created_at', 'updated_at'],
  newId: (plan: Plan) => plan.nextId('properties', plan.state.properties.values()),
  most: OWNED_MAX,
} as const;

/** The apps and the sites of a publisher, in which its ad spaces are. */
export function registerProperties(endpoints: Endpoints, parts: ResourceParts): void {
  addApps(endpoints, parts);
  addSites(endpoints, parts);
}

function addApps(endpoints: Endpoints, parts: ResourceParts): void {
  addResource(
    endpoints,
    {
      ...SHARED,
      noun: 'app',
      plural: 'apps of a publisher',
      name: 'App',
      tag: 'Apps',
      path: '/publishers/:publisher_id/apps',
      param: 'app_id',
      fields: APP_FIELDS,
      schema: AppSchema,
      shown: ShownAppSchema,
      example: APP_EXAMPLE,
      filters: {
        name: Type.Optional(NAME),
        status: Type.Optional(STATUS),
        bundle: Type.Optional(APP),
      },
      within: (db, caller, params) => propertiesOf(db, { caller, params, type: 'app' }),
      show: (row): ShownApp => ({ ...appDocument(row), ...shownTimes(row) }),
      plan: (plan, element, { publisher_id: publisher }) =>
        planApp(plan, element, Number(publisher)),
    },
    parts,
  );
}

function addSites(endpoints: Endpoints, parts: ResourceParts): void {
  addResource(
    endpoints,
    {
      ...SHARED,
      noun: 'site',
      plural: 'sites of a publisher',
      name: 'Site',
      tag: 'Sites',
      path: '/publishers/:publisher_id/sites',
      param: 'site_id',
      fields: SITE_FIELDS,
      schema: SiteSchema,
      shown: ShownSiteSchema,
      example: SITE_EXAMPLE,
      filters: { name: Type.Optional(NAME), status: Type.Optional(STATUS) },
      within: (db, caller, params) => propertiesOf(db, { caller, params, type: 'site' }),
      show: (row): ShownSite => ({ ...siteDocument(row), ...shownTimes(row) }),
      plan: (plan, element, { publisher_id: publisher }) =>
        planSite(plan, element, Number(publisher)),
    },
    parts,
  );
}

interface Whose {
  readonly caller: Caller;
  readonly params: Params;
  readonly type: 'app' | 'site';
}

async function propertiesOf(
  db: Kysely<Database>,
  { caller, params, type }: Whose,
): Promise<RawBuilder<unknown>> {
  const owned = ownedBy('publisher_id', await publisherOf(db, caller, params));
  return sql`${owned} and type = ${type}`;
}
