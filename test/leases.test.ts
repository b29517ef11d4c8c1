import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Audience } from '../sim/audience.ts';
import { runOpenLoop, type LoadResult } from '../sim/load.ts';
import { EAGER_BEHAVIOUR } from '../sim/page.ts';
import type { AuctionRecord } from '../src/events/auction-record.ts';
import { bannerRequest, startExchange, type StartedExchange } from './support/exchange.ts';
import { assertInvariants } from './support/invariants.ts';
import { readMoney } from './support/money.ts';
import { until } from './support/wait.ts';

const LINE_ITEM = 501;
const IMPRESSIONS_A_DAY = 20;
const REQUESTS_A_SECOND = 40;
/** Longer than anything here takes: the machine may be busy with other tests. */
const SOON_MS = 60_000;
/** So long nothing may happen any more before it is taken for the end. */
const QUIET_MS = 1_500;
/** The example's line item, and what it gets. */
const UNLIMITED = 'seat: acme-1, floor: 0.05 }';
/** Longer than any test. */
const TRAFFIC_MS = 120_000;

/** The example with a limit on the line item of its first partner; the other one buys nothing. */
async function startCapped(t: TestContext, capping: string): Promise<StartedExchange> {
  // A day that ends in the middle of a test has two budgets.
  const leftMs = 86_400_000 - (Date.now() % 86_400_000);
  if (leftMs < 60_000) await delay(leftMs + 1_000);
  return startExchange({
    t,
    bolt: { bidRate: 0 },
    args: ['--workers=2'],
    edit: (yaml) => {
      assert.ok(yaml.includes(UNLIMITED));
      return yaml.replace(UNLIMITED, `seat: acme-1, floor: 0.05, capping: { ${capping} } }`);
    },
  });
}

/** Steady traffic whose every ad is shown, until it is stopped. */
function startTraffic({ node }: StartedExchange) {
  const audience = new Audience({
    behaviour: EAGER_BEHAVIOUR,
    patience: { triesMax: 200, retryLastMs: 200 },
  });
  const stopping = new AbortController();
  const load = runOpenLoop({
    url: `${node.urls.exchange}/openrtb2/auction`,
    ratePerSecond: REQUESTS_A_SECOND,
    durationMs: TRAFFIC_MS,
    signal: stopping.signal,
    next: () => bannerRequest(),
    audience,
  });
  return {
    stop: async (): Promise<LoadResult> => {
      stopping.abort();
      const result = await load;
      await audience.settled();
      return result;
    },
  };
}

interface Counted {
  readonly wins: number;
  readonly impressions: number;
}

async function count({ node }: StartedExchange): Promise<Counted> {
  const { auctions, beacons } = await readMoney(node);
  const bids = auctions.flatMap((auction) => auction.bids);
  const wins = bids.filter((bid) => bid.lineitem_id === LINE_ITEM && bid.loss_reason === 0).length;
  const impressions = beacons.impression.filter(
    (beacon) => beacon.lineitem_id === LINE_ITEM,
  ).length;
  assert.ok(wins <= IMPRESSIONS_A_DAY, `${wins} wins`);
  assert.ok(impressions <= wins, `${impressions} impressions of ${wins} wins`);
  return { wins, impressions };
}

function winsReach(exchange: StartedExchange, wins: number): Promise<unknown> {
  return until(`${wins} wins`, SOON_MS, async () => (await count(exchange)).wins >= wins);
}

test('two processes win exactly as many impressions as a day has, also when control is killed', async (t) => {
  const exchange = await startCapped(t, `max_daily_impressions: ${IMPRESSIONS_A_DAY}`);
  const traffic = startTraffic(exchange);
  await winsReach(exchange, 3);
  exchange.node.kill('control');
  await winsReach(exchange, IMPRESSIONS_A_DAY);
  await delay(QUIET_MS);
  const { errors } = await traffic.stop();
  assert.deepEqual(errors, {});
  const { wins, impressions } = await count(exchange);
  assert.deepEqual([wins, impressions], [IMPRESSIONS_A_DAY, IMPRESSIONS_A_DAY]);
  const records = await exchange.records();
  assertInvariants(records);
  const [latest] = records.toSorted((one, other) => other.at_ms - one.at_ms);
  const refused = latest?.calls.find(({ lineitem_ids: ids }) => ids.includes(LINE_ITEM));
  assert.deepEqual([refused?.outcome, refused?.reason], ['throttled', 'daily_impressions']);
});

test('while control is away no more is won than was granted, and new processes have the rates of the old ones alone', async (t) => {
  const exchange = await startCapped(t, `max_daily_impressions: ${IMPRESSIONS_A_DAY}`);
  const { node } = exchange;
  const traffic = startTraffic(exchange);
  await winsReach(exchange, 2);
  node.kill('control', 'SIGSTOP');
  const [killed] = node.pids('exchange');
  assert.ok(killed !== undefined);
  process.kill(killed, 'SIGKILL');
  await delay(QUIET_MS / 3);
  const before = await count(exchange);
  const killedToo = node.pids('exchange').filter((pid) => pid !== killed);
  for (const pid of killedToo) process.kill(pid, 'SIGKILL');
  await delay(200);
  const granted = await count(exchange);
  assert.ok(granted.wins < IMPRESSIONS_A_DAY, 'not all was granted to two processes');
  await until('new processes hold auctions', SOON_MS, async () => {
    const { auctions } = await readMoney(node);
    const atMs = Math.max(...auctions.map((auction) => auction.at_ms));
    return node.pids('exchange').length === 2 && atMs > Date.now() - 200;
  });
  await delay(QUIET_MS);
  assert.equal((await count(exchange)).wins, granted.wins, 'new processes have no budget');
  const latest = (await exchange.records()).toSorted((one, other) => one.at_ms - other.at_ms);
  // The other partner's line item has a limit per second, which was their predecessors'.
  for (const { calls } of latest.slice(-10)) {
    const [limited, other] = calls;
    assert.deepEqual([limited?.outcome, limited?.reason], ['throttled', 'no_lease']);
    assert.notEqual(other?.outcome, 'throttled', JSON.stringify(other));
  }

  node.kill('control', 'SIGCONT');
  await winsReach(exchange, granted.wins + 1);
  await delay(QUIET_MS);
  await traffic.stop();
  const { wins, impressions } = await count(exchange);
  t.diagnostic(`${before.wins} wins, ${granted.wins} without control, ${wins} in the end`);
  assert.equal(impressions, wins);
});

test('a limit per second holds over two processes, and is used although their load is uneven', async (t) => {
  const maxQps = 40;
  const exchange = await startCapped(t, `max_qps: ${maxQps}`);
  const run = (ratePerSecond: number) =>
    runOpenLoop({
      url: `${exchange.node.urls.exchange}/openrtb2/auction`,
      ratePerSecond,
      durationMs: 6_000,
      // One connection stays with one process.
      connections: 1,
      next: () => bannerRequest(),
    });
  // Halves of the rate would leave most of one unused: 20 and 3 calls of 40.
  await Promise.all([run(150), run(3)]);
  const sent = sentTimes(await exchange.records());
  const [firstMs = 0] = sent;
  const lastMs = sent.at(-1) ?? 0;
  for (const fromMs of sent) {
    for (const seconds of [1, 3]) {
      const within = sent.filter((ms) => ms >= fromMs && ms < fromMs + seconds * 1_000).length;
      // Each of both processes may begin with its burst, and with one whole call.
      const most = maxQps * (seconds + BURST_SECONDS) + 2;
      assert.ok(within <= most, `${within} calls within ${seconds} s`);
    }
  }
  const settledMs = firstMs + 3_000;
  const perSecond =
    (sent.filter((ms) => ms >= settledMs).length * 1_000) / Math.max(1, lastMs - settledMs);
  t.diagnostic(`${perSecond.toFixed(1)} calls a second of ${maxQps}`);
  assert.ok(perSecond > 0.7 * maxQps, `${perSecond} calls a second`);
});

/** What a process may send at once, in seconds of its rate. */
const BURST_SECONDS = 0.1;

/** When bid requests for the line item were sent, the earliest first. */
function sentTimes(records: readonly AuctionRecord[]): number[] {
  const isSent = ({ lineitem_ids: ids, outcome }: AuctionRecord['calls'][number]): boolean =>
    ids.includes(LINE_ITEM) && outcome !== 'throttled';
  return records
    .filter(({ calls }) => calls.some(isSent))
    .map(({ at_ms: ms }) => ms)
    .toSorted((a, b) => a - b);
}
