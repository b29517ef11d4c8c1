import type { Kysely } from 'kysely';
import { mailDomainOf } from '../../base/mail-address.ts';
import type { Database } from '../../configuration/schema.ts';
import { SUBSCRIPTIONS_MAX } from '../../configuration/subscriptions.ts';
import type { Caller } from '../../identity/caller.ts';
import { typesInWords, type ChannelApi, type SubscriptionParts } from './channel-api.ts';
import { RECIPIENT_EXAMPLE, recipientSchemas, ShownRecipientSchema } from './schema.ts';
import { showRecipient } from './show.ts';

/** People who get events by e-mail. */
export function emailRecipients({
  db,
  sendsEmail,
}: Pick<SubscriptionParts, 'db' | 'sendsEmail'>): ChannelApi {
  return {
    channel: 'email',
    operation: 'EmailRecipient',
    tag: 'E-mail recipients',
    path: '/email-recipients',
    onePath: '/email-recipients/:email_recipient_id',
    parameter: 'email_recipient_id',
    noun: 'e-mail recipient',
    one: 'an e-mail recipient',
    schemas: recipientSchemas,
    shown: ShownRecipientSchema,
    example: RECIPIENT_EXAMPLE,
    making: `The exchange sends an e-mail for each event of the chosen types, if its operator has set a mail server. Operators choose any address; other accounts one at the domain of an e-mail address of their users. An account has at most ${SUBSCRIPTIONS_MAX}. Which types there are for whom: ${typesInWords()}.`,
    secret: null,
    show: showRecipient,
    check: async ({ address }, caller) => {
      if (!sendsEmail) {
        const message = 'this exchange sends no e-mail: its operator has set no mail server';
        return [{ path: [], message }];
      }
      const domains = await domainsOf(db, caller);
      if (domains === null || domains.includes(mailDomainOf(address))) return [];
      const message = `must be at a domain of your users: ${domains.join(', ')}`;
      return [{ path: ['address'], message }];
    },
  };
}

/** The domains that a caller may send to; null for any. Mail to strangers is the operator's to answer for. */
async function domainsOf(
  db: Kysely<Database>,
  { role, entityId }: Caller,
): Promise<string[] | null> {
  if (role === 'operator') return null;
  const column = role === 'demand-partner' ? 'demand_partner_id' : 'publisher_id';
  const users = await db
    .selectFrom('users')
    .select('email')
    .where(column, '=', entityId)
    .where('status', '=', 'ACTIVE')
    .execute();
  return [...new Set(users.map(({ email }) => mailDomainOf(email)))].toSorted();
}
