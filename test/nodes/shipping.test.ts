import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Audience } from '../../sim/audience.ts';
import { runOpenLoop } from '../../sim/load.ts';
import { createRandom } from '../../sim/random.ts';
import { assertHolds } from '../stores/loader-fixture.ts';
import { effort, effortMs, SEED } from '../support/effort.ts';
import { bannerRequest } from '../support/exchange.ts';
import { assertInvariants } from '../support/invariants.ts';
import {
  assertBilled,
  assertReportedOnce,
  billedAt,
  INSISTENT,
  isAuction,
  moneyOf,
  PATIENCE,
  Requests,
} from '../support/ledgers.ts';
import { runRialto } from '../support/node.ts';
import { startShippingNode } from '../support/shipping.ts';
import { until } from '../support/wait.ts';

const KILLING_MS = effortMs(4, 60);
const OUTAGE_MS = effortMs(2, 60);
const RATE_PER_SECOND = effort(40, 80);
/** So many auctions show that the node serves. */
const SERVED = 20;

const DRAINED_MS = 30_000;

test('whoever is killed when, what was answered and acknowledged is reported and billed once, and nothing else', async (t) => {
  t.diagnostic(`seed ${SEED}`);
  const random = createRandom(SEED);
  const shipping = await startShippingNode(t, ['--workers=2']);
  const { node } = shipping;
  const requests = new Requests();
  const audience = new Audience({ seed: SEED, behaviour: INSISTENT, patience: PATIENCE });
  const stop = new AbortController();
  const load = runOpenLoop({
    url: `${node.urls.exchange}/openrtb2/auction`,
    ratePerSecond: RATE_PER_SECOND,
    durationMs: 15 * 60_000,
    signal: stop.signal,
    next: () => requests.next(),
    audience,
    onResponse: (body, status) => requests.take(body, status),
    onError: (_body, code) => requests.fail(code),
  });
  const untilMs = performance.now() + KILLING_MS;
  const kills = { exchange: 0, tracker: 0, courier: 0, control: 0 };
  while (performance.now() < untilMs) {
    await delay(random.integer(100, 1_500));
    const role = random.pick(['exchange', 'tracker', 'courier', 'control'] as const);
    const pids = node.pids(role);
    if (pids.length === 0) continue;
    process.kill(random.pick(pids), 'SIGKILL');
    kills[role] += 1;
  }
  const before = requests.answered.size;
  await until('the node serves', DRAINED_MS, () => requests.answered.size >= before + SERVED);
  stop.abort();
  await load;
  await audience.settled();
  const money = moneyOf(await shipping.records());
  await until('every billing notice has arrived', NOTIFIED_MS, () => {
    return billedAt(shipping.bidders) === money.billable.length;
  });
  await shipping.drained(DRAINED_MS);
  const reconciled = await runRialto(['reconcile', '--data', node.dataDirectory]);
  assert.equal(reconciled.code, 0, reconciled.stdout);
  const records = await shipping.records();
  const store = await shipping.stopAndOpen();
  const { sent, answered, failures } = requests;
  t.diagnostic(
    `${JSON.stringify(kills)} kills; ${sent.size} sent, ${answered.size} answered, ` +
      `${money.impressions.length} impressions; ${JSON.stringify(Object.fromEntries(failures))}`,
  );

  // The supervisor waits longer and longer before it starts a process that keeps dying.
  assert.ok(answered.size > 0.2 * sent.size, 'the node goes on serving');
  await assertReportedOnce(store, requests);
  // Journal and reports say the same, in the raw table and in every rollup.
  await assertHolds(store, records);
  assertInvariants(records.filter(isAuction));
  assertBilled(audience, records);
});

/** A try that a killed courier lost is made again after ten seconds, and once more after that. */
const NOTIFIED_MS = 45_000;

test('while control is stopped auctions go on as before, and afterwards the backlog is carried in', async (t) => {
  const shipping = await startShippingNode(t, []);
  const { node } = shipping;
  const run = (durationMs: number) =>
    runOpenLoop({
      url: `${node.urls.exchange}/openrtb2/auction`,
      ratePerSecond: RATE_PER_SECOND,
      durationMs,
      next: () => bannerRequest(),
    });
  await run(effortMs(1, 3));
  await shipping.drained(DRAINED_MS);
  node.kill('control', 'SIGSTOP');
  const during = await run(OUTAGE_MS);
  const { bytes, acknowledgedBytes } = await shipping.backlog();
  const waitingBytes = bytes - acknowledgedBytes;
  assert.ok(waitingBytes > 0, 'what control does not take waits');
  assert.deepEqual(during.errors, {});
  assert.deepEqual(
    Object.keys(during.statuses).filter((status) => status !== '200' && status !== '204'),
    [],
    'every auction is held',
  );

  node.kill('control', 'SIGCONT');
  const startMs = performance.now();
  const after = run(effortMs(1, 3));
  await until('the backlog is carried in', DRAINED_MS, async () => {
    const now = await shipping.backlog();
    return now.acknowledgedBytes >= bytes;
  });
  const tookMs = performance.now() - startMs;
  t.diagnostic(
    `${waitingBytes} bytes of ${OUTAGE_MS} ms were carried in within ${Math.round(tookMs)} ms; ` +
      `p99 of auctions meanwhile ${during.latencyMs.p99} ms`,
  );
  const { sent } = await after;
  await shipping.drained(DRAINED_MS);
  const records = await shipping.records();
  assert.ok(records.length >= during.sent + sent);
  await assertHolds(await shipping.stopAndOpen(), records);
});
