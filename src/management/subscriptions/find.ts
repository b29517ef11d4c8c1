import { sql, type Kysely } from 'kysely';
import { RialtoError } from '../../base/errors.ts';
import { findRow, type Rows } from '../../configuration/resource-rows.ts';
import type { Database } from '../../configuration/schema.ts';
import type { Channel, SubscriptionOwner } from '../../configuration/subscriptions.ts';
import type { Caller } from '../../identity/caller.ts';
import { readNumericId } from '../resource.ts';

/** Whose subscriptions a caller has: all users of one account share them, and operators have their own. */
export function ownerOf({ role, entityId }: Caller): SubscriptionOwner {
  return {
    demand_partner_id: role === 'demand-partner' ? entityId : null,
    publisher_id: role === 'publisher' ? entityId : null,
  };
}

/** The subscriptions of a caller's account by one channel. */
export function subscriptionsOf(caller: Caller, channel: Channel): Rows<'subscriptions'> {
  const { demand_partner_id: partner, publisher_id: publisher } = ownerOf(caller);
  const mine =
    partner === null ? sql`demand_partner_id is null` : sql`demand_partner_id = ${partner}`;
  const owned =
    publisher === null
      ? sql`${mine} and publisher_id is null`
      : sql`${mine} and publisher_id = ${publisher}`;
  return { table: 'subscriptions', key: 'id', within: sql`${owned} and channel = ${channel}` };
}

/**
 * The subscription that an address names.
 *
 * @param text its id as the address has it.
 * @throws RialtoError `not_found`, the same for what is another's as for what does not exist.
 */
export async function findSubscription(
  db: Kysely<Database>,
  caller: Caller,
  { channel, text }: { readonly channel: Channel; readonly text: string | undefined },
): Promise<Database['subscriptions']> {
  const id = readNumericId(text ?? '');
  const row = id === null ? null : await findRow(db, subscriptionsOf(caller, channel), id);
  if (row === null) throw new RialtoError('not_found');
  return row;
}
