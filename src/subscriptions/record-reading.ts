import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../configuration/schema.ts';
import type { Reading } from './condition.ts';
import { addDelivery, createEvent, trimDeliveries } from './deliveries.ts';
import { holdAgainst, type Change, type Known } from './hold-against.ts';

type Subscription = Database['subscriptions'];

/** What every active subscription wants to be told of. */
export async function activeSubscriptions(db: Kysely<Database>): Promise<Subscription[]> {
  return db.selectFrom('subscriptions').selectAll().where('status', '=', 'ACTIVE').execute();
}

/**
 * Takes what a source has read: what has changed since the last time is to be sent to those who want
 * it. Both are written in one transaction, so that nothing is told never, whenever control ends.
 *
 * @returns how many deliveries that makes.
 */
export async function recordReading(
  db: Kysely<Database>,
  kind: string,
  { reading, nowMs }: { readonly reading: Reading; readonly nowMs: number },
): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    const known = await readKnown(transaction, kind);
    const { told, over, changes } = holdAgainst(known, reading, nowMs);
    for (const key of [...over, ...told.map((condition) => condition.key)]) {
      await transaction.deleteFrom('conditions').where('key', '=', key).execute();
    }
    for (const condition of told) {
      await transaction
        .insertInto('conditions')
        .values({
          key: condition.key,
          kind,
          told_at: nowMs,
          condition: JSON.stringify(condition),
        })
        .execute();
    }
    return changes.length === 0 ? 0 : tell(transaction, changes, nowMs);
  });
}

/** Forgets all conditions of the kinds that nobody wants to hear of. */
export async function forgetKinds(db: Kysely<Database>, kinds: readonly string[]): Promise<void> {
  if (kinds.length === 0) return;
  await db.deleteFrom('conditions').where('kind', 'in', kinds).execute();
}

async function readKnown(
  transaction: Transaction<Database>,
  kind: string,
): Promise<Map<string, Known>> {
  const rows = await transaction
    .selectFrom('conditions')
    .select(['key', 'told_at', 'condition'])
    .where('kind', '=', kind)
    .execute();
  return new Map(
    rows.map((row): [string, Known] => [
      row.key,
      { condition: JSON.parse(row.condition), toldMs: row.told_at },
    ]),
  );
}

async function tell(
  transaction: Transaction<Database>,
  changes: readonly Change[],
  nowMs: number,
): Promise<number> {
  const subscriptions = await activeSubscriptions(transaction);
  let told = 0;
  for (const change of changes) {
    const event = createEvent(change.event, nowMs);
    for (const subscription of subscriptions) {
      if (!concerns(change, subscription)) continue;
      await addDelivery(transaction, subscription.id, event);
      told += 1;
    }
  }
  for (const { id } of subscriptions) await trimDeliveries(transaction, id);
  return told;
}

/** Whether a subscription is told of a change: it asks for it, and the change is its owner's business. */
function concerns({ event, ...change }: Change, subscription: Subscription): boolean {
  const events: readonly string[] = JSON.parse(subscription.events);
  if (!events.includes(event.type)) return false;
  const { demand_partner_id: partner, publisher_id: publisher } = subscription;
  if (partner !== null) return partner === change.demandPartnerId;
  if (publisher !== null) return publisher === change.publisherId;
  return change.isOperators;
}
