import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { Compile } from 'typebox/compile';
import { apiOf, openManagement } from '../../../test/support/management.ts';
import { NO_TRAFFIC, type TrafficQuestion, type TrafficSums } from '../../analytics/traffic.ts';
import { TrafficSchema } from './schema.ts';

const SUMS: TrafficSums = {
  ...NO_TRAFFIC,
  ad_requests: 10,
  filled_requests: 4,
  bid_requests: 30,
  responses: 8,
  no_bids: 20,
  timeouts: 2,
  wins: 4,
  impressions: 3,
  grossCpmMicros: 6_000_000_000n,
  payoutCpmMicros: 4_500_000_000n,
  latencies: new Map([[96, 8]]),
};

/** An API whose every question is answered with traffic in its first two steps. */
async function open(t: TestContext) {
  const asked: TrafficQuestion[] = [];
  const server = await openManagement(t, undefined, {
    readTraffic: async (question) => {
      asked.push(question);
      const { fromS, stepS } = question;
      return new Map([
        [fromS, SUMS],
        [fromS + stepS, SUMS],
      ]);
    },
  });
  return {
    asked,
    operator: await apiOf(server, 'operator@example.com', ['read']),
    acme: await apiOf(server, 'engineer@acme.example', ['read']),
    planet: await apiOf(server, 'ads@planet.example', ['read']),
  };
}

test('every step has a point, zeros included, and their sum is the total', async (t) => {
  const { operator } = await open(t);
  for (const [minutes, step, points] of [
    [5, 10, 30],
    [30, 10, 180],
    [31, 60, 31],
    [300, 60, 300],
    [301, 300, 61],
    [1_440, 300, 288],
  ]) {
    const { status, body } = await operator('GET', `/traffic/?minutes=${minutes}`);
    assert.equal(status, 200);
    assert.ok(Compile(TrafficSchema).Check(body), JSON.stringify(body).slice(0, 500));
    assert.deepEqual([body.step_seconds, body.points.length], [step, points]);
    assert.ok(Date.parse(body.to) > Date.now() && Date.parse(body.complete_until) <= Date.now());
    assert.equal(body.points[0]?.at, body.from);
    assert.deepEqual([body.points[1]?.ad_requests, body.points[2]?.ad_requests], [10, 0]);
    assert.equal(body.points[2]?.latency_ms_p50, null);
    const { ad_requests, gross_revenue, payout } = body.total;
    assert.deepEqual([ad_requests, gross_revenue, payout], [20, 12, 9]);
  }
  assert.equal((await operator('GET', '/traffic/')).body.points.length, 60);
  for (const minutes of ['4', '1441', 'x']) {
    assert.equal((await operator('GET', `/traffic/?minutes=${minutes}`)).status, 400);
  }
});

test('each sees what is its own, and only the figures that are for it', async (t) => {
  const { asked, operator, acme, planet } = await open(t);
  const keysOf = async (api: typeof acme, path: string): Promise<string[]> =>
    Object.keys((await api('GET', path)).body.total);
  const supply = ['ad_requests', 'filled_requests'];
  const calls = ['bid_requests', 'responses', 'no_bids', 'timeouts', 'errors', 'throttled', 'bids'];
  const both = ['wins', 'impressions', 'clicks'];
  const latencies = ['latency_ms_p50', 'latency_ms_p95', 'latency_ms_p99'];
  assert.deepEqual(await keysOf(planet, '/traffic/'), [...supply, ...both, 'payout']);
  const partner = [...calls, ...both, 'gross_revenue', ...latencies];
  assert.deepEqual(await keysOf(acme, '/traffic/?demand_partner_id=1001'), partner);
  const ofPartner = [...calls, ...both, 'gross_revenue', 'payout', ...latencies];
  assert.deepEqual(await keysOf(operator, '/traffic/?demand_partner_id=1002'), ofPartner);
  const all = [...supply, ...ofPartner];
  assert.deepEqual(await keysOf(operator, '/traffic/?publisher_id=2001'), all);
  assert.deepEqual(await keysOf(operator, '/traffic/'), all);
  // The operator's question about a publisher is the publisher's own, and is answered with it.
  const accounts = new Set(asked.map(({ account }) => JSON.stringify(account)));
  assert.deepEqual(
    [...accounts],
    [
      { side: 'publisher', id: 2001 },
      { side: 'demand_partner', id: 1001 },
      { side: 'demand_partner', id: 1002 },
      { side: 'exchange' },
    ].map((account) => JSON.stringify(account)),
  );
});

test('what is another tenant’s is missing, as what does not exist', async (t) => {
  const { operator, acme, planet } = await open(t);
  for (const [api, query, status] of [
    [acme, 'demand_partner_id=1002', 404],
    [acme, 'demand_partner_id=77', 404],
    [acme, 'publisher_id=2001', 404],
    [planet, 'publisher_id=2002', 404],
    [planet, 'publisher_id=2001&demand_partner_id=1001', 404],
    [operator, 'demand_partner_id=77', 404],
    [operator, 'publisher_id=2001&demand_partner_id=1001', 400],
    [operator, 'publisher_id=0', 400],
  ] as const) {
    assert.equal((await api('GET', `/traffic/?${query}`)).status, status, query);
  }
});

test('many consoles that ask at the same time ask the store once', async (t) => {
  const { asked, operator } = await open(t);
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => operator('GET', '/traffic/?minutes=1440')),
  );
  assert.ok(answers.every(({ status }) => status === 200));
  // The step that is under way may end in between.
  assert.ok(asked.length <= 2, `${asked.length} questions`);
});

test('without the analytics store it says so', async (t) => {
  const operator = await apiOf(await openManagement(t), 'operator@example.com', ['read']);
  const { status, body } = await operator('GET', '/traffic/');
  assert.deepEqual([status, body.code], [503, 'analytics_unavailable']);
});
