import type { Kysely } from 'kysely';
import type { Caller, CallerRole, Scope } from '../identity/caller.ts';
import type { Database, Role } from './schema.ts';

/** The roles of the store in the words of the management API. */
export const CALLER_ROLES: Readonly<Record<Role, CallerRole>> = {
  OPERATOR: 'operator',
  DEMAND_PARTNER: 'demand-partner',
  PUBLISHER: 'publisher',
};

/**
 * The users who may sign in, by themselves and with their programs. A partner or publisher that is
 * paused trades no more, and its people go on seeing why; of an archived one nobody signs in.
 */
export function liveUsers(db: Kysely<Database>) {
  return db
    .selectFrom('users')
    .leftJoin('demand_partners', 'demand_partners.id', 'users.demand_partner_id')
    .leftJoin('publishers', 'publishers.id', 'users.publisher_id')
    .where('users.status', '=', 'ACTIVE')
    .where((is) =>
      is.and([
        is.or([
          is('demand_partners.status', 'is', null),
          is('demand_partners.status', '!=', 'ARCHIVED'),
        ]),
        is.or([is('publishers.status', 'is', null), is('publishers.status', '!=', 'ARCHIVED')]),
      ]),
    );
}

/** What `callerFrom` reads of a user. */
export const CALLER_COLUMNS = [
  'users.id as user_id',
  'users.email',
  'users.role',
  'users.demand_partner_id',
  'users.publisher_id',
] as const;

/** What a user of `liveUsers` is taken for who comes with a token or a session. */
export function callerFrom(
  row: {
    readonly user_id: number;
    readonly email: string;
    readonly role: Role;
    readonly demand_partner_id: number | null;
    readonly publisher_id: number | null;
  },
  { clientId, scope }: { readonly clientId: string | null; readonly scope: readonly Scope[] },
): Caller {
  return {
    userId: row.user_id,
    email: row.email,
    role: CALLER_ROLES[row.role],
    entityId: row.demand_partner_id ?? row.publisher_id,
    clientId,
    status: 'ACTIVE',
    scope,
  };
}
