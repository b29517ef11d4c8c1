import { RialtoError } from '../../base/errors.ts';
import { rollWebhookSecret, SUBSCRIPTIONS_MAX } from '../../configuration/subscriptions.ts';
import { createRandomSecret } from '../../identity/random-secret.ts';
import { actorOf } from '../actor.ts';
import { EVERYBODY, NO_QUERY } from '../endpoint.ts';
import type { Endpoints } from '../endpoints.ts';
import { etagOf, requireMatch } from '../etag.ts';
import { GraceSchema, previousOf } from '../grace.ts';
import { ETAG, type ResourceParts } from '../resource-routes.ts';
import { typesInWords, type ChannelApi } from './channel-api.ts';
import { findSubscription } from './find.ts';
import {
  SECRET_EXAMPLE,
  ShownWebhookSchema,
  WEBHOOK_EXAMPLE,
  webhookSchemas,
  WebhookSecretSchema,
  type WebhookSecret,
} from './schema.ts';
import { showWebhook } from './show.ts';

/** What begins every secret of a webhook, so that one that is found can be told. */
const SECRET_MARK = 'rialto_whsec_';
const createSecret = (): string => createRandomSecret(SECRET_MARK);

/** Addresses that are told what has changed, so that nobody has to ask for it again and again. */
export const WEBHOOKS: ChannelApi = {
  channel: 'webhook',
  operation: 'Webhook',
  tag: 'Webhooks',
  path: '/webhooks',
  onePath: '/webhooks/:webhook_id',
  parameter: 'webhook_id',
  noun: 'webhook',
  one: 'a webhook',
  schemas: webhookSchemas,
  shown: ShownWebhookSchema,
  example: WEBHOOK_EXAMPLE,
  making: `The exchange POSTs each event of the chosen types to its address. The secret that deliveries are signed with is shown once. An account has at most ${SUBSCRIPTIONS_MAX}. Which types there are for whom: ${typesInWords()}.`,
  secret: {
    create: createSecret,
    schema: WebhookSecretSchema,
    example: { ...WEBHOOK_EXAMPLE, secret: SECRET_EXAMPLE },
  },
  show: showWebhook,
  check: async () => [],
};

/** `POST /api/webhooks/{webhook_id}/secret/`. */
export function registerSecretRoll(endpoints: Endpoints, { db, now }: ResourceParts): void {
  endpoints.add(
    {
      id: 'rollWebhookSecret',
      method: 'POST',
      path: `${WEBHOOKS.onePath}/secret`,
      tag: WEBHOOKS.tag,
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
      const named = { channel: 'webhook', text: params['webhook_id'] } as const;
      const row = await findSubscription(db, caller, named);
      const by = { actor: actorOf(caller), nowMs: now() };
      requireMatch(request, showWebhook(row, by.nowMs));
      if (row.secret === null) throw new Error(`webhook ${row.id} has no secret`);
      const secret = createSecret();
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
