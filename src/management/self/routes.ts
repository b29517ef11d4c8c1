import type { FastifyInstance } from 'fastify';
import type { Caller } from '../../identity/caller.ts';
import { callerOf } from '../authenticate.ts';
import { refuseOthers, serve } from '../serve.ts';
import type { Self } from './schema.ts';

/** `GET /api/self/`: who the caller is. */
export function registerSelf(api: FastifyInstance): void {
  serve(api, { method: 'GET', path: '/self' }, async (request) => selfOf(callerOf(request)));
  refuseOthers(api, '/self', ['GET']);
}

function selfOf({ userId, email, role, entityId, status }: Caller): Self {
  return { id: userId, email, groups: [role], status, association: associationOf(role, entityId) };
}

function associationOf(role: Caller['role'], entityId: number | null): Self['association'] {
  if (role === 'operator' || entityId === null) return null;
  return { type: role === 'publisher' ? 'PUBLISHER' : 'DEMAND_PARTNER', entity_id: entityId };
}
