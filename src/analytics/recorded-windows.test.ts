import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';

import { PAGE_AUCTIONS } from './recorded-wire.ts';
import { windowsOf } from './recorded-windows.ts';

const MINUTE_MS = 60_000;
const FROM_MS = Date.UTC(2026, 10, 20);

function choiceOf(from_ms: number, to_ms: number) {
  return { from_ms, to_ms, publisher_id: 0, zone_id: 0, demand_partner_id: 0 };
}

function minute(index: number, auctions: number) {
  return { at_ms: FROM_MS + index * MINUTE_MS, auctions };
}

test('quiet minutes are put together, busy ones divided, empty times left out', () => {
  const day = choiceOf(FROM_MS, FROM_MS + 1_440 * MINUTE_MS);
  const minutes = [minute(0, 5), minute(9, PAGE_AUCTIONS - 5), minute(20, 1)];
  assert.deepEqual(windowsOf(day, [...minutes, minute(30, PAGE_AUCTIONS * 3)], 1), [
    { from_ms: FROM_MS, to_ms: FROM_MS + 10 * MINUTE_MS },
    { from_ms: FROM_MS + 20 * MINUTE_MS, to_ms: FROM_MS + 21 * MINUTE_MS },
    ...[0, 20_000, 40_000].map((ms) => ({
      from_ms: FROM_MS + 30 * MINUTE_MS + ms,
      to_ms: FROM_MS + 30 * MINUTE_MS + ms + 20_000,
    })),
  ]);
  assert.deepEqual(windowsOf(day, [], 1), []);
});

test('of a sample only what is read counts', () => {
  const day = choiceOf(FROM_MS, FROM_MS + 1_440 * MINUTE_MS);
  const minutes = Array.from({ length: 10 }, (_, index) => minute(index, PAGE_AUCTIONS));
  assert.equal(windowsOf(day, minutes, 1).length, 10);
  assert.equal(windowsOf(day, minutes, 0.1).length, 1);
});

test('windows cover every minute that has auctions once, within the time asked for', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 0, max: 200 }), { maxLength: 40 }),
      fc.array(fc.integer({ min: 1, max: 9_000 }), { minLength: 40, maxLength: 40 }),
      fc.integer({ min: 0, max: 200 * MINUTE_MS }),
      fc.integer({ min: 1, max: 200 * MINUTE_MS }),
      (indexes, counts, startMs, lengthMs) => {
        const choice = choiceOf(FROM_MS + startMs, FROM_MS + startMs + lengthMs);
        const minutes = indexes
          .toSorted((a, b) => a - b)
          .map((index, at) => minute(index, counts[at] ?? 1))
          .filter(({ at_ms }) => at_ms + MINUTE_MS > choice.from_ms && at_ms < choice.to_ms);
        const windows = windowsOf(choice, minutes, 1);
        let endMs = choice.from_ms;
        for (const { from_ms, to_ms } of windows) {
          assert.ok(from_ms >= endMs && to_ms > from_ms && to_ms <= choice.to_ms);
          endMs = to_ms;
        }
        for (const { at_ms } of minutes) {
          for (const ms of [Math.max(at_ms, choice.from_ms), at_ms + MINUTE_MS - 1]) {
            if (ms >= choice.to_ms) continue;
            assert.equal(windows.filter((one) => ms >= one.from_ms && ms < one.to_ms).length, 1);
          }
        }
      },
    ),
  );
});
