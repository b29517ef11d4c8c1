import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { test, type TestContext } from 'node:test';
import { signatureOf } from '../../src/webhooks/signature.ts';
import { startExchange } from '../support/exchange.ts';
import { runRialto } from '../support/node.ts';
import { until } from '../support/wait.ts';

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver of webhooks on a port of its own, with all that has come. */
async function startReceiver(
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

test('a node sends a webhook its test, and what changes, signed', async (t) => {
  const { url, received } = await startReceiver(t);
  const { node } = await startExchange({ t });
  const call = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${node.urls.control}${path}`, init);
    assert.ok(response.ok, `${path} answers ${response.status}`);
    const body: ReturnType<typeof JSON.parse> = await response.json();
    return body;
  };
  const grant = { grant_type: 'client_credentials', client_id: 'ops', client_secret: 'ops-secret' };
  const { access_token: token } = await call('/v2/auth/token/', {
    method: 'POST',
    body: new URLSearchParams({ ...grant, scope: 'read write' }),
  });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const events = ['attention.raised', 'attention.resolved'];
  const { id, secret } = await call('/api/webhooks/', {
    method: 'POST',
    headers,
    body: JSON.stringify({ name: 'Pager', url, events }),
  });
  const next = async (type: string, code?: string) => {
    const found = await until(`${type} has come`, 40_000, async () => {
      const all = received.map(({ headers: of, body }) => ({
        of,
        text: body,
        said: JSON.parse(body),
      }));
      return all.find(
        ({ said }) => said.type === type && (code === undefined || said.data.code === code),
      );
    });
    const time = /^t=(\d+)/.exec(String(found.of['rialto-signature']))?.[1];
    assert.equal(found.of['rialto-signature'], signatureOf([secret], Number(time), found.text));
    assert.equal(found.of['content-type'], 'application/json');
    return found.said;
  };
  const { authorization } = headers;
  const asked = { method: 'POST', headers: { authorization } };
  const sent = await call(`/api/webhooks/${id}/test/`, asked);
  assert.equal((await next('webhook.test')).id, sent.event_id);
  const place = ['--data', node.dataDirectory];
  assert.equal((await runRialto(['bidders', 'stop', '1002', ...place])).code, 0);
  const raised = await next('attention.raised', 'bidder_stopped');
  assert.equal(raised.data.demand_partner_id, 1002);
  assert.equal((await runRialto(['bidders', 'start', '1002', ...place])).code, 0);
  await next('attention.resolved', 'bidder_stopped');
  const log = await until('all is noted', 5_000, async () => {
    const all = await call(`/api/webhooks/${id}/deliveries/`, { headers });
    return all.every(({ state }: { state: string }) => state === 'delivered') && all;
  });
  assert.equal(new Set(log.map((each: { event_id: string }) => each.event_id)).size, log.length);
});
