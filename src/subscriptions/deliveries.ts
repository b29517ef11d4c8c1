import { randomUUID } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import { Backoff, jittered } from '../base/backoff.ts';
import type { Database } from '../configuration/schema.ts';
import type { EventDraft } from './condition.ts';

type Subscription = Database['subscriptions'];
type Delivery = Database['deliveries'];

/** The deliveries of one subscription that are kept, done or not: the oldest go first. */
export const DELIVERIES_KEPT = 1_000;

const SECOND_MS = 1_000;
/** After a try that failed: ten seconds, then each wait twice the one before, up to an hour. */
const WAITS = { firstMs: 10 * SECOND_MS, lastMs: 3_600 * SECOND_MS };
/** A delivery is tried for a day; with the last wait that is 30 tries or so. */
const TRIED_FOR_MS = 24 * 3_600 * SECOND_MS;

/** One event, to be told to any number of subscriptions. */
export interface Event extends EventDraft {
  readonly id: string;
  /** Unix time in milliseconds. */
  readonly atMs: number;
}

/** Gives an event its id, by which a receiver tells a repetition. */
export function createEvent({ type, data }: EventDraft, atMs: number): Event {
  return { id: `evt_${randomUUID()}`, type, data, atMs };
}

/** Lets an event be sent to a subscription, at once. */
export async function addDelivery(
  transaction: Transaction<Database>,
  subscriptionId: number,
  { id, type, atMs, data }: Event,
): Promise<Delivery> {
  const body = { id, type, created_at: new Date(atMs).toISOString(), data };
  const delivery: Delivery = {
    id: `dlv_${randomUUID()}`,
    subscription_id: subscriptionId,
    type,
    event_id: id,
    body: JSON.stringify(body),
    state: 'pending',
    tries: 0,
    created_at: atMs,
    next_try_at: atMs,
    tried_at: null,
    answer_status: null,
    failure: null,
  };
  await transaction.insertInto('deliveries').values(delivery).execute();
  return delivery;
}

/** Forgets the oldest deliveries of a subscription that has too many. */
export async function trimDeliveries(
  transaction: Transaction<Database>,
  subscriptionId: number,
): Promise<void> {
  const kept = await transaction
    .selectFrom('deliveries')
    .select(['created_at', 'id'])
    .where('subscription_id', '=', subscriptionId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .offset(DELIVERIES_KEPT - 1)
    .executeTakeFirst();
  if (kept === undefined) return;
  await transaction
    .deleteFrom('deliveries')
    .where('subscription_id', '=', subscriptionId)
    .where((is) =>
      is.or([
        is('created_at', '<', kept.created_at),
        is.and([is('created_at', '=', kept.created_at), is('id', '<', kept.id)]),
      ]),
    )
    .execute();
}

/** The active subscriptions for which something is due. */
export async function dueSubscriptions(
  db: Kysely<Database>,
  nowMs: number,
): Promise<Subscription[]> {
  return db
    .selectFrom('subscriptions')
    .selectAll()
    .where('status', '=', 'ACTIVE')
    .where((is) =>
      is.exists(
        is
          .selectFrom('deliveries')
          .select('deliveries.id')
          .whereRef('subscription_id', '=', 'subscriptions.id')
          .where('next_try_at', '<=', nowMs),
      ),
    )
    .execute();
}

/**
 * Whom a delivery goes to, as it is now; undefined where either is gone, where it is not the same
 * account's any more, or where it does not want to be called.
 */
export async function activeSubscription(
  db: Kysely<Database>,
  { id, channel, demand_partner_id: partner, publisher_id: publisher }: Subscription,
  delivery: Pick<Delivery, 'id'>,
): Promise<Subscription | undefined> {
  const now = await db
    .selectFrom('subscriptions')
    .innerJoin('deliveries', 'deliveries.subscription_id', 'subscriptions.id')
    .selectAll('subscriptions')
    .where('subscriptions.id', '=', id)
    .where('deliveries.id', '=', delivery.id)
    .where('channel', '=', channel)
    .where('status', '=', 'ACTIVE')
    .executeTakeFirst();
  const isOwned = now?.demand_partner_id === partner && now.publisher_id === publisher;
  return isOwned ? now : undefined;
}

/** What is due for one subscription, what waits for longest first. */
export async function dueDeliveries(
  db: Kysely<Database>,
  subscriptionId: number,
  { nowMs, most }: { readonly nowMs: number; readonly most: number },
): Promise<Delivery[]> {
  return db
    .selectFrom('deliveries')
    .selectAll()
    .where('subscription_id', '=', subscriptionId)
    .where('next_try_at', '<=', nowMs)
    .orderBy('next_try_at')
    .orderBy('id')
    .limit(most)
    .execute();
}

/** What came of one try. */
export interface Tried {
  /** Null where no answer came. */
  readonly status: number | null;
  /** Why none came. */
  readonly failure: string | null;
  /** `gone`: trying again is of no use. `down`: what else waits there would fail now as well. */
  readonly verdict?: 'gone' | 'down';
  /** Unix time in milliseconds. */
  readonly atMs: number;
}

/** Whether the receiver has taken it: any status of 200 to 299. */
function isTaken({ status }: Pick<Tried, 'status'>): boolean {
  return status !== null && status >= 200 && status < 300;
}

/**
 * Notes a try, and when the next one is where it is not taken.
 *
 * @param random a number in [0, 1).
 */
export async function noteTry(
  db: Kysely<Database>,
  { id, tries, created_at: createdAt }: Delivery,
  tried: Tried,
  random: number,
): Promise<void> {
  const isDone = isTaken(tried) || tried.verdict === 'gone';
  const nextMs = isDone ? null : nextTryMs(createdAt, tries + 1, tried.atMs, random);
  const undone = nextMs === null ? 'given_up' : 'pending';
  await db
    .updateTable('deliveries')
    .set({
      state: isTaken(tried) ? 'delivered' : undone,
      tries: tries + 1,
      next_try_at: nextMs,
      tried_at: tried.atMs,
      answer_status: tried.status,
      failure: tried.failure,
    })
    .where('id', '=', id)
    .execute();
}

/** Null where it is given up. */
export function nextTryMs(
  createdAtMs: number,
  tries: number,
  atMs: number,
  random: number,
): number | null {
  if (atMs - createdAtMs >= TRIED_FOR_MS) return null;
  const backoff = new Backoff(WAITS);
  let waitMs = backoff.next();
  for (let each = 1; each < tries; each += 1) waitMs = backoff.next();
  return Math.round(atMs + jittered(waitMs, random));
}
