import assert from 'node:assert/strict';
import { test } from 'node:test';
import { latencyWithin } from './latencies.ts';

/** As the store counts a latency. */
function stepOf(ms: number): number {
  return Math.floor(16 * Math.log2(1 + ms));
}

test('a share of latencies is told to within 3 %, from a fraction of a millisecond to a minute', () => {
  for (const ms of [0.4, 1, 7, 23.4, 120, 999, 5_000, 60_000]) {
    const told = latencyWithin(new Map([[stepOf(ms), 1]]), 0.5) ?? 0;
    assert.ok(Math.abs(told - ms) <= 0.03 * (ms + 1), `${ms} ms is told as ${told}`);
  }
});

test('the median, the 95th and the 99th of a hundred are those in their places', () => {
  const latencies = new Map([
    [stepOf(300), 5],
    [stepOf(10), 90],
    [stepOf(100), 5],
  ]);
  const steps = [0.5, 0.95, 0.99].map((share) => stepOf(latencyWithin(latencies, share) ?? 0));
  assert.deepEqual(steps, [stepOf(10), stepOf(100), stepOf(300)]);
});

test('where nothing was answered there is no latency', () => {
  assert.equal(latencyWithin(new Map(), 0.5), null);
});
