import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runOpenLoop } from '../../sim/load.ts';
import { effort } from '../support/effort.ts';
import { bannerRequest, startExchange } from '../support/exchange.ts';
import { assertInvariants } from '../support/invariants.ts';
import { until } from '../support/wait.ts';

const RESTARTS = effort(3, 40);
/** So many auctions go by between two restarts. */
const AUCTIONS_BETWEEN = 10;

test('restarts of the exchange under load refuse no connection and lose no auction', async (t) => {
  const exchange = await startExchange({ t });
  const { node } = exchange;
  const stop = new AbortController();
  let answered = 0;
  const load = runOpenLoop({
    url: `${node.urls.exchange}/openrtb2/auction`,
    ratePerSecond: effort(30, 100),
    timeoutMs: effort(30_000, 5_000),
    durationMs: 300_000,
    signal: stop.signal,
    next: () => bannerRequest(),
    onResponse: () => {
      answered += 1;
    },
  });
  for (let restart = 0; restart < RESTARTS; restart += 1) {
    const before = node.pids('exchange');
    process.kill(node.pid, 'SIGUSR2');
    await until(`restart ${restart} is done`, 15_000, () => {
      const now = node.pids('exchange');
      return now.length === 1 && !before.includes(now[0] ?? 0);
    });
    const soFar = answered;
    await until('auctions are held', 15_000, () => answered >= soFar + AUCTIONS_BETWEEN);
  }
  stop.abort();
  const result = await load;
  assert.deepEqual(result.errors, {}, JSON.stringify(result));
  const { 200: filled = 0, 204: unfilled = 0, ...others } = result.statuses;
  assert.deepEqual(others, {}, 'every answer is an auction');
  assert.ok(filled > RESTARTS * AUCTIONS_BETWEEN, `${filled} auctions had a winner`);
  assertInvariants(await exchange.records(), { filled, unfilled });
});
