import assert from 'node:assert/strict';
import { test } from 'node:test';
import { request } from 'undici';
import { bannerRequest, startExchange } from '../support/exchange.ts';
import { assertInvariants } from '../support/invariants.ts';

test('what a node has no room for is refused, counted and not recorded, and it goes on', async (t) => {
  const slow = { latency: { medianMs: 300, spread: 0, maxMs: 300 } };
  const exchange = await startExchange({ t, acme: slow, bolt: slow, args: ['--auctions-max=1'] });
  const ids = Array.from({ length: 20 }, (_, index) => `ask ${index}`);
  const asked = await Promise.all(ids.map((id) => exchange.ask(bannerRequest({ id }))));
  const refused = asked.filter(({ status }) => status === 503);
  const held = asked.filter(({ status }) => status === 200 || status === 204);
  assert.ok(refused.length > 0 && held.length > 0);
  assert.equal(refused.length + held.length, asked.length);
  for (const { headers, text } of refused) {
    assert.equal(headers['retry-after'], '1');
    assert.match(text, /^\{"code":"overloaded",/);
  }
  assert.equal((await exchange.ask(bannerRequest({ id: 'later' }))).status, 200);

  const { body } = await request(exchange.node.urls.metrics);
  const metrics = await body.text();
  const counted = /^rialto_auctions_refused_total\{.*reason="full"\} (\d+)$/m.exec(metrics)?.[1];
  assert.equal(Number(counted), refused.length);
  const records = await exchange.records();
  assert.equal(records.length, held.length + 1);
  assertInvariants(records);
});
