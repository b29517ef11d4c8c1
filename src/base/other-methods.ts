import type { FastifyInstance, HTTPMethods, RouteOptions } from 'fastify';
import { RialtoError } from './errors.ts';

const METHODS: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * Answers the methods that a path, with and without the slash at its end, has no route for: OPTIONS
 * with the methods that there are, and all others with 405 and the same, before a body is read.
 *
 * @param allowed those that have a route; HEAD comes with GET.
 * @param options of these routes, where the errors of an API have a form of their own.
 */
export function answerOtherMethods(
  app: FastifyInstance,
  path: string,
  allowed: readonly HTTPMethods[],
  options: Pick<RouteOptions, 'config' | 'errorHandler'> = {},
): void {
  const served = allowed.includes('GET') ? [...allowed, 'HEAD'] : allowed;
  const allow = [...served, 'OPTIONS'].join(', ');
  for (const url of /[/*]$/.test(path) ? [path] : [path, `${path}/`]) {
    app.route({
      ...options,
      method: METHODS.filter((method) => !served.includes(method)),
      url,
      onRequest: async (_request, reply) => {
        reply.header('allow', allow);
        throw new RialtoError('method_not_allowed');
      },
      handler: async () => {
        throw new RialtoError('method_not_allowed');
      },
    });
    app.route({
      ...options,
      method: 'OPTIONS',
      url,
      handler: async (_request, reply) => reply.code(204).header('allow', allow).send(),
    });
  }
}
