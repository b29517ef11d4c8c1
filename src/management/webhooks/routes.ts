import Type from 'typebox';
import { RialtoError } from '../../base/errors.ts';
import { listRows } from '../../configuration/resource-rows.ts';
import {
  createWebhook,
  deleteWebhook,
  rollWebhookSecret,
  updateWebhook,
  WEBHOOKS_MAX,
  type WebhookChoice,
} from '../../configuration/webhooks.ts';
import { createRandomSecret } from '../../identity/random-secret.ts';
import type { CallerRole } from '../../identity/caller.ts';
import { EVENT_TYPES, eventTypesFor } from '../../webhooks/event-types.ts';
import { actorOf } from '../actor.ts';
import { EVERYBODY, NO_BODY, NO_QUERY } from '../endpoint.ts';
import { invalidRequest, type Endpoints } from '../endpoints.ts';
import { answerTagged, etagOf, requireMatch } from '../etag.ts';
import { GraceSchema, previousOf } from '../grace.ts';
import { answerPage, LIST_HEADERS, listQuery, pageOf } from '../page.ts';
import { ETAG, type ResourceParts } from '../resource-routes.ts';
import { registerDeliveries } from './deliveries.ts';
import { findWebhook, ownerOf, webhooksOf } from './find.ts';
import {
  NewWebhookSchema,
  SECRET_EXAMPLE,
  ShownWebhookSchema,
  WEBHOOK_EXAMPLE,
  WebhookPatchSchema,
  WebhookSecretSchema,
  type WebhookSecret,
} from './schema.ts';
import { showWebhook } from './show.ts';

const TAG = 'Webhooks';
const PATH = '/webhooks';
const ONE = '/webhooks/:webhook_id';
/** What begins every secret of a webhook, so that one that is found can be told. */
const SECRET_MARK = 'rialto_whsec_';

const NEW_EXAMPLE = {
  name: WEBHOOK_EXAMPLE.name,
  url: WEBHOOK_EXAMPLE.url,
  events: ['creative.awaiting_review'],
};

/** Addresses that are told what has changed, so that nobody has to ask for it again and again. */
export function registerWebhooks(endpoints: Endpoints, parts: ResourceParts): void {
  addReading(endpoints, parts);
  addMaking(endpoints, parts);
  addChanging(endpoints, parts);
  registerDeliveries(endpoints, parts);
}

function addReading(endpoints: Endpoints, { db, now }: ResourceParts): void {
  endpoints.add(
    {
      id: 'listWebhooks',
      method: 'GET',
      path: PATH,
      tag: TAG,
      summary: "List the webhooks of the caller's account",
      description:
        'All users of a demand partner share its webhooks, and those of a publisher; operators have those of the exchange.',
      roles: EVERYBODY,
      query: listQuery({}, ['name', 'created_at']),
      body: NO_BODY,
      answer: {
        status: 200,
        meaning: 'the webhooks',
        schema: Type.Array(ShownWebhookSchema),
        example: [WEBHOOK_EXAMPLE],
        headers: LIST_HEADERS,
      },
    },
    async ({ caller, query, request, reply }) => {
      const page = pageOf(query);
      const found = await listRows(db, webhooksOf(caller), { page, filters: new Map() });
      answerPage(request, reply, { page, total: found.total });
      return found.rows.map((row) => showWebhook(row, now()));
    },
  );
  endpoints.add(
    {
      id: 'getWebhook',
      method: 'GET',
      path: ONE,
      tag: TAG,
      summary: 'Get one webhook',
      roles: EVERYBODY,
      query: NO_QUERY,
      body: NO_BODY,
      answer: {
        status: 200,
        meaning: 'the webhook',
        schema: ShownWebhookSchema,
        example: WEBHOOK_EXAMPLE,
        headers: ETAG,
      },
    },
    async ({ caller, params, request, reply }) =>
      answerTagged(request, reply, showWebhook(await findWebhook(db, caller, params), now())),
  );
}

function addMaking(endpoints: Endpoints, { db, now }: ResourceParts): void {
  endpoints.add(
    {
      id: 'createWebhook',
      method: 'POST',
      path: PATH,
      tag: TAG,
      summary: 'Create a webhook',
      description: `The exchange POSTs each event of the chosen types to its address. The secret that deliveries are signed with is shown once. An account has at most ${WEBHOOKS_MAX}. Which types there are for whom: ${typesInWords()}.`,
      roles: EVERYBODY,
      query: NO_QUERY,
      body: { schema: NewWebhookSchema, example: NEW_EXAMPLE },
      answer: {
        status: 201,
        meaning: 'the webhook and its secret',
        schema: WebhookSecretSchema,
        shownOnce: 'id',
        example: { ...WEBHOOK_EXAMPLE, secret: SECRET_EXAMPLE },
        headers: { Location: 'its address', ...ETAG },
      },
    },
    async ({ caller, body, reply }): Promise<WebhookSecret> => {
      const choice = { status: 'ACTIVE', ...body } as const;
      requireTypes(caller.role, choice);
      const by = { actor: actorOf(caller), nowMs: now() };
      const secret = createRandomSecret(SECRET_MARK);
      const row = await createWebhook(db, { ...ownerOf(caller), choice, secret }, by);
      if (row === null) {
        const message = `an account has at most ${WEBHOOKS_MAX} webhooks; remove one first`;
        throw invalidRequest([{ path: [], message }]);
      }
      const shown = showWebhook(row, by.nowMs);
      reply.header('location', `/api${PATH}/${row.id}/`).header('etag', etagOf(shown));
      return { ...shown, secret };
    },
  );
  endpoints.add(
    {
      id: 'rollWebhookSecret',
      method: 'POST',
      path: `${ONE}/secret`,
      tag: TAG,
      summary: 'Give a webhook another secret',
      description:
        'The new secret is shown once. For `grace_seconds` deliveries are signed with the one before as well, so that a receiver that knows either takes them; with 0 it ends at once.',
      roles: EVERYBODY,
      query: NO_QUERY,
      body: { schema: GraceSchema, example: { grace_seconds: 3_600 } },
      answer: {
        status: 201,
        meaning: 'the webhook and its new secret',
        schema: WebhookSecretSchema,
        shownOnce: 'id',
        example: {
          ...WEBHOOK_EXAMPLE,
          previous_secret: { expires_at: '2026-11-20T09:15:00.000Z' },
          secret: SECRET_EXAMPLE,
        },
        headers: ETAG,
      },
      errors: ['precondition_failed'],
    },
    async ({ caller, params, body, request, reply }): Promise<WebhookSecret> => {
      const row = await findWebhook(db, caller, params);
      const by = { actor: actorOf(caller), nowMs: now() };
      requireMatch(request, showWebhook(row, by.nowMs));
      const secret = createRandomSecret(SECRET_MARK);
      const { hash, untilMs } = previousOf(row.secret, body, by.nowMs);
      const previous = { previous_secret: hash, previous_secret_until: untilMs };
      const rolled = await rollWebhookSecret(db, row, { secret, previous, by });
      if (rolled === null) throw new RialtoError('precondition_failed');
      const shown = showWebhook(rolled, by.nowMs);
      reply.header('etag', etagOf(shown));
      return { ...shown, secret };
    },
  );
}

function addChanging(endpoints: Endpoints, { db, now }: ResourceParts): void {
  endpoints.add(
    {
      id: 'updateWebhook',
      method: 'PATCH',
      path: ONE,
      tag: TAG,
      summary: 'Change a webhook',
      description: 'What waits to be sent goes to the address that it has then.',
      roles: EVERYBODY,
      query: NO_QUERY,
      body: { schema: WebhookPatchSchema, example: { status: 'PAUSED' } },
      answer: {
        status: 200,
        meaning: 'the webhook now',
        schema: ShownWebhookSchema,
        example: { ...WEBHOOK_EXAMPLE, status: 'PAUSED' },
        headers: ETAG,
      },
      errors: ['precondition_failed'],
    },
    async ({ caller, params, body, request, reply }) => {
      const by = { actor: actorOf(caller), nowMs: now() };
      const shown = await db.transaction().execute(async (transaction) => {
        const row = await findWebhook(transaction, caller, params);
        const { name, url, status, events } = showWebhook(row, by.nowMs);
        requireMatch(request, showWebhook(row, by.nowMs));
        const choice = { name, url, status, events, ...body };
        requireTypes(caller.role, choice);
        return showWebhook(await updateWebhook(transaction, row, { choice, by }), by.nowMs);
      });
      reply.header('etag', etagOf(shown));
      return shown;
    },
  );
  endpoints.add(
    {
      id: 'deleteWebhook',
      method: 'DELETE',
      path: ONE,
      tag: TAG,
      summary: 'Remove a webhook with what waits to be sent to it',
      roles: EVERYBODY,
      query: NO_QUERY,
      body: NO_BODY,
      answer: { status: 204, meaning: 'it is removed', schema: null },
    },
    async ({ caller, params }) => {
      const by = { actor: actorOf(caller), nowMs: now() };
      await db.transaction().execute(async (transaction) => {
        const row = await findWebhook(transaction, caller, params);
        await deleteWebhook(transaction, row, by);
      });
    },
  );
}

/** @throws RialtoError for types of events that are not for this kind of user, and for repeated ones. */
function requireTypes(role: CallerRole, { events }: Pick<WebhookChoice, 'events'>): void {
  const allowed: readonly string[] = eventTypesFor(role);
  const findings = events.flatMap((type, index) => {
    if (events.indexOf(type) < index) {
      return [{ path: ['events', index], message: 'is there twice' }];
    }
    if (allowed.includes(type)) return [];
    const message = `is for others: a ${role} can be told of ${allowed.join(', ')}`;
    return [{ path: ['events', index], message }];
  });
  if (findings.length > 0) throw invalidRequest(findings);
}

function typesInWords(): string {
  return Object.entries(EVENT_TYPES)
    .filter(([type]) => type !== 'webhook.test')
    .map(([type, { roles }]) => `\`${type}\` (${roles.join(', ')})`)
    .join(', ');
}
