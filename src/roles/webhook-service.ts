import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { createAddressPolicy } from '../base/address-policy.ts';
import type { Database } from '../configuration/schema.ts';
import type { Leadership } from '../ports/leadership.ts';
import type { NoticeClient } from '../ports/notice-client.ts';
import type { ConditionSource } from '../webhooks/condition.ts';
import { WebhookSender } from '../webhooks/webhook-sender.ts';
import { WebhookWatch } from '../webhooks/webhook-watch.ts';

const LOOK_MS = 1_000;
/** Deliveries on their way to all webhooks together. */
const IN_FLIGHT_MAX = 256;

export interface WebhookServiceParts {
  readonly db: Kysely<Database>;
  readonly leadership: Leadership;
  readonly sources: readonly ConditionSource[];
  readonly logger: Logger;
}

/**
 * Tells webhooks what has changed, until it is ended.
 *
 * @returns ends it; resolves when nothing is under way.
 */
export function startWebhooks(parts: WebhookServiceParts): () => Promise<void> {
  const { db, leadership, sources, logger } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  const policy = createPolicy(db);
  const client = createClient(policy.isAllowed);
  const common = { db, leadership, logger, now: Date.now };
  const watch = new WebhookWatch({ ...common, sources });
  const monotonic = (): number => performance.now();
  const sender = new WebhookSender({ ...common, client, monotonic, random: Math.random });
  let isFailing = false;
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        await policy.refresh();
        await sender.send();
        await watch.look();
        isFailing = false;
      } catch (error) {
        if (!isFailing) logger.warn({ err: error }, 'webhooks cannot be told of anything');
        isFailing = true;
      }
      await delay(LOOK_MS, undefined, { signal }).catch(() => {});
    }
  };
  const running = run();
  return async () => {
    stopping.abort();
    await running;
    await client.close();
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
        .select('allow_private_addresses')
        .executeTakeFirst();
      const ranges: readonly string[] = JSON.parse(settings?.allow_private_addresses ?? '[]');
      isAllowed = createAddressPolicy(ranges);
    },
  };
}

/** What calls is loaded with the first delivery: most controls never need it. */
function createClient(
  isAddressAllowed: (ip: string) => boolean,
): Pick<NoticeClient, 'call' | 'close'> {
  const load = async (): Promise<NoticeClient> => {
    const { createNoticeHttpClient } = await import('../adapters/notice-http.ts');
    return createNoticeHttpClient({
      isAddressAllowed,
      connectionsMax: 4,
      pipeliningMax: 1,
      inFlightMax: IN_FLIGHT_MAX,
      now: () => performance.now(),
    });
  };
  let loading: Promise<NoticeClient> | null = null;
  return {
    call: (call, settle) => {
      void (loading ??= load()).then((client) => client.call(call, settle));
    },
    close: async () => (await loading)?.close(),
  };
}
