import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadedUntilMs } from './loaded-until.ts';

const NOW_MS = Date.UTC(2026, 10, 20, 12);

function untilMs(...wholeUntil: readonly (number | undefined)[]): number {
  const nodes = wholeUntil.map((wholeUntilMs) => ({
    status: { shipping: wholeUntilMs === undefined ? {} : { wholeUntilMs } },
  }));
  return loadedUntilMs(nodes, NOW_MS);
}

test('everything is there until the time that the last node has come to, less what is being written', () => {
  assert.equal(untilMs(NOW_MS - 2_000, NOW_MS - 90_000), NOW_MS - 100_000);
  assert.equal(untilMs(NOW_MS - 2_000), NOW_MS - 12_000);
});

test('a clock that is ahead does not reach into the future', () => {
  assert.equal(untilMs(NOW_MS + 60_000), NOW_MS - 10_000);
});

test('where nobody says how far it has come, records are given a minute', () => {
  assert.equal(untilMs(), NOW_MS - 60_000);
  assert.equal(untilMs(undefined, NOW_MS - 2_000), NOW_MS - 60_000);
});
