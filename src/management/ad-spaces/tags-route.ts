import type { Kysely } from 'kysely';
import { RialtoError } from '../../base/errors.ts';
import { findRow } from '../../configuration/resource-rows.ts';
import { adSpaceEntity } from '../../configuration/resources/ad-space.ts';
import { exchangeEntity } from '../../configuration/resources/exchange.ts';
import { propertyEntity } from '../../configuration/resources/property.ts';
import type { Database } from '../../configuration/schema.ts';
import { readOnly } from '../../configuration/state.ts';
import { NO_BODY, NO_QUERY, SUPPLY_SIDE } from '../endpoint.ts';
import type { Endpoints } from '../endpoints.ts';
import { readNumericId, type Resource } from '../resource.ts';
import type { ResourceParts } from '../resource-routes.ts';
import { tagsOf, type TaggedSpace } from './tags.ts';
import { ShownTagsSchema, type ShownTags } from './schema.ts';

/** What the ad spaces' endpoints work with. */
export interface TagParts extends ResourceParts {
  /** The public address of the exchange; null for a control that was not told. */
  readonly exchangeUrl: string | null;
}

type Within = Resource<'ad_spaces', never, never>['within'];

const EXAMPLE: ShownTags = {
  exchange_url: 'https://ads.example',
  tags: [
    {
      kind: 'native',
      use: 'Ask for it where the ad is rendered: the answer has its assets, and whom to call.',
      text: 'https://ads.example/native/4003',
    },
  ],
};

/** `GET …/ad-spaces/{ad_space_id}/tags/`. */
export function addTags(endpoints: Endpoints, { db, exchangeUrl }: TagParts, within: Within): void {
  endpoints.add(
    {
      id: 'getAdSpaceTags',
      method: 'GET',
      path: '/publishers/:publisher_id/ad-spaces/:ad_space_id/tags',
      tag: 'Ad spaces',
      summary: 'Get the tags of an ad space, ready to copy',
      description:
        'A tag for each way in which the ad space can be asked for an ad: in a page, a player, an app, from a server by OpenRTB.',
      roles: SUPPLY_SIDE,
      query: NO_QUERY,
      body: NO_BODY,
      answer: { status: 200, meaning: 'its tags', schema: ShownTagsSchema, example: EXAMPLE },
      errors: ['no_exchange_url'],
    },
    ({ caller, params }) =>
      readOnly(db, async (transaction) => {
        const rows = {
          table: 'ad_spaces',
          key: 'id',
          within: await within(transaction, caller, params),
        } as const;
        const id = readNumericId(params['ad_space_id'] ?? '');
        const row = id === null ? null : await findRow(transaction, rows, id);
        if (row === null) throw new RialtoError('not_found');
        if (exchangeUrl === null) throw new RialtoError('no_exchange_url');
        return tagsOf(exchangeUrl, await findSpace(transaction, row));
      }),
  );
}

async function findSpace(db: Kysely<Database>, row: Database['ad_spaces']): Promise<TaggedSpace> {
  const property = await db
    .selectFrom('properties')
    .selectAll()
    .where('id', '=', row.property_id)
    .executeTakeFirstOrThrow();
  const exchange = await db.selectFrom('exchange_settings').selectAll().executeTakeFirst();
  return {
    adSpace: adSpaceEntity(row),
    property: propertyEntity(property),
    gvlId: exchangeEntity(exchange).gvlId,
  };
}
