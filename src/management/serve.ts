import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { RialtoError } from '../base/errors.ts';
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

const METHODS: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Answers 405 to every other method on a path that `serve` was called for, and names those. */
export function refuseOthers(
  app: FastifyInstance,
  path: string,
  allowed: readonly Served['method'][],
): void {
  const served: readonly HTTPMethods[] = allowed.includes('GET') ? [...allowed, 'HEAD'] : allowed;
  const method = METHODS.filter((each) => !served.includes(each));
  // A method that is not there asks for no scope.
  const config: { scope: Scope } = { scope: 'read' };
  for (const url of [path, `${path}/`]) {
    app.route({
      method,
      url,
      config,
      handler: async (_request, reply) => {
        reply.header('allow', served.join(', '));
        throw new RialtoError('method_not_allowed');
      },
    });
  }
}
