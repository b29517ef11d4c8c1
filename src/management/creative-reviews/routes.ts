import { sql, type Kysely, type RawBuilder } from 'kysely';
import Type from 'typebox';
import { boundedId } from '../../auction/creative-id.ts';
import { listedDomain } from '../../auction/domains.ts';
import { RialtoError } from '../../base/errors.ts';
import {
  describeReview,
  removeChosenReview,
  saveReview,
  type StoredReview,
} from '../../configuration/creative-reviews.ts';
import { EVERYTHING, findRow, listRows, type Rows } from '../../configuration/resource-rows.ts';
import { CreativeReviewSchema } from '../../configuration/resources/creative-review-schema.ts';
import type { Database } from '../../configuration/schema.ts';
import type { Caller } from '../../identity/caller.ts';
import { actorOf } from '../actor.ts';
import { NO_BODY, NO_QUERY, SUPPLY_SIDE } from '../endpoint.ts';
import type { Endpoints } from '../endpoints.ts';
import { answerTagged, etagOf, requireMatch } from '../etag.ts';
import { ownedBy } from '../owners.ts';
import { answerPage, LIST_HEADERS, listQuery, pageOf } from '../page.ts';
import { readNumericId, type Params } from '../resource.ts';
import type { ResourceParts } from '../resource-routes.ts';
import { showInstant } from '../shown.ts';
import {
  CreativeReviewBodySchema,
  ShownCreativeReviewSchema,
  type CreativeReviewBody,
  type ShownCreativeReview,
} from './schema.ts';

const { publisher, demand_partner, crid, domain, verdict } = CreativeReviewSchema.properties;

const EXAMPLE: ShownCreativeReview = {
  id: 7,
  publisher: 2001,
  demand_partner: 1001,
  crid: 'c-17',
  domain: null,
  verdict: 'blocked',
  reason: 'fake dialog',
  by: 'ads@planet.example',
  created_at: '2026-11-20T08:15:00.000Z',
};

const BODY_EXAMPLE: CreativeReviewBody = {
  demand_partner: 1001,
  crid: 'c-17',
  verdict: 'blocked',
  reason: 'fake dialog',
};

const SHARED = { tag: 'Creatives', roles: SUPPLY_SIDE } as const;
const PATH = '/creative-reviews';
const ITEM_PATH = `${PATH}/:creative_review_id`;
const ETAG = { ETag: 'which form of it this is; send it as If-Match to take back this one alone' };

/**
 * The decisions about creatives and advertisers: the operator's and everybody's to operators, its own
 * to a publisher.
 */
export function registerCreativeReviews(endpoints: Endpoints, parts: ResourceParts): void {
  addList(endpoints, parts);
  addGet(endpoints, parts);
  addSave(endpoints, parts);
  addRemove(endpoints, parts);
}

function addList(endpoints: Endpoints, { db }: ResourceParts): void {
  const filters = { publisher, demand_partner, crid, domain, verdict: Type.Optional(verdict) };
  endpoints.add(
    {
      ...SHARED,
      id: 'listCreativeReviews',
      method: 'GET',
      path: PATH,
      summary: 'List what was decided about creatives and advertisers',
      description:
        'The latest decision first. Operators see all, a publisher those for its own ad spaces; one without `publisher` is the operator’s and holds everywhere.',
      query: listQuery(filters, ['id', 'created_at']),
      body: NO_BODY,
      answer: {
        status: 200,
        meaning: 'the decisions',
        schema: Type.Array(ShownCreativeReviewSchema),
        example: [EXAMPLE],
        headers: LIST_HEADERS,
      },
    },
    async ({ caller, query, request, reply }) => {
      const asked = pageOf(query);
      const page = { ...asked, sort: asked.sort ?? LATEST_FIRST };
      const found = await listRows(db, reviewsOf(caller), { page, filters: filtersOf(query) });
      answerPage(request, reply, { page, total: found.total });
      return found.rows.map((row) => showReview(describeReview(row)));
    },
  );
}

const LATEST_FIRST = { column: 'created_at', descending: true };

function addGet(endpoints: Endpoints, { db }: ResourceParts): void {
  endpoints.add(
    {
      ...SHARED,
      id: 'getCreativeReview',
      method: 'GET',
      path: ITEM_PATH,
      summary: 'Get one decision about a creative or an advertiser',
      query: NO_QUERY,
      body: NO_BODY,
      answer: {
        status: 200,
        meaning: 'the decision',
        schema: ShownCreativeReviewSchema,
        example: EXAMPLE,
        headers: ETAG,
      },
    },
    async ({ caller, params, request, reply }) => {
      const row = await findReview(db, caller, params);
      return answerTagged(request, reply, showReview(describeReview(row)));
    },
  );
}

function addSave(endpoints: Endpoints, { db, now }: ResourceParts): void {
  endpoints.add(
    {
      ...SHARED,
      id: 'saveCreativeReview',
      method: 'POST',
      path: PATH,
      summary: 'Block or approve a creative or an advertiser',
      description:
        'Of a creative name its `demand_partner` and its `crid`, of an advertiser its `domain`. A decision about the same is replaced, with status 200; a new one is 201. Operators decide everywhere, or with `publisher` for one; a publisher for itself. It holds within two seconds.',
      query: NO_QUERY,
      body: { schema: CreativeReviewBodySchema, example: BODY_EXAMPLE },
      answer: {
        status: 201,
        meaning: 'the decision as it stands now',
        schema: ShownCreativeReviewSchema,
        example: EXAMPLE,
        headers: { Location: 'its address', ...ETAG },
        also: { status: 200, meaning: 'the decision, which was there already or replaces another' },
      },
    },
    async ({ caller, body, request, reply }) => {
      const input = { ...ownSubject(caller, body), by: caller.email };
      const saved = await saveReview(db, input, { actor: actorOf(caller), nowMs: now() });
      if (!saved.ok) throw new RialtoError('invalid_request', saved.problems);
      const { outcome, review } = saved;
      if (review === null) throw new Error('a decision that was saved is not there');
      const [path = ''] = request.url.split('?');
      reply.header('location', `${path.replace(/\/$/, '')}/${review.id}/`);
      const shown = showReview(review);
      reply.header('etag', etagOf(shown));
      if (outcome !== 'created') reply.code(200);
      return shown;
    },
  );
}

function addRemove(endpoints: Endpoints, { db, now }: ResourceParts): void {
  endpoints.add(
    {
      ...SHARED,
      id: 'deleteCreativeReview',
      method: 'DELETE',
      path: ITEM_PATH,
      summary: 'Take back a decision about a creative or an advertiser',
      query: NO_QUERY,
      body: NO_BODY,
      answer: { status: 204, meaning: 'it is no more', schema: null },
      errors: ['precondition_failed'],
    },
    async ({ caller, params, request, reply }) => {
      const context = { actor: actorOf(caller), nowMs: now() };
      const choose = async (transaction: Kysely<Database>): Promise<StoredRow> => {
        const row = await findReview(transaction, caller, params);
        requireMatch(request, showReview(describeReview(row)));
        return row;
      };
      await removeChosenReview(db, choose, context);
      return reply.send();
    },
  );
}

type StoredRow = Database['creative_reviews'];

/** A creative's id and an advertiser's domain stand in one column. */
interface Subjects {
  readonly crid: string | null;
  readonly domain: string | null;
}

function reviewsOf({ role, entityId }: Caller): Rows<'creative_reviews', Subjects> {
  const own = role === 'operator' ? EVERYTHING : ownedBy('publisher_id', entityId ?? NOBODY);
  const computed = { crid: valueOf('crid'), domain: valueOf('domain') };
  return { table: 'creative_reviews', key: 'id', within: own, computed };
}

/** No id of anything: 0 is the operator's here. */
const NOBODY = -1;

function valueOf(target: StoredRow['target']): RawBuilder<string | null> {
  return sql`(case when target = ${target} then value end)`;
}

async function findReview(
  db: Kysely<Database>,
  caller: Caller,
  { creative_review_id: text = '' }: Params,
): Promise<StoredRow> {
  const id = readNumericId(text);
  const row = id === null ? null : await findRow(db, reviewsOf(caller), id);
  if (row === null) throw new RialtoError('not_found');
  return row;
}

/** Columns with their values, in the form in which they are kept. */
function filtersOf(query: Partial<CreativeReviewBody>): Map<string, string | number> {
  const columns: readonly (readonly [string, string | number | undefined])[] = [
    ['publisher_id', query.publisher],
    ['demand_partner_id', query.demand_partner],
    ['crid', query.crid === undefined ? undefined : boundedId(query.crid)],
    ['domain', query.domain === undefined ? undefined : listedDomain(query.domain)],
    ['verdict', query.verdict],
  ];
  const filters = new Map<string, string | number>();
  for (const [column, value] of columns) if (value !== undefined) filters.set(column, value);
  return filters;
}

/** What an operator says, or the same for the caller's own ad spaces. */
function ownSubject({ role, entityId }: Caller, body: CreativeReviewBody): CreativeReviewBody {
  if (role === 'operator') return body;
  if (entityId === null) throw new RialtoError('forbidden');
  if (body.publisher !== undefined && body.publisher !== entityId) {
    const message = `must be ${entityId}, your own id, or left out`;
    throw new RialtoError('invalid_request', [{ pointer: '/publisher', message }]);
  }
  return { ...body, publisher: entityId };
}

function showReview({ target, value, created_at, ...review }: StoredReview): ShownCreativeReview {
  const { id, publisher: owner, demand_partner: partner } = review;
  return {
    id,
    publisher: owner,
    demand_partner: partner,
    crid: target === 'crid' ? value : null,
    domain: target === 'domain' ? value : null,
    verdict: review.verdict,
    reason: review.reason,
    by: review.by,
    created_at: showInstant(created_at),
  };
}
