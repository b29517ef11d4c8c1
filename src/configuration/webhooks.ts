import type { Kysely, Transaction } from 'kysely';
import type { By } from './applications.ts';
import { fieldChanges, writeAudit } from './audit.ts';
import { FIRST_ID } from './plan.ts';
import type { Database } from './schema.ts';

type Webhook = Database['webhooks'];

/** Enough for every system of one account; it bounds what the exchange calls for it. */
export const WEBHOOKS_MAX = 20;

/** Whose a webhook is; the operator's belongs to neither. */
export type WebhookOwner = Pick<Webhook, 'demand_partner_id' | 'publisher_id'>;

/** What people choose of a webhook. */
export type WebhookChoice = Pick<Webhook, 'name' | 'url' | 'status'> & {
  readonly events: readonly string[];
};

const NOUN = 'webhook';

/** Adds a webhook; null where its owner has as many as anybody may. */
export async function createWebhook(
  db: Kysely<Database>,
  made: WebhookOwner & { readonly choice: WebhookChoice; readonly secret: string },
  by: By,
): Promise<Webhook | null> {
  const { demand_partner_id: partner, publisher_id: publisher, choice, secret } = made;
  return db.transaction().execute(async (transaction) => {
    const rows = await transaction
      .selectFrom('webhooks')
      .select(['id', 'demand_partner_id', 'publisher_id'])
      .execute();
    const own = rows.filter(
      (row) => row.demand_partner_id === partner && row.publisher_id === publisher,
    );
    if (own.length >= WEBHOOKS_MAX) return null;
    const row: Webhook = {
      id: Math.max(FIRST_ID - 1, ...rows.map(({ id }) => id)) + 1,
      demand_partner_id: partner,
      publisher_id: publisher,
      ...choice,
      events: JSON.stringify(choice.events),
      secret,
      previous_secret: null,
      previous_secret_until: null,
      created_at: by.nowMs,
      updated_at: by.nowMs,
    };
    await transaction.insertInto('webhooks').values(row).execute();
    const changes = fieldChanges(null, choice);
    const entry = { action: 'created', resource: NOUN, resourceId: row.id, changes } as const;
    await writeAudit(transaction, entry, by);
    return row;
  });
}

/** Changes a webhook; what is as it was changes nothing. */
export async function updateWebhook(
  transaction: Transaction<Database>,
  row: Webhook,
  { choice, by }: { readonly choice: WebhookChoice; readonly by: By },
): Promise<Webhook> {
  const { name, url, status } = row;
  const changes = fieldChanges({ name, url, status, events: JSON.parse(row.events) }, choice);
  if (changes.length === 0) return row;
  const next = { ...choice, events: JSON.stringify(choice.events), updated_at: by.nowMs };
  await transaction.updateTable('webhooks').set(next).where('id', '=', row.id).execute();
  const entry = { action: 'updated', resource: NOUN, resourceId: row.id, changes } as const;
  await writeAudit(transaction, entry, by);
  return { ...row, ...next };
}

/** Gives a webhook another secret; null when another roll came first. */
export async function rollWebhookSecret(
  db: Kysely<Database>,
  row: Webhook,
  {
    secret,
    previous,
    by,
  }: {
    readonly secret: string;
    readonly previous: Pick<Webhook, 'previous_secret' | 'previous_secret_until'>;
    readonly by: By;
  },
): Promise<Webhook | null> {
  const next = { secret, ...previous, updated_at: by.nowMs };
  return db.transaction().execute(async (transaction) => {
    const rolled = await transaction
      .updateTable('webhooks')
      .set(next)
      .where('id', '=', row.id)
      .where('secret', '=', row.secret)
      .returning('id')
      .execute();
    if (rolled.length === 0) return null;
    const { previous_secret_until: untilMs } = previous;
    const until = untilMs === null ? null : new Date(untilMs).toISOString();
    const changes = [{ field: 'previous_secret_until', after: until }];
    const entry = { action: 'rolled', resource: NOUN, resourceId: row.id, changes } as const;
    await writeAudit(transaction, entry, by);
    return { ...row, ...next };
  });
}

/** Removes a webhook; what was to be sent to it goes with it. */
export async function deleteWebhook(
  transaction: Transaction<Database>,
  row: Webhook,
  by: By,
): Promise<void> {
  await transaction.deleteFrom('webhooks').where('id', '=', row.id).execute();
  const changes = [{ field: 'url', before: row.url, after: null }];
  const entry = { action: 'deleted', resource: NOUN, resourceId: row.id, changes } as const;
  await writeAudit(transaction, entry, by);
}
