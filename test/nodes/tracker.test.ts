import assert from 'node:assert/strict';
import { randomBytes, randomInt } from 'node:crypto';
import nodeFs, { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';
import { beaconKeysPath } from '../../src/courier/beacon-key-file.ts';
import { BEACON_KINDS, type BeaconKind, type WonImp } from '../../src/events/beacon-record.ts';
import { readIncarnation } from '../../src/journal/incarnation.ts';
import { isSealed } from '../../src/journal/seal.ts';
import { SCHEMA_OF } from '../../src/journal/segment.ts';
import { beaconRecords, createSealer, sendUntilAcknowledged, wonNow } from '../support/beacons.ts';
import { effort, IS_SOAK } from '../support/effort.ts';
import { shareExchange } from '../support/exchange.ts';
import { startNode, type StartedNode } from '../support/node.ts';
import { marked } from '../support/journal-lines.ts';
import { until } from '../support/wait.ts';

const shared = shareExchange();

/** A node that counts beacons and does nothing else: control is away. */
function startTracker(t: TestContext, dataDirectory?: string): Promise<StartedNode> {
  return startNode({
    t,
    args: ['--roles=courier,tracker', '--internal-url=http://127.0.0.1:1'],
    env: { RIALTO_INTERNAL_SECRET: 'what-nobody-asks-for' },
    ...(dataDirectory === undefined ? {} : { dataDirectory }),
  });
}

async function statusOf(url: string): Promise<number> {
  const { statusCode, body } = await request(url);
  await body.dump();
  return statusCode;
}

/** Waits until another tracker than these serves. */
async function replaced(node: StartedNode, old: readonly number[]): Promise<void> {
  await until('another tracker serves', 30_000, async () => {
    const pids = node.pids('tracker');
    if (pids.length !== 1 || old.includes(pids[0] ?? 0)) return false;
    return (await statusOf(`${node.urls.tracker}/readyz`).catch(() => 0)) === 200;
  });
}

test('each kind of beacon becomes a record with its own time; a click leads to its target', async (t) => {
  const exchange = await shared(t);
  const { node } = exchange;
  const seal = createSealer(node);
  assert.equal(statSync(beaconKeysPath(node.dataDirectory)).mode & 0o777, 0o600);
  const imp = wonNow();
  const url = 'https://shop.example/landing';
  const urlOf = (kind: BeaconKind): string => (kind === 'view' ? '' : url);
  const sentMs = Date.now();
  for (const kind of BEACON_KINDS) {
    const { statusCode, headers, body } = await request(seal({ kind, url: urlOf(kind), imp }));
    await body.dump();
    assert.equal(statusCode, { win: 204, impression: 200, view: 200, click: 302 }[kind]);
    assert.equal(headers['location'], kind === 'click' ? url : undefined);
  }
  const records = await exchange.beacons();
  const writtenBy = nodeIdOf(node.dataDirectory);
  for (const [index, kind] of BEACON_KINDS.entries()) {
    const { at_ms, ...record } = records[index] ?? assert.fail('a record is missing');
    const notice_url = kind === 'click' ? '' : urlOf(kind);
    assert.deepEqual(record, { kind, ...imp, node: writtenBy, notice_url });
    assert.ok(at_ms >= sentMs && at_ms <= Date.now());
  }
  assert.equal(records.length, BEACON_KINDS.length);
});

test('an impression confirms the win of a publisher that decides, with both notices', async (t) => {
  const exchange = await shared(t);
  const { node } = exchange;
  const seal = createSealer(node);
  const imp = wonNow({ fd: 1 });
  const [url, winUrl] = ['https://bidder.example/burl', 'https://bidder.example/nurl'];
  const impression = seal({ kind: 'impression', url, winUrl, imp });
  const win = seal({ kind: 'win', url: winUrl, imp });
  for (const each of [impression, win, impression]) await sendUntilAcknowledged(each);
  const records = await exchange.beacons();
  assert.deepEqual(
    records.map(({ kind, notice_url }) => [kind, notice_url]),
    [
      ['win', winUrl],
      ['impression', url],
    ],
  );
});

test('beacons of tests are acknowledged without a record, and late clicks lead on', async (t) => {
  const exchange = await shared(t);
  const { node } = exchange;
  const seal = createSealer(node);
  const url = 'https://shop.example/';
  const late = wonNow({ expires_ms: Date.now() - 1 });
  assert.equal(await statusOf(seal({ kind: 'impression', imp: wonNow({ test: 1 }) })), 200);
  for (const imp of [wonNow({ test: 1 }), late]) {
    assert.equal(await statusOf(seal({ kind: 'click', url, imp })), 302);
  }
  assert.deepEqual(await exchange.beacons(), []);
  const metrics = await (await request(node.urls.metrics)).body.text();
  for (const outcome of [
    'impression",outcome="test',
    'click",outcome="test',
    'click",outcome="exp',
  ]) {
    assert.match(metrics, new RegExp(outcome));
  }
});

test('what is forged, foreign, expired or of another kind is refused and leaves no record', async (t) => {
  const exchange = await shared(t);
  const { node } = exchange;
  const other = await startTracker(t);
  const seal = createSealer(node);
  const good = seal({ kind: 'impression', imp: wonNow() });
  const expired = wonNow({ expires_ms: Date.now() - 1 });
  const foreign = createSealer(other)({ kind: 'impression', imp: wonNow() });
  const cases: readonly (readonly [string, number])[] = [
    [good.replace('/imp/', '/click/'), 400],
    [good.slice(0, -1) + (good.endsWith('A') ? 'B' : 'A'), 400],
    [foreign.replace(other.urls.tracker, node.urls.tracker), 400],
    [seal({ kind: 'impression', imp: expired }), 410],
  ];
  for (const [url, status] of cases) assert.equal(await statusOf(url), status, url);
  assert.deepEqual(await exchange.beacons(), []);
  assert.equal(await statusOf(good), 200);
});

test('a thousand copies at once, a crash and a restart among them, are one record', async (t) => {
  const node = await startTracker(t);
  const seal = createSealer(node);
  const imp = wonNow();
  const urls = BEACON_KINDS.map((kind) => seal({ kind, imp }));
  const volley = (copies: number): Promise<number[]> =>
    Promise.all(
      Array.from({ length: copies }, (_, copy) => sendUntilAcknowledged(urls[copy & 3] ?? '')),
    );
  await volley(400);
  await replaced(node, node.kill('tracker', 'SIGKILL'));
  await volley(300);
  // Asked to end by a signal of its own, it is replaced in order.
  await replaced(node, node.kill('tracker', 'SIGTERM'));
  await volley(300);
  const records = await beaconRecords(node.dataDirectory);
  assert.deepEqual(records.map(({ kind }) => kind).toSorted(), [...BEACON_KINDS].toSorted());
  // What the killed one left was brought to the disk before its copies were acknowledged.
  const [left, ...others] = trackerSegments(node.dataDirectory);
  assert.ok(left !== undefined && isSealed(statSync(left).mode));
  assert.deepEqual(others, []);
});

const KILLS = effort(2, 12);
const CLIENTS = 16;
const CLIENT_PAUSE_MS = 5;

test('a tracker that is killed at any time has every acknowledged beacon on disk exactly once', async (t) => {
  const node = await startTracker(t);
  const seal = createSealer(node);
  const ledger = new Map<string, WonImp>();
  const loading = new AbortController();
  let repeats = 0;

  const client = async (): Promise<void> => {
    while (!loading.signal.aborted) {
      const imp = wonNow({ clearing_micros: randomInt(1, 10_000_000), payout_micros: 1 });
      const kind: BeaconKind = BEACON_KINDS[randomInt(4)] ?? 'win';
      const tries = await sendUntilAcknowledged(seal({ kind, imp }));
      ledger.set(`${imp.auction_id} ${kind}`, imp);
      // Now and then a copy of what was acknowledged, perhaps by a process that is gone.
      if (randomInt(4) === 0) await sendUntilAcknowledged(seal({ kind, imp }));
      repeats += tries - 1;
      // The machine is for the trackers, too.
      await delay(CLIENT_PAUSE_MS);
    }
  };
  const clients = Array.from({ length: CLIENTS }, client);
  for (let kill = 0; kill < KILLS; kill += 1) {
    const pids = node.pids('tracker');
    // Looking for the process holds up the clients; at the moment of the kill they are under way.
    const enough = ledger.size + randomInt(1, 20);
    await until('some more are acknowledged', 30_000, () => ledger.size >= enough, 1);
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    await replaced(node, pids);
  }
  const before = ledger.size;
  await until('the last tracker acknowledges', 30_000, () => ledger.size > before);
  loading.abort();
  await Promise.all(clients);

  const records = await beaconRecords(node.dataDirectory);
  const recorded = new Map<string, number>();
  for (const { auction_id, kind, clearing_micros } of records) {
    const key = `${auction_id} ${kind}`;
    assert.ok(!recorded.has(key), `${key} is there twice`);
    recorded.set(key, clearing_micros);
  }
  for (const [key, { clearing_micros }] of ledger) assert.equal(recorded.get(key), clearing_micros);
  // Every client repeats until it is told, so that nothing is recorded which no ledger has.
  assert.equal(recorded.size, ledger.size);
  t.diagnostic(`${ledger.size} beacons, ${repeats} repeated, ${KILLS} kills`);
  assert.ok(ledger.size > 30 * KILLS && repeats >= KILLS);
});

test('two trackers never run at once: the next one waits for the orphan of a killed supervisor', async (t) => {
  const node = await startTracker(t);
  const imp = wonNow();
  const seal = createSealer(node);
  const urls = BEACON_KINDS.map((kind) => seal({ kind, imp }));
  await sendUntilAcknowledged(urls[0] ?? '');
  node.kill('supervisor');
  const orphan = Promise.all(urls.map((url) => statusOf(url).catch(() => 0)));
  const again = await startTracker(t, node.dataDirectory);
  await orphan;
  for (const url of urls) {
    await sendUntilAcknowledged(url.replace(node.urls.tracker, again.urls.tracker));
  }
  await again.stop();
  const records = await beaconRecords(node.dataDirectory);
  assert.deepEqual(records.map(({ kind }) => kind).toSorted(), [...BEACON_KINDS].toSorted());
});

const REMEMBERED = effort(20_000, 200_000);

test('a start with many recent beacons knows them all', async (t) => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'rialto-recent-'));
  t.after(() => rmSync(dataDirectory, { recursive: true, force: true }));
  const first = await startTracker(t, dataDirectory);
  const seal = createSealer(first);
  await first.stop();
  const imps = writeSegment(dataDirectory, REMEMBERED);

  const node = await startTracker(t, dataDirectory);
  const restored = new RegExp(`"beacons":${REMEMBERED}.*?"tookMs":(\\d+)`).exec(node.output());
  t.diagnostic(`${restored?.[1]} ms for the journal`);
  assert.ok(restored !== null, node.output());
  if (IS_SOAK) assert.ok(Number(restored[1]) < 10_000, `${restored[1]} ms`);
  for (const at of [0, 1, REMEMBERED / 2, REMEMBERED - 1]) {
    const imp = imps[at] ?? assert.fail();
    const url = seal({ kind: 'impression', imp });
    assert.equal(await statusOf(url.replace(/^http:\/\/[^/]+/, node.urls.tracker)), 200);
  }
  const metrics = await (await request(node.urls.metrics)).body.text();
  assert.match(metrics, /outcome="repeated"\} 4/);
  await node.stop();
});

function nodeIdOf(dataDirectory: string): string {
  return readIncarnation(join(dataDirectory, 'journal'), nodeFs);
}

/** Segments with beacons, in order. */
function trackerSegments(dataDirectory: string): string[] {
  const directory = join(dataDirectory, 'journal');
  const names = readdirSync(directory).filter((name) => name.endsWith('.ndjson'));
  return names
    .sort()
    .map((name) => join(directory, name))
    .filter((path) => readFileSync(path, 'utf8').includes('\n{"kind":"'));
}

/** A segment as a tracker leaves it that is killed, with so many impressions. */
function writeSegment(dataDirectory: string, count: number): readonly WonImp[] {
  const directory = join(dataDirectory, 'journal');
  mkdirSync(directory, { recursive: true });
  const ids = randomBytes(16 * count).toString('hex');
  const incarnation = nodeIdOf(dataDirectory);
  const imps = Array.from({ length: count }, (_, index) =>
    wonNow({ auction_id: ids.slice(index * 32, index * 32 + 32) }),
  );
  const lines = imps.map(({ auction_id, imp, expires_ms, ...others }, index) => {
    const record = JSON.stringify({
      kind: 'impression',
      auction_id,
      imp,
      expires_ms,
      node: incarnation,
      at_ms: Date.now(),
      ...others,
      notice_url: '',
    });
    return marked(record, index + 1);
  });
  const segment = `money-${incarnation}-20261120T101501500Z-01234567-000001.ndjson`;
  const header = JSON.stringify({
    schema: SCHEMA_OF.money,
    stream: 'money',
    incarnation,
    segment,
    writer: 'tracker',
    pid: process.pid,
    started_at: '2026-11-20T10:15:01.500Z',
  });
  writeFileSync(join(directory, segment), `${marked(header, 0)}\n${lines.join('\n')}\n`);
  return imps;
}
