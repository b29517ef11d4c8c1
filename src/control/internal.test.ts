import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { Compile } from 'typebox/compile';
import { NodeLeasesSchema, type Lease, type LeaseReport } from '../ports/leases.ts';
import { createInternalServer } from './internal.ts';
import { NodeRegister } from './node-register.ts';
import { SnapshotSource } from './snapshot-source.ts';

const SECRET = 'a-secret-of-some-length';
const logger = pino({ level: 'silent' });

function leaseFor({ process, report }: LeaseReport): Lease {
  const what = { settledMs: 0, baseShare: 0.5, rates: [], budgets: [] };
  return { process, seq: 1, report, validForMs: 5_000, ...what };
}

async function serverOf(t: TestContext) {
  const source = new SnapshotSource({
    reader: {
      version: async () => ({ epoch: 'e', seq: 1 }),
      compile: async () => ({ version: { epoch: 'e', seq: 1 }, entities: [] }),
    },
    registry: new Registry(),
    logger,
  });
  await source.start();
  const nodes = new NodeRegister(Date.now);
  const forgotten: string[] = [];
  const app = createInternalServer({
    logger,
    secret: SECRET,
    source,
    load: () => Promise.resolve({ kind: 'already' }),
    giveUp: () => Promise.resolve({ kind: 'looked', present: [] }),
    nodes,
    grant: async ({ reports }) => {
      if (reports.length === 0) throw new Error('the store is away');
      return { leases: reports.map((report) => leaseFor(report)) };
    },
    forget: async (incarnation, segments) => {
      forgotten.push(...segments.map((segment) => `${incarnation} ${segment}`));
    },
    lacks: async (_incarnation, acknowledged) => acknowledged['money-1.ndjson'] === 10,
    reofferedAt: async () => 7,
    isStoreStrange: () => true,
    reoffer: async () => ({ before: 'empty' }),
    storeReader: {
      side: () => Promise.reject(new Error('unused')),
      rows: () => Promise.reject(new Error('unused')),
      minutes: () => Promise.reject(new Error('unused')),
      recordedPage: () => Promise.reject(new Error('unused')),
    },
  });
  t.after(() => app.close());
  const post = (url: string, payload: object, authorization = `Bearer ${SECRET}`) =>
    app.inject({ method: 'POST', url, headers: { authorization }, payload });
  const get = (url: string, authorization = `Bearer ${SECRET}`) =>
    app.inject({ url, headers: { authorization } });
  return { app, source, get, post, nodes, forgotten };
}

test('a courier without a snapshot gets the present one with its version', async (t) => {
  const { get, source } = await serverOf(t);
  for (const url of [
    '/internal/snapshot',
    '/internal/snapshot?after=',
    '/internal/snapshot?after=x.1',
  ]) {
    const response = await get(url);
    assert.equal(response.statusCode, 200);
    assert.equal(response.headers['etag'], '"e.1"');
    assert.equal(response.headers['content-type'], 'application/x-ndjson; charset=utf-8');
    assert.equal(response.body, source.current?.text);
  }
});

test('a courier that has the present snapshot is told so after the time that it waits', async (t) => {
  const { get } = await serverOf(t);
  assert.equal((await get('/internal/snapshot?after=e.1&wait_ms=0')).statusCode, 304);
  const startMs = performance.now();
  assert.equal((await get('/internal/snapshot?after=e.1&wait_ms=50')).statusCode, 304);
  assert.ok(performance.now() - startMs >= 49);
});

test('who does not know the secret learns nothing, not even which addresses exist', async (t) => {
  const { app, get, post } = await serverOf(t);
  const answers = [
    await app.inject({ url: '/internal/snapshot' }),
    await get('/internal/snapshot', SECRET),
    await get('/internal/snapshot', `Bearer ${SECRET}x`),
    await get('/internal/snapshot', 'Bearer '),
    await get('/nowhere', 'Bearer wrong'),
    await post('/internal/nodes/status', {}, 'Bearer wrong'),
    await post('/internal/batches', {}, 'Bearer wrong'),
    await post('/internal/leases', {}, 'Bearer wrong'),
    await post('/internal/reconcile', {}, 'Bearer wrong'),
  ];
  for (const answer of answers) {
    assert.equal(answer.statusCode, 401);
    assert.equal(answer.headers['content-type'], 'application/problem+json; charset=utf-8');
    assert.equal(answer.json().code, 'unauthorized');
  }
});

test('a question that makes no sense is refused as problem details', async (t) => {
  const { get } = await serverOf(t);
  for (const url of [
    '?wait_ms=soon',
    '?wait_ms=-1',
    '?wait_ms=99999999',
    `?after=${'x'.repeat(201)}`,
  ]) {
    const response = await get(`/internal/snapshot${url}`);
    assert.equal(response.statusCode, 400, url);
    assert.equal(response.json().code, 'invalid_request');
    assert.match(response.json().errors[0].pointer, /^\/(wait_ms|after)$/);
  }
  assert.equal((await get('/internal/other')).json().code, 'not_found');
});

test('a courier that waits is let go when control ends', async (t) => {
  const { app, get } = await serverOf(t);
  // By itself its time is never over.
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const waiting = get('/internal/snapshot?after=e.1');
  for (let turns = 0; turns < 20; turns += 1) await new Promise(setImmediate);
  await app.close();
  assert.equal((await waiting).statusCode, 304);
});

test('the reports of a node are answered with leases, and refused when they make no sense', async (t) => {
  const { post } = await serverOf(t);
  const process = 'aaaaaaaaaaaaaaaa';
  const report = { process, worker: 0, report: 3, seq: 0, leaving: 0, rates: [], budgets: [] };
  const node = { incarnation: '0123456789abcdef', workers: 2, reports: [report] };
  const answered = await post('/internal/leases', node);
  assert.equal(answered.statusCode, 200);
  assert.ok(Compile(NodeLeasesSchema).Check(answered.json()));
  assert.deepEqual(answered.json().leases, [leaseFor({ ...report, leaving: 0 })]);
  const wrong = await post('/internal/leases', { ...node, reports: [{ ...report, report: 0 }] });
  assert.equal(wrong.statusCode, 400);
  assert.equal(wrong.json().errors[0].pointer, '/reports/0/report');
  assert.equal((await post('/internal/leases', { ...node, reports: [] })).statusCode, 500);
});

test('the status of a node is taken, and what it has removed is forgotten', async (t) => {
  const { post, nodes, forgotten } = await serverOf(t);
  const status = {
    incarnation: '0123456789abcdef',
    host: 'machine',
    version: '1.2.3',
    snapshot: 'e.7',
    shipping: {
      backlogBytes: 1,
      backlogSeconds: 0.5,
      loaded: 2,
      already: 0,
      quarantined: 0,
      conflicts: 0,
      retries: 0,
      shippedBytes: 3,
      missingRecords: 0,
      shortenedSegments: 0,
      unreadableSegments: 0,
    },
    journal: { moneyBytes: 4, traceBytes: 5, removedSegments: 6 },
    notices: {
      outcomes: {
        win: { delivered: 5, givenUp: 1, dropped: 0 },
        billing: { delivered: 4, givenUp: 0, dropped: 0 },
        loss: { delivered: 8, givenUp: 2, dropped: 3 },
      },
      pending: { win: 1, billing: 2, loss: 3 },
      oldestSeconds: 12,
      tries: 20,
      failingDestinations: 1,
      storeSeconds: 0.25,
    },
    process: { cpuSeconds: 0.5, residentBytes: 7 },
    gone: ['money-1.ndjson'],
  };
  // A newer courier may say more.
  const response = await post('/internal/nodes/status', { ...status, mood: 'good' });
  assert.deepEqual(
    [response.statusCode, response.json()],
    [200, { reofferedAt: 7, isBehind: false, isStoreStrange: true }],
  );
  assert.deepEqual(nodes.nodes[0]?.status, status);
  assert.deepEqual(forgotten, ['0123456789abcdef money-1.ndjson']);
  const told = { ...status, gone: [], acknowledged: { 'money-1.ndjson': 10 } };
  assert.equal((await post('/internal/nodes/status', told)).json().isBehind, true);
  for (const wrong of [{}, { ...status, incarnation: 'x' }, { ...status, gone: ['../etc'] }]) {
    assert.equal((await post('/internal/nodes/status', wrong)).statusCode, 400);
  }
  assert.equal(nodes.nodes.length, 1);
});
