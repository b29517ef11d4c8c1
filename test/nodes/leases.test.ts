import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { AT_NOON, noonNow } from '../support/noon.ts';
import { stillRunning } from '../support/processes.ts';
import { startExchange, type StartedExchange } from '../support/exchange.ts';
import { assertInvariants } from '../support/invariants.ts';
import { readMoney } from '../support/money.ts';
import { startTraffic } from '../support/traffic.ts';
import { until } from '../support/wait.ts';

const LINE_ITEM = 501;
const IMPRESSIONS_A_DAY = 20;
/** Longer than anything here takes: the machine may be busy with other tests. */
const SOON_MS = 60_000;
/** So many more auctions must pass without what may not happen. */
const AUCTIONS_MORE = 40;
/** The example's line item, and what it gets. */
const UNLIMITED = 'seat: acme-1, floor: 0.05 }';

/** The example with a limit on the line item of its first partner; the other one buys nothing. */
function startCapped(t: TestContext, capping: string): Promise<StartedExchange> {
  return startExchange({
    t,
    bolt: { bidRate: 0 },
    args: ['--workers=2'],
    env: AT_NOON,
    edit: (yaml) => {
      assert.ok(yaml.includes(UNLIMITED));
      return yaml.replace(UNLIMITED, `seat: acme-1, floor: 0.05, capping: { ${capping} } }`);
    },
  });
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

/** Waits until as many auctions more were held: each would have won if it had been allowed to. */
async function moreAuctions(exchange: StartedExchange): Promise<void> {
  const enough = (await exchange.records()).length + AUCTIONS_MORE;
  await until(`${AUCTIONS_MORE} more auctions`, SOON_MS, async () => {
    return (await exchange.records()).length >= enough;
  });
}

function winsReach(exchange: StartedExchange, wins: number): Promise<unknown> {
  return until(`${wins} wins`, SOON_MS, async () => (await count(exchange)).wins >= wins);
}

test('two processes win exactly as many impressions as a day has, also when control is killed', async (t) => {
  const exchange = await startCapped(t, `max_daily_impressions: ${IMPRESSIONS_A_DAY}`);
  const traffic = startTraffic(t, exchange.node);
  await winsReach(exchange, 3);
  exchange.node.kill('control');
  await winsReach(exchange, IMPRESSIONS_A_DAY);
  await moreAuctions(exchange);
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
  const traffic = startTraffic(t, exchange.node);
  await winsReach(exchange, 2);
  node.kill('control', 'SIGSTOP');
  const [killed] = node.pids('exchange');
  assert.ok(killed !== undefined);
  process.kill(killed, 'SIGKILL');
  await until('another process runs', SOON_MS, () => {
    const pids = node.pids('exchange');
    return pids.length === 2 && !pids.includes(killed);
  });
  const before = await count(exchange);
  const killedToo = node.pids('exchange').filter((pid) => pid !== killed);
  for (const pid of killedToo) process.kill(pid, 'SIGKILL');
  await until('they are gone', SOON_MS, () => stillRunning(killedToo).length === 0);
  const aloneMs = noonNow();
  const granted = await count(exchange);
  assert.ok(granted.wins < IMPRESSIONS_A_DAY, 'not all was granted to two processes');
  await until('new processes hold auctions', SOON_MS, async () => {
    const { auctions } = await readMoney(node);
    const atMs = Math.max(...auctions.map((auction) => auction.at_ms));
    return node.pids('exchange').length === 2 && atMs > noonNow() - 200;
  });
  await moreAuctions(exchange);
  assert.equal((await count(exchange)).wins, granted.wins, 'new processes have no budget');
  const latest = (await exchange.records()).toSorted((one, other) => one.at_ms - other.at_ms);
  const others = latest.slice(-10).map(({ calls: [limited, other] }) => {
    assert.deepEqual([limited?.outcome, limited?.reason], ['throttled', 'no_lease']);
    return other;
  });
  // The other partner's line item has a limit per second. Its predecessors' part of it is small, so a
  // burst of requests that had waited for a process may find it used up; it is never without a lease.
  const outcomes = others.map((other) => `${other?.outcome} ${other?.reason}`);
  assert.ok(!outcomes.includes('throttled no_lease'), outcomes.join(', '));
  const asked = (await exchange.records())
    .filter((record) => record.at_ms > aloneMs)
    .filter(({ calls: [, other] }) => other !== undefined && other.outcome !== 'throttled');
  assert.ok(asked.length > 0, 'the other partner was asked by new processes');

  node.kill('control', 'SIGCONT');
  await winsReach(exchange, granted.wins + 1);
  await moreAuctions(exchange);
  const { errors } = await traffic.stop();
  const { wins, impressions } = await count(exchange);
  t.diagnostic(`${before.wins} wins, ${granted.wins} without control, ${wins} in the end`);
  // Whose process was killed between record and answer has a win that nobody could show.
  const unanswered = Object.values(errors).reduce((sum, each) => sum + each, 0);
  assert.ok(wins - impressions <= unanswered, `${wins} wins, ${impressions} impressions`);
});
