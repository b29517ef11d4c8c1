import Type from 'typebox';
import {
  CREATIVES_LISTED_MAX,
  type CreativesQuestion,
  type SeenCreative,
} from '../../analytics/creatives-wire.ts';
import { RialtoError } from '../../base/errors.ts';
import { ID, YES_OR_NO, whole } from '../../resources/vocabulary.ts';
import type { Caller } from '../../identity/caller.ts';
import { EVERYBODY, NO_BODY } from '../endpoint.ts';
import type { Endpoints } from '../endpoints.ts';
import { answerPage, LIST_HEADERS } from '../page.ts';
import { showInstant } from '../shown.ts';
import { ShownCreativeSchema, type ShownCreative } from './schema.ts';

/**
 * Finds a part of the creatives that were seen.
 *
 * @throws RialtoError `analytics_unavailable` as long as the analytics store is not open.
 */
export type CreativeFinder = (
  question: Omit<CreativesQuestion, 'limit'>,
  page: { readonly limit: number; readonly offset: number },
) => Promise<{
  readonly creatives: readonly SeenCreative[];
  readonly total: number;
}>;

const OFFSET_MAX = 10_000_000;
const CRID_LENGTH_MAX = 1_024;

const QUERY = Type.Object(
  {
    demand_partner: Type.Optional(ID),
    publisher: Type.Optional(ID),
    crid: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: CRID_LENGTH_MAX,
        description: `a creative id of 1 to ${CRID_LENGTH_MAX} characters`,
      }),
    ),
    pending: Type.Optional(YES_OR_NO),
    markup: Type.Optional(YES_OR_NO),
    limit: Type.Optional(
      whole(1, CREATIVES_LISTED_MAX, `; ${CREATIVES_LISTED_MAX} if nothing is said`),
    ),
    offset: Type.Optional(whole(0, OFFSET_MAX)),
  },
  { additionalProperties: false, title: 'this list' },
);

const SEEN_EXAMPLE = {
  first_seen_at: '2026-11-02T09:30:00.000Z',
  last_seen_at: '2026-11-20T08:15:00.000Z',
  wins: 1_204,
  pending: 0,
};

const EXAMPLE: ShownCreative = {
  demand_partner_id: 1001,
  crid: 'c-17',
  adomain: ['shop.example'],
  ad_format: 'banner',
  w: 300,
  h: 250,
  markup_bytes: 512,
  markup: '',
  ...SEEN_EXAMPLE,
  places: [
    { publisher_id: 2001, ...SEEN_EXAMPLE, verdict: 'none', by: '', domain: '', reason: '' },
  ],
};

/** `GET /creatives/`: what won, or waits for a review, in the last 90 days. */
export function registerCreatives(
  endpoints: Endpoints,
  { findCreatives }: { readonly findCreatives: CreativeFinder },
): void {
  endpoints.add(
    {
      id: 'listCreatives',
      method: 'GET',
      path: '/creatives',
      tag: 'Creatives',
      summary: 'List the creatives that were seen',
      description:
        'The creatives of the last 90 days, those seen last first, with where each stands at each publisher. Operators see all, a demand partner its own, a publisher those on its ad spaces, with what was counted there. `markup` adds a sample, `pending` leaves those that wait for a review. Counts may be five minutes old.',
      roles: EVERYBODY,
      query: QUERY,
      body: NO_BODY,
      answer: {
        status: 200,
        meaning: 'the creatives',
        schema: Type.Array(ShownCreativeSchema),
        example: [EXAMPLE],
        headers: {
          ...LIST_HEADERS,
          'X-Total-Count': 'how many there are in all, of those that are looked through',
        },
      },
      errors: ['analytics_unavailable'],
    },
    async ({ caller, query, request, reply }) => {
      const { limit = CREATIVES_LISTED_MAX, offset = 0, ...filters } = query;
      const question = ownPart(caller, filters);
      const none = { creatives: [], total: 0 };
      const found = question === null ? none : await findCreatives(question, { limit, offset });
      const { creatives, total } = found;
      answerPage(request, reply, { page: { limit, offset, sort: null }, total });
      return creatives.map((creative) => showCreative(creative));
    },
  );
}

type Question = Omit<CreativesQuestion, 'limit'>;

/** The part of what is asked for that is the caller's; null where nothing of it is. */
function ownPart({ role, entityId }: Caller, question: Question): Question | null {
  if (role === 'operator') return question;
  if (entityId === null) throw new RialtoError('forbidden');
  const key = role === 'publisher' ? 'publisher' : 'demand_partner';
  if (question[key] !== undefined && question[key] !== entityId) return null;
  return { ...question, [key]: entityId };
}

/** Instants as the whole API has them. */
function showCreative({
  first_seen_ms,
  last_seen_ms,
  places,
  ...creative
}: SeenCreative): ShownCreative {
  return {
    ...creative,
    ...shownTimes({ first_seen_ms, last_seen_ms }),
    places: places.map(({ first_seen_ms: firstMs, last_seen_ms: lastMs, ...place }) => ({
      ...place,
      ...shownTimes({ first_seen_ms: firstMs, last_seen_ms: lastMs }),
    })),
  };
}

function shownTimes({ first_seen_ms, last_seen_ms }: Pick<SeenCreative, keyof SeenTimes>) {
  return { first_seen_at: showInstant(first_seen_ms), last_seen_at: showInstant(last_seen_ms) };
}

interface SeenTimes {
  readonly first_seen_ms: number;
  readonly last_seen_ms: number;
}
