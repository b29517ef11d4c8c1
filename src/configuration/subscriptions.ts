import type { Kysely, Transaction } from 'kysely';
import type { By } from './applications.ts';
import { fieldChanges, writeAudit, type FieldChange } from './audit.ts';
import { FIRST_ID } from './plan.ts';
import type { Database } from './schema.ts';

type Subscription = Database['subscriptions'];
export type Channel = Subscription['channel'];

/** Of each channel: enough for every system and person of one account; it bounds what is sent for it. */
export const SUBSCRIPTIONS_MAX = 20;

/** Whose a subscription is; the operator's belongs to neither. */
export type SubscriptionOwner = Pick<Subscription, 'demand_partner_id' | 'publisher_id'>;

/** What people choose of a subscription. */
export type SubscriptionChoice = Pick<Subscription, 'name' | 'address' | 'status'> & {
  readonly events: readonly string[];
};

/** What the audit log calls a subscription. */
export const SUBSCRIPTION_NOUNS = {
  webhook: 'webhook',
  email: 'e-mail recipient',
} as const satisfies Record<Channel, string>;

/** `full`: its owner has as many of its channel as anybody may. `taken`: has the address already. */
export type NotCreated = 'full' | 'taken';

/** Adds a subscription, or says why not. */
export async function createSubscription(
  db: Kysely<Database>,
  made: SubscriptionOwner & Pick<Subscription, 'channel' | 'secret'> & ChoiceMade,
  by: By,
): Promise<Subscription | NotCreated> {
  const { demand_partner_id: partner, publisher_id: publisher, channel, choice, secret } = made;
  return db.transaction().execute(async (transaction) => {
    const id = await takeId(transaction);
    const own = await listOwn(transaction, made);
    if (own.length >= SUBSCRIPTIONS_MAX) return 'full';
    if (isTaken(own, channel, choice)) return 'taken';
    const row: Subscription = {
      id,
      demand_partner_id: partner,
      publisher_id: publisher,
      channel,
      ...choice,
      events: JSON.stringify(choice.events),
      secret,
      previous_secret: null,
      previous_secret_until: null,
      created_at: by.nowMs,
      updated_at: by.nowMs,
    };
    await transaction.insertInto('subscriptions').values(row).execute();
    await note(transaction, row, { action: 'created', changes: fieldChanges(null, choice) }, by);
    return row;
  });
}

/** The subscriptions of one owner by one channel. */
async function listOwn(
  transaction: Transaction<Database>,
  {
    demand_partner_id: partner,
    publisher_id: publisher,
    channel,
  }: SubscriptionOwner & Pick<Subscription, 'channel'>,
): Promise<Subscription[]> {
  const rows = await transaction
    .selectFrom('subscriptions')
    .selectAll()
    .where('channel', '=', channel)
    .execute();
  return rows.filter((row) => row.demand_partner_id === partner && row.publisher_id === publisher);
}

/** One person needs no two e-mails of one event; a receiver of webhooks may well have several secrets. */
function isTaken(
  others: readonly Subscription[],
  channel: Channel,
  { address }: SubscriptionChoice,
): boolean {
  const text = address.toLowerCase();
  return channel === 'email' && others.some((other) => other.address.toLowerCase() === text);
}

/** An id that no subscription has had: what waits for one that is removed must not find another. */
async function takeId(transaction: Transaction<Database>): Promise<number> {
  const { id } = await transaction
    .insertInto('last_ids')
    .values({ of: 'subscriptions', id: FIRST_ID })
    .onConflict((conflict) =>
      conflict.column('of').doUpdateSet((last) => ({ id: last('last_ids.id', '+', 1) })),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

interface ChoiceMade {
  readonly choice: SubscriptionChoice;
}

/** Changes a subscription; what is as it was changes nothing. Null where another has the address. */
export async function updateSubscription(
  transaction: Transaction<Database>,
  row: Subscription,
  { choice, by }: ChoiceMade & { readonly by: By },
): Promise<Subscription | null> {
  const { name, address, status } = row;
  const changes = fieldChanges({ name, address, status, events: JSON.parse(row.events) }, choice);
  if (changes.length === 0) return row;
  if (changes.some(({ field }) => field === 'address')) {
    const others = (await listOwn(transaction, row)).filter(({ id }) => id !== row.id);
    if (isTaken(others, row.channel, choice)) return null;
  }
  const next = { ...choice, events: JSON.stringify(choice.events), updated_at: by.nowMs };
  await transaction.updateTable('subscriptions').set(next).where('id', '=', row.id).execute();
  await note(transaction, row, { action: 'updated', changes }, by);
  return { ...row, ...next };
}

/** Gives a webhook another secret; null when another roll came first. */
export async function rollWebhookSecret(
  db: Kysely<Database>,
  row: Subscription,
  {
    secret,
    previous,
    by,
  }: {
    readonly secret: string;
    readonly previous: Pick<Subscription, 'previous_secret' | 'previous_secret_until'>;
    readonly by: By;
  },
): Promise<Subscription | null> {
  const next = { secret, ...previous, updated_at: by.nowMs };
  return db.transaction().execute(async (transaction) => {
    const rolled = await transaction
      .updateTable('subscriptions')
      .set(next)
      .where('id', '=', row.id)
      .where('secret', '=', row.secret)
      .returning('id')
      .execute();
    if (rolled.length === 0) return null;
    const { previous_secret_until: untilMs } = previous;
    const until = untilMs === null ? null : new Date(untilMs).toISOString();
    const changes = [{ field: 'previous_secret_until', after: until }];
    await note(transaction, row, { action: 'rolled', changes }, by);
    return { ...row, ...next };
  });
}

/** Removes a subscription; what was to be sent to it goes with it. */
export async function deleteSubscription(
  transaction: Transaction<Database>,
  row: Subscription,
  by: By,
): Promise<void> {
  await transaction.deleteFrom('subscriptions').where('id', '=', row.id).execute();
  const changes = [{ field: 'address', before: row.address, after: null }];
  await note(transaction, row, { action: 'deleted', changes }, by);
}

/** What was done to a subscription. */
interface Done {
  readonly action: 'created' | 'updated' | 'rolled' | 'deleted';
  readonly changes: readonly FieldChange[];
}

async function note(
  transaction: Transaction<Database>,
  { id, channel }: Pick<Subscription, 'id' | 'channel'>,
  { action, changes }: Done,
  by: By,
): Promise<void> {
  const shown = channel === 'webhook' ? changes.map((change) => withoutToken(change)) : changes;
  const resource = SUBSCRIPTION_NOUNS[channel];
  await writeAudit(transaction, { action, resource, resourceId: id, changes: shown }, by);
}

/**
 * Of a webhook's address the audit log has the origin alone: many receivers know a sender by a token in
 * the path or the query, and the log is read by others and kept for years.
 */
function withoutToken({ field, before, after }: FieldChange): FieldChange {
  if (field !== 'address') return { field, before, after };
  return { field, before: originOf(before), after: originOf(after) };
}

function originOf(address: unknown): unknown {
  const url = typeof address === 'string' ? URL.parse(address) : null;
  if (url === null) return address;
  return `${url.pathname}${url.search}` === '/' ? url.href : `${url.origin}/…`;
}
