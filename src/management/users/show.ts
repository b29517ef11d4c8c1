import { CALLER_ROLES } from '../../configuration/live-users.ts';
import type { StoredLink } from '../../configuration/one-time-link-store.ts';
import type { Database } from '../../configuration/schema.ts';
import { showInstant, shownTimes } from '../shown.ts';
import type { ShownUser } from './schema.ts';

/** What is known of a user beside the row. */
interface Known {
  readonly link: StoredLink | undefined;
  readonly hasSecondFactor: boolean;
}

/** A user in the words of `/self/`, with the state of their last link. */
export function showUser(
  row: Database['users'],
  { link, hasSecondFactor }: Known,
  nowMs: number,
): ShownUser {
  const { id, email, role, status } = row;
  return {
    id,
    email,
    groups: [CALLER_ROLES[role]],
    status,
    association: associationOf(row),
    has_password: row.password_hash !== null,
    has_second_factor: hasSecondFactor,
    link: link === undefined ? null : showLink(link, nowMs),
    ...shownTimes(row),
  };
}

function associationOf({
  role,
  demand_partner_id: demandPartner,
  publisher_id: publisher,
}: Database['users']): ShownUser['association'] {
  const entityId = demandPartner ?? publisher;
  return role === 'OPERATOR' || entityId === null ? null : { type: role, entity_id: entityId };
}

function showLink({ purpose, created_at, expires_at }: StoredLink, nowMs: number) {
  return {
    purpose,
    state: expires_at > nowMs ? ('open' as const) : ('expired' as const),
    created_at: showInstant(created_at),
    expires_at: showInstant(expires_at),
  };
}
