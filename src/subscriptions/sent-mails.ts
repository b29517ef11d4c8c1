import type { Kysely } from 'kysely';
import type { Database } from '../configuration/schema.ts';
import type { SubscriptionOwner } from '../configuration/subscriptions.ts';

/** Mails to one address in an hour, whoever sends them, tests among them. */
export const MAILS_OF_ADDRESS_MAX = 60;
/** Mails of one account in an hour, to all its addresses. */
export const MAILS_OF_ACCOUNT_MAX = 300;
const HOUR_MS = 3_600_000;

/**
 * Counts a mail that is about to be sent; false where it has to wait. What is counted outlives the
 * recipient: one that is removed and made again gets no more.
 */
export async function takeMail(
  db: Kysely<Database>,
  {
    demand_partner_id: partner,
    publisher_id: publisher,
    address,
  }: SubscriptionOwner & Pick<Database['subscriptions'], 'address'>,
  nowMs: number,
): Promise<boolean> {
  const sinceMs = nowMs - HOUR_MS;
  const mail = {
    account: `${partner ?? ''} ${publisher ?? ''}`,
    address: address.toLowerCase(),
    sent_at: nowMs,
  };
  return db.transaction().execute(async (transaction) => {
    const countOf = async (column: 'account' | 'address'): Promise<number> => {
      const { count } = await transaction
        .selectFrom('sent_mails')
        .select((is) => is.fn.countAll().as('count'))
        .where(column, '=', mail[column])
        .where('sent_at', '>', sinceMs)
        .executeTakeFirstOrThrow();
      return Number(count);
    };
    if ((await countOf('address')) >= MAILS_OF_ADDRESS_MAX) return false;
    if ((await countOf('account')) >= MAILS_OF_ACCOUNT_MAX) return false;
    await transaction.deleteFrom('sent_mails').where('sent_at', '<=', sinceMs).execute();
    await transaction.insertInto('sent_mails').values(mail).execute();
    return true;
  });
}
