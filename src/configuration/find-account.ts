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
 * its account until its grace is over; one of an archived partner or publisher opens none.
 */
export async function findAccount(
  db: Kysely<Database>,
  token: string,
  nowMs: number,
): Promise<FoundAccount | null> {
  const hash = accountTokenHash(token);
  const row = await db
    .selectFrom('accounts')
    .leftJoin('demand_partners', 'demand_partners.id', 'accounts.demand_partner_id')
    .leftJoin('publishers', 'publishers.id', 'accounts.publisher_id')
    .select([
      'accounts.demand_partner_id',
      'accounts.publisher_id',
      'demand_partners.status as partner_status',
      'publishers.status as publisher_status',
    ])
    .where((is) =>
      is.or([
        is('token_hash', '=', hash),
        is.and([is('previous_token_hash', '=', hash), is('previous_token_until', '>', nowMs)]),
      ]),
    )
    .executeTakeFirst();
  if (row === undefined) return null;
  if (row.partner_status === 'ARCHIVED' || row.publisher_status === 'ARCHIVED') return null;
  return { demandPartnerId: row.demand_partner_id, publisherId: row.publisher_id };
}
