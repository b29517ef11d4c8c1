import type { Kysely } from 'kysely';
import Type from 'typebox';
import { NAME, STATUS } from '../../resources/vocabulary.ts';
import { EVERYTHING } from '../../configuration/resource-rows.ts';
import { planPublisher, publisherDocument } from '../../configuration/resources/publisher.ts';
import { PUBLISHER, PublisherSchema } from '../../resources/publisher.ts';
import type { Database } from '../../configuration/schema.ts';
import type { Caller } from '../../identity/caller.ts';
import { OPERATORS, SUPPLY_SIDE } from '../endpoint.ts';
import type { Endpoints } from '../endpoints.ts';
import { ownItself } from '../owners.ts';
import { readNumericId } from '../resource.ts';
import { addResource, type ResourceParts } from '../resource-routes.ts';
import { shownTimes } from '../shown.ts';
import { addAdsTxt } from './ads-txt.ts';
import { ShownPublisherSchema, type ShownPublisher } from './schema.ts';

const EXAMPLE: ShownPublisher = {
  id: 2001,
  ...PUBLISHER.document(PUBLISHER.initial),
  name: 'Daily Planet',
  revenue_share: 0.8,
  aliases: ['planet'],
  domain: 'planet.example',
  categories: ['IAB12'],
  floors: [{ floor: 0.2 }, { countries: ['US'], formats: ['video'], floor: 6 }],
  blocked_categories: ['IAB25'],
  blocked_advertisers: ['blocked-advertiser.example'],
  blocked_apps: ['com.blocked.app'],
  blocked_attributes: [1],
  created_at: '2026-11-02T09:30:00.000Z',
  updated_at: '2026-11-20T08:15:00.000Z',
};

/** The publishers: all of them to operators, a publisher to itself. */
export function registerPublishers(endpoints: Endpoints, parts: ResourceParts): void {
  addResource(
    endpoints,
    {
      table: 'publishers',
      key: 'id',
      noun: 'publisher',
      plural: 'publishers',
      name: 'Publisher',
      tag: 'Publishers',
      description:
        'Operators see all publishers and change everything. A publisher sees itself, and changes its floors and what it blocks.',
      path: '/publishers',
      param: 'publisher_id',
      readId: readNumericId,
      schema: PublisherSchema,
      shown: ShownPublisherSchema,
      example: EXAMPLE,
      fields: PUBLISHER,
      readers: SUPPLY_SIDE,
      creators: OPERATORS,
      writers: SUPPLY_SIDE,
      filters: { name: Type.Optional(NAME), status: Type.Optional(STATUS) },
      sorts: ['id', 'name', 'status', 'created_at', 'updated_at'],
      within: publishersOf,
      show: (row): ShownPublisher => ({ ...publisherDocument(row), ...shownTimes(row) }),
      plan: (plan, element) => planPublisher(plan, element),
      newId: (plan) => plan.nextId('publishers', plan.state.publishers.values()),
    },
    parts,
  );
  addAdsTxt(endpoints, parts);
}

async function publishersOf(_db: Kysely<Database>, caller: Caller) {
  return caller.role === 'operator' ? EVERYTHING : ownItself(caller);
}
