import type { Caller } from '../../identity/caller.ts';
import type { Self } from './schema.ts';

/** A caller as it is told who it is. */
export function selfOf({ userId, email, role, entityId, status }: Caller): Self {
  return { id: userId, email, groups: [role], status, association: associationOf(role, entityId) };
}

function associationOf(role: Caller['role'], entityId: number | null): Self['association'] {
  if (role === 'operator' || entityId === null) return null;
  return { type: role === 'publisher' ? 'PUBLISHER' : 'DEMAND_PARTNER', entity_id: entityId };
}
