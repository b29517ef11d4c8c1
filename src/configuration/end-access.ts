import type { Transaction } from 'kysely';
import type { Actor } from './audit.ts';
import { liveUsers } from './live-users.ts';
import { revokeReportingToken } from './reporting-tokens.ts';
import type { Database } from './schema.ts';

/**
 * Ends for good what opens the exchange to those who may come in no longer: the sessions and access
 * tokens of users who are paused, or whose partner or publisher is archived, and the reporting tokens
 * of these. Whoever is let in again signs in anew.
 */
export async function endAccessOfTheBarred(
  transaction: Transaction<Database>,
  by: { readonly actor: Actor; readonly nowMs: number },
): Promise<void> {
  const live = liveUsers(transaction).select('users.id');
  await transaction.deleteFrom('sessions').where('user_id', 'not in', live).execute();
  const applications = transaction
    .selectFrom('applications')
    .select('applications.id')
    .where('applications.user_id', 'not in', live);
  await transaction
    .deleteFrom('access_tokens')
    .where('application_id', 'in', applications)
    .execute();
  const archived = await transaction
    .selectFrom('accounts')
    .leftJoin('demand_partners', 'demand_partners.id', 'accounts.demand_partner_id')
    .leftJoin('publishers', 'publishers.id', 'accounts.publisher_id')
    .select(['accounts.demand_partner_id', 'accounts.publisher_id'])
    .where((is) =>
      is.or([
        is('demand_partners.status', '=', 'ARCHIVED'),
        is('publishers.status', '=', 'ARCHIVED'),
      ]),
    )
    .execute();
  for (const owner of archived) await revokeReportingToken(transaction, owner, by);
}
