import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { TestContext } from 'node:test';

/** A server for one test on a free port of this machine; gives its origin. */
export async function serve(context: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  assert(address !== null && typeof address === 'object');
  return `http://127.0.0.1:${address.port}`;
}
