import type { Kysely } from 'kysely';
import { exchangeDocument, planExchange } from '../../configuration/resources/exchange.ts';
import { EXCHANGE, ExchangeSchema } from '../../resources/exchange.ts';
import type { Database } from '../../configuration/schema.ts';
import { OPERATORS } from '../endpoint.ts';
import type { Endpoints } from '../endpoints.ts';
import type { ResourceParts } from '../resource-routes.ts';
import { shownTimes } from '../shown.ts';
import { addSingleton } from '../singleton-routes.ts';
import { ShownExchangeSchema, type ShownExchange } from './schema.ts';

const EXAMPLE: ShownExchange = {
  ...exchangeDocument(),
  name: 'Rialto',
  tmax_default_ms: 300,
  domain: 'exchange.example',
  blocked_categories: ['IAB25', 'IAB26'],
  created_at: '2026-11-02T09:30:00.000Z',
  updated_at: '2026-11-20T08:15:00.000Z',
};

/** The exchange's own settings, which are there from the start. */
export function registerExchange(endpoints: Endpoints, parts: ResourceParts): void {
  addSingleton(
    endpoints,
    {
      noun: 'exchange',
      name: 'Exchange',
      tag: 'Exchange',
      path: '/exchange',
      schema: ExchangeSchema,
      shown: ShownExchangeSchema,
      example: EXAMPLE,
      fields: EXCHANGE,
      readers: OPERATORS,
      writers: OPERATORS,
      find: findExchange,
      plan: (plan, element) => planExchange(plan, element),
    },
    parts,
  );
}

async function findExchange(db: Kysely<Database>): Promise<ShownExchange> {
  const row = await db.selectFrom('exchange_settings').selectAll().executeTakeFirst();
  const times = row === undefined ? { created_at: null, updated_at: null } : shownTimes(row);
  return { ...exchangeDocument(row), ...times };
}
