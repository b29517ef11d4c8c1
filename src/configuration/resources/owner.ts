import type { Role } from '../schema.ts';

/** Whom a user or an account belongs to, as their tables say it. */
export interface Owner {
  readonly role: Role;
  readonly demand_partner_id: number | null;
  readonly publisher_id: number | null;
}

export const OPERATOR: Owner = { role: 'OPERATOR', demand_partner_id: null, publisher_id: null };

export function ofDemandPartner(id: number): Owner {
  return { role: 'DEMAND_PARTNER', demand_partner_id: id, publisher_id: null };
}

export function ofPublisher(id: number): Owner {
  return { role: 'PUBLISHER', demand_partner_id: null, publisher_id: id };
}

export type OwnerIds = Omit<Owner, 'role'>;

/** Whether two rows belong to the same demand partner, publisher, or to the exchange. */
export function isSameOwner(a: OwnerIds, b: OwnerIds): boolean {
  return a.demand_partner_id === b.demand_partner_id && a.publisher_id === b.publisher_id;
}

/** The owner as a message names it. */
export function showOwner({ demand_partner_id, publisher_id }: OwnerIds): string {
  if (demand_partner_id !== null) return `demand partner ${demand_partner_id}`;
  return publisher_id === null ? 'the operators' : `publisher ${publisher_id}`;
}
