import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RialtoError } from '../base/errors.ts';
import type { Caller, Scope } from '../identity/caller.ts';

/** Finds out who sends a request. @throws RialtoError 401, with its challenge in the reply. */
export type Authenticate = (request: FastifyRequest, reply: FastifyReply) => Promise<Caller>;

const REALM = 'Bearer realm="rialto"';

const callers = new WeakMap<FastifyRequest, Caller>();

/**
 * Lets nobody reach what is registered on `api`, known address or not, without a bearer token
 * (RFC 6750) whose scope covers the route; see `serve.ts` for what a route asks for. Runs before a
 * body is read.
 */
export function requireCaller(api: FastifyInstance, authenticate: Authenticate): void {
  api.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const caller = await authenticate(request, reply);
    requireScope(caller, neededScope(request), reply);
    callers.set(request, caller);
  });
}

/**
 * Who sends a request of the management API: `requireCaller` has found it out.
 *
 * @throws Error for a request of another part of the server: a mistake in the program.
 */
export function callerOf(request: FastifyRequest): Caller {
  const caller = callers.get(request);
  if (caller === undefined) throw new Error('a route that needs a caller is not authenticated');
  return caller;
}

/**
 * Reads the token of the `Authorization` header, the one place that it may stand in.
 *
 * @param findCaller null for a token that opens nothing.
 */
export function createAuthenticate(
  findCaller: (accessToken: string) => Promise<Caller | null>,
): Authenticate {
  return async (request, reply) => {
    const [scheme = '', token = '', ...rest] = (request.headers.authorization ?? '').split(' ');
    if (scheme.toLowerCase() !== 'bearer') {
      // RFC 6750 section 3.1: who shows no token is told no error.
      reply.header('www-authenticate', REALM);
      throw new RialtoError('missing_token');
    }
    const caller = rest.length > 0 ? null : await findCaller(token);
    if (caller !== null) return caller;
    reply.header('www-authenticate', `${REALM}, error="invalid_token"`);
    throw new RialtoError('invalid_token');
  };
}

function requireScope({ scope }: Caller, needed: Scope, reply: FastifyReply): void {
  if (scope.includes(needed)) return;
  reply.header('www-authenticate', `${REALM}, error="insufficient_scope", scope="${needed}"`);
  throw new RialtoError('insufficient_scope');
}

/** What does more than ask needs `write`, unless its route says otherwise. */
function neededScope({ method, routeOptions, is404 }: FastifyRequest): Scope {
  const asks = method === 'GET' || method === 'HEAD' || is404;
  return routeOptions.config.scope ?? (asks ? 'read' : 'write');
}
