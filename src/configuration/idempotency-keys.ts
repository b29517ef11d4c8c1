import { sql, type Kysely } from 'kysely';
import type { Database } from './schema.ts';

/** How long a key is known after its request came. */
export const KEY_KEPT_MS = 24 * 60 * 60 * 1_000;

/** A request that may come twice: whose it is, where it went, under which key, with which body. */
export interface KeyedRequest {
  readonly userId: number;
  /** The path, without a slash at its end. */
  readonly address: string;
  readonly key: string;
  readonly bodyHash: string;
}

/** What is kept of the answer to a request. */
export interface KeptAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON; null where it had a secret. */
  readonly body: string | null;
  /** What was made, where the body is not kept. */
  readonly resourceId: string | null;
}

export type KeyClaim =
  /** It is the first: whoever claims it does the work, and then keeps or releases it. */
  | { readonly kind: 'claimed' }
  | { readonly kind: 'answered'; readonly answer: KeptAnswer }
  /** The same request is under way, or the process ended over it. */
  | { readonly kind: 'unsettled' }
  | { readonly kind: 'another_body' };

/** Claims the key of a request, unless it has come within a day before. */
export async function claimKey(
  db: Kysely<Database>,
  request: KeyedRequest,
  nowMs: number,
): Promise<KeyClaim> {
  return db.transaction().execute(async (transaction) => {
    await transaction
      .deleteFrom('idempotency_keys')
      .where('user_id', '=', request.userId)
      .where('claimed_at', '<=', nowMs - KEY_KEPT_MS)
      .execute();
    const claimed = await transaction
      .insertInto('idempotency_keys')
      .values({
        user_id: request.userId,
        address: request.address,
        key: request.key,
        body_hash: request.bodyHash,
        claimed_at: nowMs,
        answer: null,
      })
      .onConflict((conflict) => conflict.columns(['user_id', 'address', 'key']).doNothing())
      .returning('key')
      .executeTakeFirst();
    if (claimed !== undefined) return { kind: 'claimed' };
    const row = await transaction
      .selectFrom('idempotency_keys')
      .select(['body_hash', 'answer'])
      .where('user_id', '=', request.userId)
      .where('address', '=', request.address)
      .where('key', '=', request.key)
      .executeTakeFirst();
    // It was released in between.
    if (row === undefined) return { kind: 'unsettled' };
    if (row.body_hash !== request.bodyHash) return { kind: 'another_body' };
    if (row.answer === null) return { kind: 'unsettled' };
    const answer: KeptAnswer = JSON.parse(row.answer);
    return { kind: 'answered', answer };
  });
}

/** Keeps what a claimed request was answered. */
export async function keepAnswer(
  db: Kysely<Database>,
  { userId, address, key }: KeyedRequest,
  answer: KeptAnswer,
): Promise<void> {
  await db
    .updateTable('idempotency_keys')
    .set({ answer: JSON.stringify(answer) })
    .where('user_id', '=', userId)
    .where('address', '=', address)
    .where('key', '=', key)
    .execute();
}

/** Keys that are removed in one statement. */
const PURGED_AT_ONCE = 1_000;

/**
 * Removes what came a day ago or before, of all users, in portions that hold nobody up.
 *
 * @returns how many were removed.
 */
export async function purgeKeys(db: Kysely<Database>, nowMs: number): Promise<number> {
  for (let removed = 0; ;) {
    const { numAffectedRows } = await sql`
      delete from idempotency_keys where (user_id, address, key) in (
        select user_id, address, key from idempotency_keys
        where claimed_at <= ${nowMs - KEY_KEPT_MS} order by claimed_at limit ${PURGED_AT_ONCE}
      )
    `.execute(db);
    removed += Number(numAffectedRows ?? 0);
    if (Number(numAffectedRows ?? 0) < PURGED_AT_ONCE) return removed;
  }
}

/** Gives a claimed key back: its request did nothing. */
export async function releaseKey(
  db: Kysely<Database>,
  { userId, address, key }: KeyedRequest,
): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where('user_id', '=', userId)
    .where('address', '=', address)
    .where('key', '=', key)
    .execute();
}
