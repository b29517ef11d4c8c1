import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bannerRequest, startExchange } from '../support/exchange.ts';
import { until } from '../support/wait.ts';

test('traffic, the health of bidders and a test request are told by a node as it runs', async (t) => {
  const exchange = await startExchange({ t });
  const { control } = exchange.node.urls;
  const call = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${control}${path}`, init);
    assert.ok(response.ok, `${path} answers ${response.status}`);
    const body: ReturnType<typeof JSON.parse> = await response.json();
    return body;
  };
  const { access_token: token } = await call('/v2/auth/token/', {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'ops',
      client_secret: 'ops-secret',
      scope: 'read write',
    }),
  });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };

  for (let count = 0; count < 6; count += 1) await exchange.ask(bannerRequest({ id: `a${count}` }));
  const traffic = await until('all ad requests are counted', 20_000, async () => {
    const response = await fetch(`${control}/api/traffic/?minutes=5`, { headers });
    // The analytics store is opened a moment after the node serves.
    if (response.status === 503) return false;
    const body: ReturnType<typeof JSON.parse> = await response.json();
    return body.total.ad_requests === 6 && body;
  });
  assert.equal(traffic.total.bid_requests, 12);
  assert.ok(traffic.total.latency_ms_p50 > 0);
  // The views of a rollup write one after the other.
  const states = await until('both bidders are counted', 10_000, async () => {
    const health = await call('/api/demand-partners/health/', { headers });
    const all = health.map(({ state, bid_requests: sent }: Record<string, unknown>) => [
      state,
      sent,
    ]);
    return all.every(([, sent]: readonly unknown[]) => sent === 6) && all;
  });
  assert.deepEqual(states, [
    ['healthy', 6],
    ['healthy', 6],
  ]);
  const { attention } = await call('/api/status/', { headers });
  const codes = attention.map(({ code }: { code: string }) => code);
  assert.doesNotMatch(codes.join(' '), /bidder_|no_traffic|nothing_sold/);
  const tested = await call('/api/demand-partners/1001/bidder/test-request/', {
    method: 'POST',
    headers,
    body: JSON.stringify({ ad_format: 'banner' }),
  });
  assert.ok(['bid', 'no_bid'].includes(tested.outcome), tested.sentence);
  assert.equal((await exchange.records()).length, 6, 'a test request is no auction');
});
