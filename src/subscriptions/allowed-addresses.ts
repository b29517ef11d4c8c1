import type { Kysely } from 'kysely';
import { mailDomainOf } from '../base/mail-address.ts';
import { isPublicMailDomain } from '../base/public-mail-domains.ts';
import type { Database } from '../configuration/schema.ts';
import type { SubscriptionOwner } from '../configuration/subscriptions.ts';

/** Where an account may send e-mail to. */
export interface AllowedAddresses {
  /** Those of its own users, in lower case. */
  readonly addresses: readonly string[];
  /** Those of its users, but for the ones at which anybody can have a mailbox. */
  readonly domains: readonly string[];
}

/** Null for the operator, who may send to any: mail to strangers is the operator's to answer for. */
export async function readAllowedAddresses(
  db: Kysely<Database>,
  { demand_partner_id: partner, publisher_id: publisher }: SubscriptionOwner,
): Promise<AllowedAddresses | null> {
  if (partner === null && publisher === null) return null;
  const column = partner === null ? 'publisher_id' : 'demand_partner_id';
  const users = await db
    .selectFrom('users')
    .select('email')
    .where(column, '=', partner ?? publisher)
    .where('status', '=', 'ACTIVE')
    .execute();
  const addresses = users.map(({ email }) => email.toLowerCase()).toSorted();
  const domains = new Set(addresses.map((address) => mailDomainOf(address)));
  return { addresses, domains: [...domains].filter((domain) => !isPublicMailDomain(domain)) };
}

export function isAllowed(allowed: AllowedAddresses | null, address: string): boolean {
  if (allowed === null) return true;
  const { addresses, domains } = allowed;
  return addresses.includes(address.toLowerCase()) || domains.includes(mailDomainOf(address));
}
