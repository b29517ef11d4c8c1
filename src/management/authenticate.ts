import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RialtoError } from '../base/errors.ts';
import type { Caller, Scope } from '../identity/caller.ts';

/** Finds out who sends a request. @throws RialtoError 401, with its challenge in the reply. */
export type Authenticate = (request: FastifyRequest, reply: FastifyReply) => Promise<Caller>;

/** Whom a token lets in; null for one that opens nothing. */
export type FindCaller = (accessToken: string, request: FastifyRequest) => Promise<Caller | null>;

/** The challenge of who shows nothing that lets in. */
export const REALM = 'Bearer realm="rialto"';

const callers = new WeakMap<FastifyRequest, Caller>();

/**
 * Lets nobody reach what is registered on `api`, known address or not, without a session or a bearer
 * token (RFC 6750) whose scope covers the route; see `serve.ts` for what a route asks for. Runs before a
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
 * Reads the token of the `Authorization` header, the one place that it may stand in, and without one
 * the session of the browser.
 *
 * @param findCaller null for a token that opens nothing.
 * @param findSessionCaller null for a request without a session's cookie; throws for one whose
 *   session has ended, or that may come from another site.
 */
export function createAuthenticate(
  findCaller: FindCaller,
  findSessionCaller: (request: FastifyRequest) => Promise<Caller | null> = async () => null,
): Authenticate {
  return async (request, reply) => {
    const { authorization } = request.headers;
    if (authorization !== undefined) {
      return readToken(authorization, reply, (token) => findCaller(token, request));
    }
    // RFC 6750 section 3.1: who shows no token is told no error.
    reply.header('www-authenticate', REALM);
    const caller = await findSessionCaller(request);
    if (caller === null) throw new RialtoError('missing_token');
    reply.removeHeader('www-authenticate');
    return caller;
  };
}

async function readToken(
  authorization: string,
  reply: FastifyReply,
  findCaller: (accessToken: string) => Promise<Caller | null>,
): Promise<Caller> {
  const [scheme = '', token = '', ...rest] = authorization.split(' ');
  if (scheme.toLowerCase() !== 'bearer') {
    reply.header('www-authenticate', REALM);
    throw new RialtoError('missing_token');
  }
  const caller = rest.length > 0 ? null : await findCaller(token);
  if (caller !== null) return caller;
  reply.header('www-authenticate', `${REALM}, error="invalid_token"`);
  throw new RialtoError('invalid_token');
}

function requireScope({ scope }: Caller, needed: Scope, reply: FastifyReply): void {
  if (scope.includes(needed)) return;
  reply.header('www-authenticate', `${REALM}, error="insufficient_scope", scope="${needed}"`);
  throw new RialtoError('insufficient_scope');
}

/**
 * What does more than ask needs `write`, unless its route says otherwise. Methods that an address
 * does not have do nothing.
 */
export function neededScope({ method, routeOptions, is404 }: FastifyRequest): Scope {
  const asks = ['GET', 'HEAD', 'OPTIONS'].includes(method) || is404;
  return routeOptions.config.scope ?? (asks ? 'read' : 'write');
}
