import Type from 'typebox';
import type { RialtoError } from '../../base/errors.ts';
import { listRows } from '../../configuration/resource-rows.ts';
import type { Finding } from '../../configuration/finding.ts';
import type { Database } from '../../configuration/schema.ts';
import {
  createSubscription,
  deleteSubscription,
  SUBSCRIPTIONS_MAX,
  updateSubscription,
  type SubscriptionChoice,
} from '../../configuration/subscriptions.ts';
import type { Caller } from '../../identity/caller.ts';
import { actorOf } from '../actor.ts';
import { EVERYBODY, NO_BODY, NO_QUERY } from '../endpoint.ts';
import { invalidRequest, type Endpoints } from '../endpoints.ts';
import { answerTagged, etagOf, requireMatch } from '../etag.ts';
import { answerPage, LIST_HEADERS, listQuery, pageOf } from '../page.ts';
import type { Params } from '../resource.ts';
import { ETAG, type ResourceParts } from '../resource-routes.ts';
import { findWrongTypes, type ChannelApi } from './channel-api.ts';
import { registerDeliveries } from './deliveries.ts';
import { findSubscription, ownerOf, subscriptionsOf } from './find.ts';

/** The endpoints of one channel: list, get, make, change, remove; its deliveries and a test. */
export function registerChannel(endpoints: Endpoints, api: ChannelApi, parts: ResourceParts): void {
  addReading(endpoints, api, parts);
  addMaking(endpoints, api, parts);
  addChanging(endpoints, api, parts);
  addRemoving(endpoints, api, parts);
  registerDeliveries(endpoints, api, parts);
}

function addReading(endpoints: Endpoints, api: ChannelApi, { db, now }: ResourceParts): void {
  const { channel, operation, tag, path, onePath, parameter, noun, one, shown, example } = api;
  endpoints.add(
    {
      id: `list${operation}s`,
      method: 'GET',
      path,
      tag,
      summary: `List the ${noun}s of the caller's account`,
      description: `All users of a demand partner share its ${noun}s, and those of a publisher; operators have those of the exchange.`,
      roles: EVERYBODY,
      query: listQuery({}, ['name', 'created_at']),
      body: NO_BODY,
      answer: {
        status: 200,
        meaning: `the ${noun}s`,
        schema: Type.Array(shown),
        example: [example],
        headers: LIST_HEADERS,
      },
    },
    async ({ caller, query, request, reply }) => {
      const page = pageOf(query);
      const rows = subscriptionsOf(caller, channel);
      const found = await listRows(db, rows, { page, filters: new Map() });
      answerPage(request, reply, { page, total: found.total });
      return found.rows.map((row) => api.show(row, now()));
    },
  );
  endpoints.add(
    {
      id: `get${operation}`,
      method: 'GET',
      path: onePath,
      tag,
      summary: `Get ${one}`,
      roles: EVERYBODY,
      query: NO_QUERY,
      body: NO_BODY,
      answer: { status: 200, meaning: `the ${noun}`, schema: shown, example, headers: ETAG },
    },
    async ({ caller, params, request, reply }) => {
      const row = await findSubscription(db, caller, { channel, text: params[parameter] });
      return answerTagged(request, reply, api.show(row, now()));
    },
  );
}

function addMaking(endpoints: Endpoints, api: ChannelApi, { db, now }: ResourceParts): void {
  const { channel, operation, tag, path, noun, one, example, secret: secrets } = api;
  const { name, address, events } = example;
  endpoints.add(
    {
      id: `create${operation}`,
      method: 'POST',
      path,
      tag,
      summary: `Create ${one}`,
      description: api.making,
      roles: EVERYBODY,
      query: NO_QUERY,
      body: { schema: api.schemas.create, example: { name, address, events } },
      answer: {
        status: 201,
        meaning: secrets === null ? `the ${noun}` : `the ${noun} and its secret`,
        schema: secrets?.schema ?? api.shown,
        example: secrets?.example ?? example,
        ...(secrets === null ? {} : { shownOnce: 'id' }),
        headers: { Location: 'its address', ...ETAG },
      },
    },
    async ({ caller, body, reply }) => {
      const choice = { status: 'ACTIVE', ...body } as const;
      requireNone([...findWrongTypes(caller, choice), ...(await api.check(choice, caller))]);
      const by = { actor: actorOf(caller), nowMs: now() };
      const secret = secrets?.create() ?? null;
      const made = { ...ownerOf(caller), channel, choice, secret };
      const row = await createSubscription(db, made, by);
      if (row === 'taken') throw addressTaken(api);
      if (row === 'full') {
        const message = `an account has at most ${SUBSCRIPTIONS_MAX} ${noun}s; remove one first`;
        throw invalidRequest([{ path: [], message }]);
      }
      const shown = api.show(row, by.nowMs);
      reply.header('location', `/api${path}/${row.id}/`).header('etag', etagOf(shown));
      return secret === null ? shown : { ...shown, secret };
    },
  );
}

function addChanging(endpoints: Endpoints, api: ChannelApi, { db, now }: ResourceParts): void {
  const { channel, operation, tag, onePath, parameter, noun, one, example } = api;
  endpoints.add(
    {
      id: `update${operation}`,
      method: 'PATCH',
      path: onePath,
      tag,
      summary: `Change ${one}`,
      description: 'What waits to be sent goes to the address that it has then.',
      roles: EVERYBODY,
      query: NO_QUERY,
      body: { schema: api.schemas.patch, example: { status: 'PAUSED' } },
      answer: {
        status: 200,
        meaning: `the ${noun} now`,
        schema: api.shown,
        example: { ...example, status: 'PAUSED' },
        headers: ETAG,
      },
      errors: ['precondition_failed'],
    },
    async ({ caller, params, body, request, reply }) => {
      const by = { actor: actorOf(caller), nowMs: now() };
      const named = { channel, text: params[parameter] };
      const before = await findSubscription(db, caller, named);
      const asked = { ...choiceOf(before), ...body };
      // What passes no longer can be paused and renamed all the same.
      const isReached = body.address !== undefined || body.status === 'ACTIVE';
      requireNone([
        ...findWrongTypes(caller, asked),
        ...(isReached ? await api.check(asked, caller) : []),
      ]);
      const shown = await db.transaction().execute(async (transaction) => {
        const row = await findSubscription(transaction, caller, named);
        requireMatch(request, api.show(row, by.nowMs));
        const choice = { ...choiceOf(row), ...body };
        const next = await updateSubscription(transaction, row, { choice, by });
        if (next === null) throw addressTaken(api);
        return api.show(next, by.nowMs);
      });
      reply.header('etag', etagOf(shown));
      return shown;
    },
  );
}

function addRemoving(endpoints: Endpoints, api: ChannelApi, { db, now }: ResourceParts): void {
  const { channel, operation, tag, onePath, parameter, one } = api;
  endpoints.add(
    {
      id: `delete${operation}`,
      method: 'DELETE',
      path: onePath,
      tag,
      summary: `Remove ${one} with what waits to be sent to it`,
      roles: EVERYBODY,
      query: NO_QUERY,
      body: NO_BODY,
      answer: { status: 204, meaning: 'it is removed', schema: null },
    },
    async ({ caller, params }: { readonly caller: Caller; readonly params: Params }) => {
      const by = { actor: actorOf(caller), nowMs: now() };
      await db.transaction().execute(async (transaction) => {
        const named = { channel, text: params[parameter] };
        await deleteSubscription(
          transaction,
          await findSubscription(transaction, caller, named),
          by,
        );
      });
    },
  );
}

/** @throws RialtoError for what is wrong with a choice beyond its form. */
function requireNone(findings: readonly Finding[]): void {
  if (findings.length > 0) throw invalidRequest(findings);
}

function addressTaken({ noun }: ChannelApi): RialtoError {
  const message = `another ${noun} of your account has this address`;
  return invalidRequest([{ path: ['address'], message }]);
}

function choiceOf({
  name,
  address,
  status,
  events,
}: Database['subscriptions']): SubscriptionChoice {
  return { name, address, status, events: JSON.parse(events) };
}
