import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test, type TestContext } from 'node:test';
import { pino } from 'pino';
import { request } from 'undici';
import { createMetricsServer } from './metrics-server.ts';

async function serve(t: TestContext, collect: () => Promise<string>): Promise<string> {
  const server = createMetricsServer({ collect, logger: pino({ level: 'silent' }) });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  return `http://127.0.0.1:${address.port}`;
}

test('metrics come in the text format of Prometheus, and nothing else does', async (t) => {
  const url = await serve(t, async () => '# HELP x\nx 1\n');
  for (const path of ['/metrics', '/metrics/', '/metrics?name=x']) {
    const { statusCode, headers, body } = await request(url + path);
    assert.deepEqual([statusCode, await body.text()], [200, '# HELP x\nx 1\n']);
    assert.equal(headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8');
    assert.equal(headers['cache-control'], 'no-store');
  }
  for (const [path, method, status] of [
    ['/', 'GET', 404],
    ['/metricsx', 'GET', 404],
    ['/metrics', 'POST', 405],
  ] as const) {
    const { statusCode, body } = await request(url + path, { method });
    await body.dump();
    assert.equal(statusCode, status, `${method} ${path}`);
  }
});

test('who asks while metrics are collected gets the same answer, and the next one a new one', async (t) => {
  let asked = 0;
  const first = Promise.withResolvers<string>();
  const bothAsked = Promise.withResolvers<void>();
  const url = await serve(t, () => {
    asked += 1;
    return asked === 1 ? first.promise : Promise.resolve(`x ${asked}\n`);
  });
  const read = async () => (await request(`${url}/metrics`)).body.text();
  const both = Promise.all([read(), read()]);
  // A third answer says that the second question has come.
  await (await request(`${url}/`)).body.dump();
  bothAsked.resolve();
  first.resolve('x 1\n');
  const [one] = await both;
  assert.equal(one, 'x 1\n');
  assert.match(await read(), /^x [23]\n$/);
});

test('metrics that cannot be collected are a 500 without the reason', async (t) => {
  const url = await serve(t, () => Promise.reject(new Error('secret')));
  const { statusCode, body } = await request(`${url}/metrics`);
  assert.deepEqual([statusCode, await body.text()], [500, 'The log of the supervisor says why.\n']);
});
