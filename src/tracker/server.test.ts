import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { test, type TestContext } from 'node:test';

import { pino } from 'pino';
import { Registry } from 'prom-client';

import {
  BEACON_NOW_MS,
  createBeacon,
  createKeyRing,
  createWonImp,
  sealBeacon,
} from '../beacons/fixtures.ts';
import type { Beacon } from '../beacons/beacon.ts';
import { NONCE_BYTES } from '../beacons/token.ts';
import { BEACON_KINDS, type BeaconKind } from '../events/beacon-record.ts';
import { BeaconCounter } from './beacon-counter.ts';
import { createHeldSink } from './fixtures.ts';
import { createTrackerMetrics } from './metrics.ts';
import { SeenBeacons } from './seen-beacons.ts';
import { createTracker } from './server.ts';

const HOME = createBeacon().home;
const PATHS: Readonly<Record<BeaconKind, string>> = {
  win: 'win',
  impression: 'imp',
  view: 'view',
  click: 'click',
};

interface Options {
  /** How the disk fares with each line; by default well and at once. */
  readonly disk?: (done: (error: Error | null) => void) => void;
  readonly waitingMax?: number;
  /** How long beacons wait for the process. */
  readonly waitedMs?: number;
  /** Why nothing can be recorded; by default everything can. */
  readonly unwritable?: () => Error | null;
}

async function start(t: TestContext, options: Options = {}) {
  const { disk = (done) => done(null), waitingMax = 1_000, unwritable = () => null } = options;
  const lines: string[] = [];
  const seen = new SeenBeacons();
  const registry = new Registry();
  const tracker = createTracker({
    counter: new BeaconCounter({
      sink: {
        append: (line, done) =>
          disk((error) => {
            if (error === null) lines.push(line);
            done(error);
          }),
      },
      node: HOME,
      seen,
      seenMax: 1_000,
      waitingMax,
      unixTime: () => BEACON_NOW_MS,
    }),
    keys: { ring: createKeyRing() },
    unwritable,
    home: HOME,
    wait: { waitedMs: () => options.waitedMs ?? 0 },
    metrics: createTrackerMetrics(registry, seen),
    logger: pino({ level: 'silent' }),
    now: () => performance.now(),
    unixTime: () => BEACON_NOW_MS,
  });
  tracker.server.listen(0, '127.0.0.1');
  await once(tracker.server, 'listening');
  const address = tracker.server.address();
  assert.ok(typeof address === 'object' && address !== null);
  const { port } = address;
  t.after(() => tracker.drain());
  return {
    tracker,
    port,
    lines,
    collect: () => registry.metrics(),
    call: (path: string, method = 'GET') => requestOf(port, path, method),
  };
}

/** One request on a connection of its own. */
async function requestOf(port: number, path: string, method: string) {
  const sent = request({ port, host: '127.0.0.1', path, method, agent: false });
  sent.end();
  const [answer] = await once(sent, 'response');
  const chunks: Buffer[] = await answer.toArray();
  const body = Buffer.concat(chunks);
  return { status: answer.statusCode, headers: answer.headers, body, text: body.toString() };
}

function pathOf(differs: Partial<Beacon> = {}): string {
  const beacon = createBeacon(differs);
  return `/${PATHS[beacon.kind]}/${sealBeacon(beacon, createKeyRing(), randomBytes(NONCE_BYTES))}`;
}

test('an impression and a view are answered with a picture, a win with nothing', async (t) => {
  const { call, lines } = await start(t);
  for (const kind of ['impression', 'view'] as const) {
    const { status, headers, body } = await call(pathOf({ kind }));
    assert.equal(status, 200);
    assert.equal(headers['content-type'], 'image/gif');
    assert.equal(body.subarray(0, 6).toString(), 'GIF89a');
    assert.equal(body.length, 42);
  }
  const win = await call(pathOf({ kind: 'win' }));
  assert.deepEqual([win.status, win.text], [204, '']);
  assert.equal(lines.length, 3);
});

test('every answer to a beacon may be read by any page, kept by nobody, and passes no referrer on', async (t) => {
  const { call } = await start(t);
  for (const path of [pathOf(), pathOf({ kind: 'win' }), '/imp/x', pathOf({ kind: 'click' })]) {
    const { headers } = await call(path);
    assert.equal(headers['access-control-allow-origin'], '*');
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(headers['cross-origin-resource-policy'], 'cross-origin');
    assert.equal(headers['referrer-policy'], 'no-referrer');
    assert.equal(headers['set-cookie'], undefined);
  }
  const preflight = await call(pathOf(), 'OPTIONS');
  assert.equal(preflight.status, 204);
  assert.match(preflight.headers['access-control-allow-methods'] ?? '', /POST/);
});

test("a player's events are counted in the metrics for genuine impressions alone", async (t) => {
  const { call, lines, collect } = await start(t);
  const token = pathOf({ kind: 'view' }).slice('/view/'.length);
  const ofTest = pathOf({ kind: 'view', imp: createWonImp({ test: 1 }) }).slice('/view/'.length);
  const late = createWonImp({ expires_ms: BEACON_NOW_MS - 1 });
  const lateToken = pathOf({ kind: 'view', imp: late }).slice('/view/'.length);
  const answers = [
    await call(`/event/start/${token}`),
    await call(`/event/error/${token}?code=405`, 'POST'),
    await call(`/event/start/${ofTest}`),
    await call(`/event/start/${lateToken}`),
    await call(`/event/start/${pathOf({ kind: 'impression' }).slice('/imp/'.length)}`),
    await call(`/event/start/${token}`, 'PUT'),
  ];
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 410, 400, 405],
  );
  const events = (await collect()).match(/^rialto_video_events_total.*$/gm);
  assert.deepEqual(events, [
    'rialto_video_events_total{event="start",code=""} 1',
    'rialto_video_events_total{event="error",code="405"} 1',
  ]);
  assert.deepEqual(lines, []);
});

test('a click leads where its token says, and nowhere else', async (t) => {
  const { call, lines } = await start(t);
  const url = 'https://shop.example/a?b=c#d';
  const path = pathOf({ kind: 'click', url });
  for (const suffix of ['', '/', '?url=https://evil.example', '/?u=//evil.example']) {
    const { status, headers } = await call(path + suffix);
    assert.deepEqual([status, headers.location], [302, url]);
  }
  assert.equal(lines.length, 1);
  for (const bad of ['', 'javascript:alert(1)', 'https://']) {
    const imp = createWonImp({ imp: 1 });
    const { status, headers } = await call(pathOf({ kind: 'click', url: bad, imp }));
    assert.deepEqual([status, headers.location], [204, undefined]);
  }
  const split = 'https://shop.example/\r\nset-cookie: a=b';
  const imp = createWonImp({ imp: 2 });
  const { status, headers } = await call(pathOf({ kind: 'click', url: split, imp }));
  assert.deepEqual([status, headers['set-cookie']], [302, undefined]);
  assert.equal(headers.location, 'https://shop.example/set-cookie:%20a=b');
});

test('a repeated beacon is answered like the first and recorded once, with and without a slash', async (t) => {
  const { call, lines } = await start(t);
  const path = pathOf();
  const first = await call(path);
  for (const suffix of ['', '/', '?cb=123', '/?cb=123']) {
    const again = await call(path + suffix);
    assert.deepEqual(again.body, first.body);
    assert.equal(again.status, 200);
  }
  assert.equal((await call(path, 'POST')).status, 200);
  assert.equal(lines.length, 1);
});

test('what is wrong with a token has one answer, whatever it is, and is counted by its reason', async (t) => {
  const { call, lines, collect } = await start(t);
  const good = pathOf();
  const flipped = `${good.slice(0, -20)}${good.at(-20) === 'A' ? 'B' : 'A'}${good.slice(-19)}`;
  const unknown = sealBeacon(createBeacon(), createKeyRing(9), randomBytes(NONCE_BYTES));
  const far = createWonImp({ expires_ms: BEACON_NOW_MS + 30 * 86_400_000 });
  const paths = {
    malformed: '/imp/AAAA',
    tampered: flipped,
    unknown_key: `/imp/${unknown}`,
    wrong_kind: good.replace('/imp/', '/view/'),
    lives_too_long: pathOf({ imp: far }),
  };
  const answers = new Set<string>();
  for (const path of Object.values(paths)) {
    const { status, text } = await call(path);
    assert.equal(status, 400, path);
    answers.add(text);
  }
  assert.equal(answers.size, 1);
  assert.equal(lines.length, 0);
  const text = await collect();
  for (const reason of Object.keys(paths)) {
    const kind = reason === 'wrong_kind' ? 'view' : 'impression';
    assert.ok(
      text.includes(`rialto_beacons_total{kind="${kind}",outcome="${reason}"} 1`),
      `${reason}: ${text}`,
    );
  }
});

const EXPIRED = createWonImp({ expires_ms: BEACON_NOW_MS });
const ELSEWHERE = 'f'.repeat(16);

test('an expired beacon is gone, one of another tracker is told to come back, neither counts', async (t) => {
  const { call, lines, collect } = await start(t);
  // A click that leads nowhere helps no person on: whoever sends it learns that it does not count.
  for (const kind of BEACON_KINDS) {
    const expired = await call(pathOf({ kind, url: '', imp: EXPIRED }));
    assert.equal(expired.status, 410);
    const foreign = await call(pathOf({ kind, url: '', home: ELSEWHERE }));
    assert.deepEqual([foreign.status, foreign.headers['retry-after']], [421, '1']);
  }
  assert.equal(lines.length, 0);
  const text = await collect();
  for (const kind of BEACON_KINDS) {
    for (const outcome of ['expired', 'foreign']) {
      assert.ok(text.includes(`rialto_beacons_total{kind="${kind}",outcome="${outcome}"} 1`));
    }
  }
});

test('a person gets to the page also by a click that is late, of another tracker, or of a test', async (t) => {
  const { call, lines, collect } = await start(t);
  const url = 'https://shop.example/page';
  const clicks = {
    expired: pathOf({ kind: 'click', url, imp: EXPIRED }),
    foreign: pathOf({ kind: 'click', url, home: ELSEWHERE }),
    test: pathOf({ kind: 'click', url, imp: createWonImp({ test: 1 }) }),
  };
  for (const path of Object.values(clicks)) {
    const { status, headers } = await call(path);
    assert.deepEqual([status, headers.location], [302, url]);
    assert.equal(headers['cache-control'], 'no-store');
  }
  assert.equal(lines.length, 0);
  const text = await collect();
  for (const outcome of Object.keys(clicks)) {
    assert.ok(text.includes(`rialto_beacons_total{kind="click",outcome="${outcome}"} 1`), text);
  }
  // Only what counts, or would, is measured on its way to the disk.
  assert.match(text, /rialto_beacon_seconds_count 1\n/);
});

test('a late click leads only where a genuine token says', async (t) => {
  const { call } = await start(t);
  const late = pathOf({ kind: 'click', url: 'https://shop.example', imp: EXPIRED });
  const forged = `${late.slice(0, -3)}${late.at(-3) === 'A' ? 'B' : 'A'}${late.slice(-2)}`;
  const stranger = createBeacon({ kind: 'click', url: 'https://shop.example', imp: EXPIRED });
  const foreignKey = sealBeacon(stranger, createKeyRing(9), randomBytes(NONCE_BYTES));
  const bad = pathOf({ kind: 'click', url: 'javascript:alert(1)', imp: EXPIRED });
  for (const [path, expected] of [
    [forged, 400],
    [`/click/${foreignKey}`, 400],
    [bad, 410],
  ] as const) {
    const { status, headers } = await call(path);
    assert.deepEqual([status, headers.location], [expected, undefined]);
  }
});

test('a beacon of a test is acknowledged like any other, and leaves no record', async (t) => {
  const { call, lines, collect } = await start(t);
  const statuses = { win: 204, impression: 200, view: 200, click: 204 };
  for (const kind of BEACON_KINDS) {
    const path = pathOf({ kind, url: '', imp: createWonImp({ test: 1, fd: 1 }) });
    for (let copy = 0; copy < 2; copy += 1) {
      assert.equal((await call(path)).status, statuses[kind]);
    }
  }
  assert.equal(lines.length, 0);
  const text = await collect();
  for (const kind of BEACON_KINDS) {
    assert.ok(text.includes(`rialto_beacons_total{kind="${kind}",outcome="test"} 2`));
  }
});

test('a tracker that cannot write its journal is not ready, and lives', async (t) => {
  let obstacle: Error | null = new Error('full');
  const { call } = await start(t, { unwritable: () => obstacle });
  const statusOf = async (path: string): Promise<unknown> => (await call(path)).status;
  assert.deepEqual([await statusOf('/readyz'), await statusOf('/livez')], [503, 200]);
  obstacle = null;
  assert.equal(await statusOf('/readyz'), 200);
});

test('a beacon that could not be recorded is told so, and counts when it is sent again', async (t) => {
  const failures: (Error | null)[] = [new Error('no room'), null];
  const { call, lines } = await start(t, { disk: (done) => done(failures.shift() ?? null) });
  const path = pathOf({ kind: 'click', url: 'https://shop.example/' });
  const first = await call(path);
  assert.deepEqual([first.status, first.headers['retry-after']], [503, '1']);
  assert.equal(first.headers.location, undefined);
  assert.equal((await call(path)).status, 302);
  assert.equal(lines.length, 1);
});

test('more views than may wait for the disk are refused at once', async (t) => {
  const sink = createHeldSink();
  const { call } = await start(t, { disk: (done) => sink.append('', done), waitingMax: 1 });
  const first = call(pathOf());
  while (sink.waiting.length === 0) await new Promise(setImmediate);
  const second = await call(pathOf({ kind: 'view', imp: createWonImp({ imp: 1 }) }));
  assert.deepEqual([second.status, second.headers['retry-after']], [503, '1']);
  sink.settle();
  assert.equal((await first).status, 200);
});

test('when the process is behind, what neither bills nor leads anybody on is refused', async (t) => {
  const { call } = await start(t, { waitedMs: 200 });
  const statuses = await Promise.all([
    call(pathOf({ kind: 'impression' })),
    call(pathOf({ kind: 'win' })),
    call(pathOf({ kind: 'click', url: 'https://shop.example/' })),
    call(pathOf({ kind: 'view' })),
    call(`/event/start/${pathOf({ kind: 'view' }).slice('/view/'.length)}`),
  ]);
  assert.deepEqual(
    statuses.map(({ status }) => status),
    [200, 204, 302, 503, 503],
  );
});

test('other methods and paths are refused; a look at a link is no click', async (t) => {
  const { call, lines } = await start(t);
  for (const method of ['HEAD', 'PUT', 'DELETE']) {
    const { status, headers } = await call(pathOf(), method);
    assert.deepEqual([status, headers['allow']], [405, 'GET, POST, OPTIONS']);
  }
  for (const path of ['/', '/imp', '/imp/', '/imp/a/b', '/impression/x', '/constructor/x', '//']) {
    assert.equal((await call(path)).status, 404, path);
  }
  assert.equal(lines.length, 0);
  for (const path of ['/livez', '/readyz/', '/livez?x']) {
    assert.equal((await call(path)).text, 'ok\n');
  }
});

test('draining answers what is under way and closes connections that stay silent', async (t) => {
  const sink = createHeldSink();
  const { call, port, tracker } = await start(t, { disk: (done) => sink.append('', done) });
  const silent = connect(port, '127.0.0.1');
  await once(silent, 'connect');
  const halfOpen = connect(port, '127.0.0.1');
  halfOpen.write('GET /imp/');
  const beacon = call(pathOf());
  while (sink.waiting.length === 0) await new Promise(setImmediate);
  let drained = false;
  const draining = tracker.drain().then(() => (drained = true));
  await new Promise((resolve) => {
    setTimeout(resolve, 600);
  });
  assert.equal(drained, false);
  sink.settle();
  assert.equal((await beacon).status, 200);
  await draining;
  silent.destroy();
  halfOpen.destroy();
});
