import { once } from 'node:events';
import type { FastifyInstance } from 'fastify';

/** How long a whole request may take, and how many connections there may be. */
export interface ListenLimits {
  readonly requestTimeout: number;
  readonly connectionsMax: number;
}

/** Serves on a socket that the supervisor has bound. Rejects when it cannot listen. */
export async function listenOn(
  app: FastifyInstance,
  fd: number,
  { requestTimeout, connectionsMax }: ListenLimits,
): Promise<void> {
  await app.ready();
  // Fastify has set its own, which lets a request take for ever.
  app.server.requestTimeout = requestTimeout;
  app.server.maxConnections = connectionsMax;
  app.server.listen({ fd });
  // `once` rejects when the server emits an error instead.
  await once(app.server, 'listening');
}
