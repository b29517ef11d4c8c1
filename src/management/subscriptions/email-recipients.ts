import { SUBSCRIPTIONS_MAX } from '../../configuration/subscriptions.ts';
import { isAllowed, readAllowedAddresses } from '../../subscriptions/allowed-addresses.ts';
import { typesInWords, type ChannelApi, type SubscriptionParts } from './channel-api.ts';
import { ownerOf } from './find.ts';
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
    making: `The exchange sends an e-mail for each event of the chosen types, if its operator has set a mail server. Operators choose any address; other accounts an address of one of their users, or one at the same domain unless that is a public mail provider's. An account has an address once, and at most ${SUBSCRIPTIONS_MAX} recipients. Which types there are for whom: ${typesInWords()}.`,
    secret: null,
    show: showRecipient,
    check: async ({ address }, caller) => {
      if (!sendsEmail) {
        const message = 'this exchange sends no e-mail: its operator has set no mail server';
        return [{ path: [], message }];
      }
      const allowed = await readAllowedAddresses(db, ownerOf(caller));
      if (allowed === null || isAllowed(allowed, address)) return [];
      const { domains, addresses } = allowed;
      const message =
        domains.length > 0
          ? `must be at a domain of your users: ${domains.join(', ')}`
          : `must be the address of one of your users: ${addresses.join(', ')}`;
      return [{ path: ['address'], message }];
    },
  };
}
