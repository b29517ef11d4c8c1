import { EVERYBODY, NO_BODY, NO_QUERY } from '../endpoint.ts';
import type { Endpoints } from '../endpoints.ts';
import { SelfSchema, type Self } from './schema.ts';
import { selfOf } from './show.ts';

/** `GET /api/self/`: who the caller is. */
export function registerSelf(endpoints: Endpoints): void {
  endpoints.add(
    {
      id: 'getSelf',
      method: 'GET',
      path: '/self',
      tag: 'Identity',
      summary: 'Tell who the caller is',
      roles: EVERYBODY,
      query: NO_QUERY,
      body: NO_BODY,
      answer: { status: 200, meaning: 'the caller', schema: SelfSchema, example: EXAMPLE },
    },
    async ({ caller }) => selfOf(caller),
  );
}

const EXAMPLE: Self = {
  id: 1_000_002,
  email: 'trader@acme.example',
  groups: ['demand-partner'],
  status: 'ACTIVE',
  association: { type: 'DEMAND_PARTNER', entity_id: 101 },
};
