import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { SmtpSettings } from '../adapters/smtp-mailer.ts';
import { repeat } from '../base/repeat.ts';
import { createAddressPolicy } from '../base/address-policy.ts';
import type { Database } from '../configuration/schema.ts';
import type { Leadership } from '../ports/leadership.ts';
import type { Mailer } from '../ports/mailer.ts';
import type { NoticeClient } from '../ports/notice-client.ts';
import type { ConditionSource } from '../subscriptions/condition.ts';
import { ConditionWatch } from '../subscriptions/condition-watch.ts';
import { DeliverySender } from '../subscriptions/delivery-sender.ts';
import { createEmailTransport } from '../subscriptions/email-transport.ts';
import { createWebhookTransport } from '../subscriptions/webhook-transport.ts';

const EVERY_MS = 1_000;
/** For mails that are under way at the end: control has few seconds to drain. */
const MAILS_END_WITHIN_MS = 2_000;
/** Deliveries on their way to all webhooks together. */
const IN_FLIGHT_MAX = 256;

export interface SubscriptionServiceParts {
  readonly db: Kysely<Database>;
  readonly leadership: Leadership;
  readonly sources: readonly ConditionSource[];
  readonly logger: Logger;
  /** Null where no e-mail is sent. */
  readonly smtp: SmtpSettings | null;
  /** Control's address that others see, without a slash at its end. */
  readonly controlUrl: string;
}

/**
 * Tells webhooks and recipients of e-mail what has changed, until it is ended. What looks and what
 * sends go their own ways: a look that takes long holds up no delivery.
 *
 * @returns ends it; resolves when nothing is under way.
 */
export function startSubscriptions(parts: SubscriptionServiceParts): () => Promise<void> {
  const { db, leadership, sources, logger, smtp, controlUrl } = parts;
  const policy = createPolicy(db);
  const client = createClient(policy.isAllowed);
  const mailer = smtp === null ? null : createMailer(smtp);
  const common = { db, leadership, logger, now: Date.now };
  const watch = new ConditionWatch({ ...common, sources });
  const sender = new DeliverySender({
    ...common,
    transports: {
      webhook: createWebhookTransport({ client, monotonic: () => performance.now() }),
      email: createEmailTransport({ mailer, controlUrl }),
    },
    random: Math.random,
  });
  const stopping = new AbortController();
  const always = (what: string, act: () => Promise<void>): Promise<void> =>
    repeat(act, {
      everyMs: EVERY_MS,
      signal: stopping.signal,
      onFailure: (error) => logger.warn({ err: error }, what),
    });
  const running = [
    always('nobody can be told of changes', async () => {
      await policy.refresh();
      await sender.send();
    }),
    always('changes cannot be looked for', () => watch.look()),
  ];
  return async () => {
    stopping.abort();
    await Promise.all(running);
    await Promise.all([client.close(), mailer?.close()]);
    await sender.settled();
  };
}

/** Which addresses a webhook may lead to, as the exchange's settings have it. */
function createPolicy(db: Kysely<Database>) {
  let isAllowed = createAddressPolicy([]);
  return {
    isAllowed: (ip: string) => isAllowed(ip),
    refresh: async (): Promise<void> => {
      const settings = await db
        .selectFrom('exchange_settings')
        .select('allow_private_webhooks')
        .executeTakeFirst();
      const ranges: readonly string[] = JSON.parse(settings?.allow_private_webhooks ?? '[]');
      isAllowed = createAddressPolicy(ranges);
    },
  };
}

/** What calls is loaded with the first delivery: most controls never need it. */
function createClient(
  isAddressAllowed: (ip: string) => boolean,
): Pick<NoticeClient, 'call' | 'close'> {
  const load = once(async (): Promise<NoticeClient> => {
    const { createNoticeHttpClient } = await import('../adapters/notice-http.ts');
    return createNoticeHttpClient({
      isAddressAllowed,
      connectionsMax: 4,
      pipeliningMax: 1,
      inFlightMax: IN_FLIGHT_MAX,
      now: () => performance.now(),
    });
  });
  return {
    call: (call, settle) => void load.get().then((client) => client.call(call, settle)),
    close: async () => (await load.begun)?.close(),
  };
}

/** What sends e-mail, likewise. */
function createMailer(smtp: SmtpSettings): Pick<Mailer, 'send'> & { close(): Promise<void> } {
  const load = once(async (): Promise<Mailer> => {
    const { createSmtpMailer } = await import('../adapters/smtp-mailer.ts');
    return createSmtpMailer(smtp);
  });
  return {
    send: async (mail) => (await load.get()).send(mail),
    close: async () => (await load.begun)?.close(MAILS_END_WITHIN_MS),
  };
}

function once<Value>(load: () => Promise<Value>) {
  let begun: Promise<Value> | null = null;
  return {
    get begun() {
      return begun;
    },
    get: () => (begun ??= load()),
  };
}
