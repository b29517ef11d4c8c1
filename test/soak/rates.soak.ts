import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runOpenLoop } from '../../sim/load.ts';
import type { AuctionRecord } from '../../src/events/auction-record.ts';
import { bannerRequest, startExchange } from '../support/exchange.ts';

const LINE_ITEM = 501;
/** The example's line item. */
const UNLIMITED = 'seat: acme-1, floor: 0.05 }';

test('a limit per second holds over two processes, and is used although their load is uneven', async (t) => {
  const maxQps = 40;
  const exchange = await startExchange({
    t,
    bolt: { bidRate: 0 },
    args: ['--workers=2'],
    edit: (yaml) => {
      assert.ok(yaml.includes(UNLIMITED));
      return yaml.replace(
        UNLIMITED,
        `seat: acme-1, floor: 0.05, capping: { max_qps: ${maxQps} } }`,
      );
    },
  });
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
