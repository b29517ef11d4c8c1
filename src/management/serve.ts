import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Scope } from '../identity/caller.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the token of a caller must permit; `write`, but `read` for GET, where nothing is said. */
    scope?: Scope;
  }
}

/** A route of the management API; the path begins after `/api` and ends without a slash. */
export interface Served {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly path: string;
  /** Set it where a POST only asks. */
  readonly scope?: Scope;
}

type Handle = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** Answers on a path with and without the slash at its end. */
export function serve(api: FastifyInstance, { method, path, scope }: Served, handle: Handle): void {
  const config = scope === undefined ? {} : { scope };
  for (const url of [path, `${path}/`]) api.route({ method, url, config, handler: handle });
}
