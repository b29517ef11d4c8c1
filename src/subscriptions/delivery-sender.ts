import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Channel } from '../configuration/subscriptions.ts';
import type { Database } from '../configuration/schema.ts';
import type { Leadership } from '../ports/leadership.ts';
import { isAllowed, readAllowedAddresses } from './allowed-addresses.ts';
import {
  activeSubscription,
  dueDeliveries,
  dueSubscriptions,
  noteTry,
  type Tried,
} from './deliveries.ts';
import { takeMail } from './sent-mails.ts';

type Subscription = Database['subscriptions'];
type Delivery = Database['deliveries'];

/** Deliveries of one subscription that are sent between two looks into the store. */
const BATCH_MAX = 50;
/** What a mail fails with whose address is none of the account's any more. */
const ADDRESS_NOT_ALLOWED = 'ERR_ADDRESS_NOT_ALLOWED';

/** How one channel sends; null where nothing was sent, because others take all places. */
export type Transport = (
  subscription: Subscription,
  delivery: Delivery,
  atMs: number,
) => Promise<Omit<Tried, 'atMs'> | null>;

export interface DeliverySenderOptions {
  readonly db: Kysely<Database>;
  readonly leadership: Leadership;
  readonly transports: Readonly<Record<Channel, Transport>>;
  readonly logger: Logger;
  /** Unix time in milliseconds. */
  readonly now: () => number;
  readonly random: () => number;
}

/**
 * Sends what is due, one delivery of a subscription after the other and all subscriptions side by side,
 * so that one that hangs keeps nobody else waiting. A try is noted after it: a control that ends in
 * between, or leads no more, has sent what is sent again, at least once.
 */
export class DeliverySender {
  readonly #options: DeliverySenderOptions;
  readonly #sending = new Map<number, Promise<void>>();

  constructor(options: DeliverySenderOptions) {
    this.#options = options;
  }

  /** Begins to send what is due. @throws where the configuration store does not answer. */
  async send(): Promise<void> {
    const { db, leadership, now, logger } = this.#options;
    if (leadership.term === null) return;
    for (const due of await dueSubscriptions(db, now())) {
      if (this.#sending.has(due.id)) continue;
      const sent = this.#sendAll(due)
        .catch((error: unknown) => logger.warn({ err: error }, 'a delivery could not be sent'))
        .finally(() => this.#sending.delete(due.id));
      this.#sending.set(due.id, sent);
    }
  }

  /** Resolves when nothing is on its way. */
  async settled(): Promise<void> {
    await Promise.all(this.#sending.values());
  }

  async #sendAll(due: Subscription): Promise<void> {
    const { db, leadership, now, random } = this.#options;
    for (const delivery of await dueDeliveries(db, due.id, { nowMs: now(), most: BATCH_MAX })) {
      if (leadership.term === null) return;
      // It may have got another address or secret since, be paused, or be gone.
      const subscription = await activeSubscription(db, due, delivery);
      if (subscription === undefined) return;
      const atMs = now();
      const outcome = await this.#sendOne(subscription, delivery, atMs);
      // It is still due.
      if (outcome === null) return;
      await noteTry(db, delivery, { ...outcome, atMs }, random());
      if (outcome.verdict === 'down') return;
    }
  }

  async #sendOne(
    subscription: Subscription,
    delivery: Delivery,
    atMs: number,
  ): ReturnType<Transport> {
    const { db, transports } = this.#options;
    const { channel, address } = subscription;
    if (channel === 'email') {
      if (!isAllowed(await readAllowedAddresses(db, subscription), address)) {
        return { status: null, failure: ADDRESS_NOT_ALLOWED, verdict: 'gone' };
      }
      if (!(await takeMail(db, subscription, atMs))) return null;
    }
    return transports[channel](subscription, delivery, atMs);
  }
}
