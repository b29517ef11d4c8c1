import type { Kysely, Transaction } from 'kysely';
import type { SecondFactorStore, SecondFactorUser, ShownCode } from '../identity/second-factors.ts';
import { writeAudit, type FieldChange } from './audit.ts';
import { exchangeDocument } from './resources/exchange.ts';
import type { Database } from './schema.ts';

/** Second factors in the configuration store. */
export function createSecondFactorStore(
  db: Kysely<Database>,
  now: () => number,
): SecondFactorStore {
  return {
    find: async (userId) => {
      const row = await db
        .selectFrom('second_factors')
        .select(['secret', 'last_step', 'confirmed_at'])
        .where('user_id', '=', userId)
        .executeTakeFirst();
      if (row === undefined) return null;
      const { secret, last_step: lastStep, confirmed_at: confirmedAt } = row;
      return { secret, lastStep, isConfirmed: confirmedAt !== null };
    },
    offer: (userId, secret) =>
      db
        .transaction()
        .execute((transaction) => offer(transaction, userId, { secret, nowMs: now() })),
    confirm: (user, code) =>
      db
        .transaction()
        .execute((transaction) => confirm(transaction, user, { ...code, nowMs: now() })),
    remove: (user, step) =>
      db.transaction().execute(async (transaction) => {
        if (!(await useStep(transaction, user.userId, step))) return false;
        await removeSecondFactor(transaction, user, { nowMs: now() });
        return true;
      }),
    exchangeName: async () => {
      const row = await db.selectFrom('exchange_settings').selectAll().executeTakeFirst();
      return exchangeDocument(row).name;
    },
  };
}

/**
 * Uses up the step of a code, within the transaction that lets its user in.
 *
 * @param step null of a user who was found to have no second factor.
 * @returns false when the step or a later one was used, or the user has a second factor meanwhile.
 */
export async function useStep(
  transaction: Transaction<Database>,
  userId: number,
  step: number | null,
): Promise<boolean> {
  const confirmed = await confirmedOf(transaction, [userId]);
  if (step === null || !confirmed.has(userId)) return step === null && !confirmed.has(userId);
  const used = await transaction
    .updateTable('second_factors')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('last_step', '<', step)
    .returning('user_id')
    .execute();
  return used.length === 1;
}

/** Those of some users who have a second factor. */
export async function confirmedOf(
  db: Kysely<Database>,
  userIds: readonly number[],
): Promise<ReadonlySet<number>> {
  if (userIds.length === 0) return new Set();
  const rows = await db
    .selectFrom('second_factors')
    .select('user_id')
    .where('user_id', 'in', userIds)
    .where('confirmed_at', 'is not', null)
    .execute();
  return new Set(rows.map((row) => row.user_id));
}

/** Removes a user's second factor, ends their other sessions, and the links that would remove the next one. */
export async function removeSecondFactor(
  transaction: Transaction<Database>,
  user: Pick<SecondFactorUser, 'userId' | 'email'> & { readonly sessionHash: string | null },
  { nowMs, changes = [] }: { readonly nowMs: number; readonly changes?: readonly FieldChange[] },
): Promise<void> {
  await transaction.deleteFrom('second_factors').where('user_id', '=', user.userId).execute();
  await conclude(transaction, user, {
    nowMs,
    changes: [{ field: 'has_second_factor', before: true, after: false }, ...changes],
  });
}

async function offer(
  transaction: Transaction<Database>,
  userId: number,
  { secret, nowMs }: { readonly secret: string; readonly nowMs: number },
): Promise<boolean> {
  if ((await confirmedOf(transaction, [userId])).has(userId)) return false;
  await transaction.deleteFrom('second_factors').where('user_id', '=', userId).execute();
  await transaction
    .insertInto('second_factors')
    .values({ user_id: userId, secret, last_step: 0, created_at: nowMs, confirmed_at: null })
    .execute();
  return true;
}

async function confirm(
  transaction: Transaction<Database>,
  user: SecondFactorUser,
  { secret, step, nowMs }: ShownCode & { readonly nowMs: number },
): Promise<boolean> {
  const confirmed = await transaction
    .updateTable('second_factors')
    .set({ last_step: step, confirmed_at: nowMs })
    .where('user_id', '=', user.userId)
    .where('secret', '=', secret)
    .where('confirmed_at', 'is', null)
    .returning('user_id')
    .execute();
  if (confirmed.length === 0) return false;
  const changes = [{ field: 'has_second_factor', before: false, after: true }];
  await conclude(transaction, user, { nowMs, changes });
  return true;
}

/** Whoever else is signed in as the user has shown less, or another code. */
async function conclude(
  transaction: Transaction<Database>,
  {
    userId,
    email,
    sessionHash,
  }: Omit<SecondFactorUser, 'sessionHash'> & { readonly sessionHash: string | null },
  { nowMs, changes }: { readonly nowMs: number; readonly changes: readonly FieldChange[] },
): Promise<void> {
  await transaction
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('session_hash', '!=', sessionHash ?? '')
    .execute();
  await transaction
    .deleteFrom('one_time_links')
    .where('user_id', '=', userId)
    .where('purpose', '=', 'second_factor')
    .execute();
  const actor = { name: email, userId, clientId: null };
  const entry = { action: 'updated', resource: 'user', resourceId: email, changes } as const;
  await writeAudit(transaction, entry, { actor, nowMs });
}
