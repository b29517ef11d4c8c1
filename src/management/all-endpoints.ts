import { fastify } from 'fastify';
import type { Endpoint } from './endpoint.ts';
import { registerManagement, type ManagementParts } from './routes.ts';

/** Every endpoint of the management API, from a server that never answers. */
export async function allEndpoints(): Promise<readonly Endpoint[]> {
  const app = fastify();
  let all: readonly Endpoint[] = [];
  registerManagement(
    app,
    uncalledParts((endpoints) => (all = endpoints)),
  );
  await app.ready();
  await app.close();
  return all;
}

/** Whatever the API works with: endpoints are described without any of it being called. */
function uncalledParts(onEndpoints: NonNullable<ManagementParts['onEndpoints']>): ManagementParts {
  const uncalled = (): never => {
    throw new Error('an endpoint was called that is only described');
  };
  const nothing: ManagementParts = JSON.parse('{}');
  return new Proxy(nothing, {
    get: (_, key) => (key === 'onEndpoints' ? onEndpoints : uncalled),
  });
}
