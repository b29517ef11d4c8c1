import type { Kysely } from 'kysely';
import type { Firsts } from '../../analytics/firsts.ts';
import type { Database } from '../../configuration/schema.ts';
import { hasAnsweredTest } from '../../configuration/tested-bidders.ts';
import { NO_BODY, NO_QUERY, OPERATORS } from '../endpoint.ts';
import type { Endpoints } from '../endpoints.ts';
import { FirstStepsSchema, STEPS, type FirstSteps } from './schema.ts';

export interface FirstStepsParts {
  readonly db: Kysely<Database>;
  /** @throws RialtoError as long as the analytics store is not open. */
  readonly readFirsts: () => Promise<Firsts>;
}

/** `GET /api/first-steps/`: what is left to do until an exchange shows its first ad. */
export function registerFirstSteps(
  endpoints: Endpoints,
  { db, readFirsts }: FirstStepsParts,
): void {
  /** What was counted once stays so: an exchange that is in use is asked once. */
  let known: Firsts | null = null;
  const firsts = async (): Promise<Firsts> => {
    const found = known ?? (await readFirsts());
    if (found.hasImpressions) known = found;
    return found;
  };
  endpoints.add(
    {
      id: 'getFirstSteps',
      method: 'GET',
      path: '/first-steps',
      tag: 'Operation',
      summary: 'Tell what is left to do on an empty exchange',
      description:
        'The steps until the first impression: a demand partner, a test request that its bidder has answered, a publisher, an ad space, the first ad request, the first impression. Test auctions are not counted.',
      roles: OPERATORS,
      query: NO_QUERY,
      body: NO_BODY,
      answer: { status: 200, meaning: 'the steps', schema: FirstStepsSchema, example: EXAMPLE },
      errors: ['analytics_unavailable'],
    },
    async () => {
      const { hasRequests, hasImpressions } = await firsts();
      const present = await readPresent(db);
      const done: Readonly<Record<(typeof STEPS)[number], boolean>> = {
        demand_partner: present.demand_partner_id !== null,
        bidder_test: hasImpressions || (await hasAnsweredTest(db)),
        publisher: present.publisher_id !== null,
        ad_space: present.ad_space_id !== null,
        ad_request: hasRequests,
        impression: hasImpressions,
      };
      const steps = STEPS.map((step) => ({ step, is_done: done[step] }));
      return { is_done: hasImpressions, steps, ...present };
    },
  );
}

type Present = Pick<FirstSteps, 'demand_partner_id' | 'publisher_id' | 'ad_space_id'>;

async function readPresent(db: Kysely<Database>): Promise<Present> {
  const firstOf = async (table: 'demand_partners' | 'publishers'): Promise<number | null> => {
    const row = await db
      .selectFrom(table)
      .select((is) => is.fn.min('id').as('id'))
      .where('status', '!=', 'ARCHIVED')
      .executeTakeFirst();
    return row?.id ?? null;
  };
  const publisherId = await firstOf('publishers');
  const adSpace = await db
    .selectFrom('ad_spaces')
    .innerJoin('properties', 'properties.id', 'ad_spaces.property_id')
    .select((is) => is.fn.min('ad_spaces.id').as('id'))
    .where('properties.publisher_id', '=', publisherId ?? 0)
    .where('ad_spaces.status', '!=', 'ARCHIVED')
    .executeTakeFirst();
  return {
    demand_partner_id: await firstOf('demand_partners'),
    publisher_id: publisherId,
    ad_space_id: adSpace?.id ?? null,
  };
}

const EXAMPLE: FirstSteps = {
  is_done: false,
  steps: STEPS.map((step) => ({
    step,
    is_done: step === 'demand_partner' || step === 'publisher',
  })),
  demand_partner_id: 1001,
  publisher_id: 2001,
  ad_space_id: null,
};
