import { once } from 'node:events';
import type { FastifyInstance } from 'fastify';

/** Time for a client to send its headers, and its whole request; the slow ones are let go. */
const HEADERS_MS = 5_000;
const REQUEST_MS = 10_000;

/** Serves on a socket that the supervisor has bound. Rejects when it cannot listen. */
export async function listenOn(app: FastifyInstance, fd: number): Promise<void> {
  await app.ready();
  app.server.headersTimeout = HEADERS_MS;
  app.server.requestTimeout = REQUEST_MS;
  app.server.listen({ fd });
  // `once` rejects when the server emits an error instead.
  await once(app.server, 'listening');
}
