import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { runOpenLoop } from '../sim/load.ts';
import { bannerRequest, startExchange } from './support/exchange.ts';
import { assertInvariants } from './support/invariants.ts';
import { until } from './support/wait.ts';

const RESTARTS = 22;

test('22 restarts of the exchange under load refuse no connection and lose no auction', async (t) => {
  const exchange = await startExchange({ t });
  const { node } = exchange;
  const stop = new AbortController();
  const load = runOpenLoop({
    url: `${node.urls.exchange}/openrtb2/auction`,
    ratePerSecond: 100,
    durationMs: 120_000,
    signal: stop.signal,
    next: () => bannerRequest(),
  });
  for (let restart = 0; restart < RESTARTS; restart += 1) {
    const before = node.pids('exchange');
    process.kill(node.pid, 'SIGUSR2');
    await until(`restart ${restart} is done`, 15_000, () => {
      const now = node.pids('exchange');
      return now.length === 1 && !before.includes(now[0] ?? 0);
    });
    await delay(100);
  }
  stop.abort();
  const result = await load;
  assert.deepEqual(result.errors, {}, JSON.stringify(result));
  const { 200: filled = 0, 204: unfilled = 0, ...others } = result.statuses;
  assert.deepEqual(others, {}, 'every answer is an auction');
  assert.ok(filled > 500, `${filled} auctions had a winner`);
  assertInvariants(await exchange.records(), { filled, unfilled });
});
