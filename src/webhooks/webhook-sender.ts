import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Database } from '../configuration/schema.ts';
import type { Leadership } from '../ports/leadership.ts';
import type { NoticeClient, NoticeReply } from '../ports/notice-client.ts';
import { activeWebhook, dueDeliveries, dueWebhooks, noteTry, type Tried } from './deliveries.ts';
import { SIGNATURE_HEADER, signatureOf } from './signature.ts';

type Webhook = Database['webhooks'];

/** How long a receiver may take, everything included. */
const WITHIN_MS = 10_000;
/** Deliveries of one webhook that are sent between two looks into the store. */
const BATCH_MAX = 50;

export interface WebhookSenderOptions {
  readonly db: Kysely<Database>;
  readonly leadership: Leadership;
  readonly client: Pick<NoticeClient, 'call'>;
  readonly logger: Logger;
  /** Unix time in milliseconds. */
  readonly now: () => number;
  /** The clock of `performance.now()`. */
  readonly monotonic: () => number;
  readonly random: () => number;
}

/**
 * Sends what is due, one delivery of a webhook after the other and all webhooks side by side, so that
 * one that hangs keeps nobody else waiting. A try is noted after it: a control that ends in between,
 * or leads no more, has sent what is sent again, at least once.
 */
export class WebhookSender {
  readonly #options: WebhookSenderOptions;
  readonly #sending = new Map<number, Promise<void>>();

  constructor(options: WebhookSenderOptions) {
    this.#options = options;
  }

  /** Begins to send what is due. @throws where the configuration store does not answer. */
  async send(): Promise<void> {
    const { db, leadership, now, logger } = this.#options;
    if (leadership.term === null) return;
    for (const webhook of await dueWebhooks(db, now())) {
      if (this.#sending.has(webhook.id)) continue;
      const sent = this.#sendAll(webhook.id)
        .catch((error: unknown) => logger.warn({ err: error }, 'a webhook could not be called'))
        .finally(() => this.#sending.delete(webhook.id));
      this.#sending.set(webhook.id, sent);
    }
  }

  /** Resolves when nothing is on its way. */
  async settled(): Promise<void> {
    await Promise.all(this.#sending.values());
  }

  async #sendAll(webhookId: number): Promise<void> {
    const { db, leadership, now, random } = this.#options;
    for (const delivery of await dueDeliveries(db, webhookId, { nowMs: now(), most: BATCH_MAX })) {
      if (leadership.term === null) return;
      // It may have got another address or secret since, or be paused.
      const webhook = await activeWebhook(db, webhookId);
      if (webhook === undefined) return;
      const tried = await this.#try(webhook, delivery);
      // Nothing was sent: others take all places there, and it is still due.
      if (tried.failure === 'busy') return;
      await noteTry(db, delivery, tried, random());
      // It would not answer the next one either.
      if (tried.status === null) return;
    }
  }

  async #try(webhook: Webhook, delivery: Database['webhook_deliveries']): Promise<Tried> {
    const { client, now, monotonic } = this.#options;
    const atMs = now();
    const { id, body, tries } = delivery;
    const headers = [
      'content-type',
      'application/json',
      'user-agent',
      'Rialto-Webhooks',
      'rialto-delivery',
      id,
      'rialto-try',
      String(tries + 1),
      SIGNATURE_HEADER.toLowerCase(),
      signatureOf(secretsOf(webhook, atMs), Math.floor(atMs / 1_000), body),
    ];
    const deadlineMs = monotonic() + WITHIN_MS;
    const reply = await new Promise<NoticeReply>((resolve) => {
      client.call(
        { url: webhook.url, id, bodyBytesMax: 0, deadlineMs, post: { headers, body } },
        resolve,
      );
    });
    return { ...outcomeOf(reply), atMs };
  }
}

/** The secrets to sign with, the newest first. */
function secretsOf(webhook: Webhook, nowMs: number): string[] {
  const { secret, previous_secret: previous, previous_secret_until: until } = webhook;
  return previous !== null && until !== null && until > nowMs ? [secret, previous] : [secret];
}

function outcomeOf(reply: NoticeReply): Pick<Tried, 'status' | 'failure'> {
  if (reply.kind === 'answer') return { status: reply.status, failure: null };
  return { status: null, failure: reply.kind === 'error' ? reply.code : reply.kind };
}
