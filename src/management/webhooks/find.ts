import { sql, type Kysely } from 'kysely';
import { RialtoError } from '../../base/errors.ts';
import { findRow, type Rows } from '../../configuration/resource-rows.ts';
import type { Database } from '../../configuration/schema.ts';
import type { WebhookOwner } from '../../configuration/webhooks.ts';
import type { Caller } from '../../identity/caller.ts';
import { readNumericId, type Params } from '../resource.ts';

/** Whose webhooks a caller has: all users of one account share them, and operators have their own. */
export function ownerOf({ role, entityId }: Caller): WebhookOwner {
  return {
    demand_partner_id: role === 'demand-partner' ? entityId : null,
    publisher_id: role === 'publisher' ? entityId : null,
  };
}

/** The webhooks of a caller's account. */
export function webhooksOf(caller: Caller): Rows<'webhooks'> {
  const { demand_partner_id: partner, publisher_id: publisher } = ownerOf(caller);
  const mine =
    partner === null ? sql`demand_partner_id is null` : sql`demand_partner_id = ${partner}`;
  const within =
    publisher === null
      ? sql`${mine} and publisher_id is null`
      : sql`${mine} and publisher_id = ${publisher}`;
  return { table: 'webhooks', key: 'id', within };
}

/**
 * The webhook that an address names.
 *
 * @throws RialtoError `not_found`, the same for what is another's as for what does not exist.
 */
export async function findWebhook(
  db: Kysely<Database>,
  caller: Caller,
  { webhook_id: text = '' }: Params,
): Promise<Database['webhooks']> {
  const id = readNumericId(text);
  const row = id === null ? null : await findRow(db, webhooksOf(caller), id);
  if (row === null) throw new RialtoError('not_found');
  return row;
}
