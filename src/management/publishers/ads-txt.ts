import { RialtoError } from '../../base/errors.ts';
import { exchangeEntity } from '../../configuration/resources/exchange.ts';
import { publisherEntity } from '../../configuration/resources/publisher.ts';
import { readOnly } from '../../configuration/state.ts';
import { adsTxtLines } from '../../exchange/sellers.ts';
import { NO_BODY, NO_QUERY, SUPPLY_SIDE } from '../endpoint.ts';
import type { Endpoints } from '../endpoints.ts';
import { publisherOf } from '../owners.ts';
import type { ResourceParts } from '../resource-routes.ts';
import { ShownAdsTxtSchema, type ShownAdsTxt } from './schema.ts';

const EXAMPLE_LINES = ['OWNERDOMAIN=planet.example', 'exchange.example, 2001, DIRECT'];
const EXAMPLE: ShownAdsTxt = { ads_txt: EXAMPLE_LINES, app_ads_txt: EXAMPLE_LINES };

/** `GET /publishers/{publisher_id}/ads-txt/`: the lines of `rialto ads-txt`. */
export function addAdsTxt(endpoints: Endpoints, { db }: Pick<ResourceParts, 'db'>): void {
  endpoints.add(
    {
      id: 'getAdsTxt',
      method: 'GET',
      path: '/publishers/:publisher_id/ads-txt',
      tag: 'Publishers',
      summary: 'Get the lines that make a publisher’s ads.txt and app-ads.txt name the exchange',
      description:
        'Put `ads_txt` into ads.txt of each site, and `app_ads_txt` into app-ads.txt at the domain that the app stores name. The exchange needs a domain for it.',
      roles: SUPPLY_SIDE,
      query: NO_QUERY,
      body: NO_BODY,
      answer: {
        status: 200,
        meaning: 'the lines of each of the two files',
        schema: ShownAdsTxtSchema,
        example: EXAMPLE,
      },
      errors: ['no_sellers'],
    },
    ({ caller, params }) =>
      readOnly(db, async (transaction) => {
        const id = await publisherOf(transaction, caller, params);
        const row = await transaction
          .selectFrom('publishers')
          .selectAll()
          .where('id', '=', id)
          .executeTakeFirstOrThrow();
        const exchange = await transaction
          .selectFrom('exchange_settings')
          .selectAll()
          .executeTakeFirst();
        const lines = adsTxtLines(exchangeEntity(exchange), publisherEntity(row));
        if (lines.length === 0) throw new RialtoError('no_sellers', [NO_DOMAIN]);
        // Both files have one form (ads.txt 1.1), and name the same seller.
        return { ads_txt: lines, app_ads_txt: lines };
      }),
  );
}

const NO_DOMAIN = {
  pointer: '',
  message: 'The exchange has no domain; an operator sets exchange.domain.',
};
