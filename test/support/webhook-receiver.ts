import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { TestContext } from 'node:test';

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver of webhooks on a port of its own, with all that has come. */
export async function startReceiver(
  t: TestContext,
): Promise<{ readonly url: string; readonly received: readonly Received[] }> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      received.push({ headers: request.headers, body });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve());
  });
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) assert.fail('the receiver has no port');
  return { url: `http://127.0.0.1:${address.port}/hook`, received };
}

/** Lets webhooks of the example lead to this machine. */
export function allowLocalWebhooks(yaml: string): string {
  return yaml.replace(/^exchange:\n/m, 'exchange:\n  allow_private_webhooks: [127.0.0.0/8]\n');
}
