import type { Kysely } from 'kysely';
import { accountTokenHash } from './resources/account.ts';
import type { Database } from './schema.ts';

/** The account of a demand partner or of a publisher: one of both is set. */
export interface FoundAccount {
  readonly demandPartnerId: number | null;
  readonly publisherId: number | null;
}

/**
 * Finds the account that a reporting token opens; null where nobody has it. Tokens are looked up by
 * their hash, so that no comparison takes longer for a better guess. A token that was rolled opens
 * its account until its grace is over.
 */
export async function findAccount(
  db: Kysely<Database>,
  token: string,
  nowMs: number,
): Promise<FoundAccount | null> {
  const hash = accountTokenHash(token);
  const row = await db
    .selectFrom('accounts')
    .select(['demand_partner_id', 'publisher_id'])
    .where((is) =>
      is.or([
        is('token_hash', '=', hash),
        is.and([is('previous_token_hash', '=', hash), is('previous_token_until', '>', nowMs)]),
      ]),
    )
    .executeTakeFirst();
  if (row === undefined) return null;
  return { demandPartnerId: row.demand_partner_id, publisherId: row.publisher_id };
}
