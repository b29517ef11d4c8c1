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
 * their hash, so that no comparison takes longer for a better guess.
 */
export async function findAccount(
  db: Kysely<Database>,
  token: string,
): Promise<FoundAccount | null> {
  const row = await db
    .selectFrom('accounts')
    .select(['demand_partner_id', 'publisher_id'])
    .where('token_hash', '=', accountTokenHash(token))
    .executeTakeFirst();
  if (row === undefined) return null;
  return { demandPartnerId: row.demand_partner_id, publisherId: row.publisher_id };
}
