import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { NoticeEvent } from '../events/delivery-record.ts';
import { nextTryMs, WAIT_MAX_MS } from './notice-schedule.ts';

const DUE_MS = Date.UTC(2026, 10, 20);
const MINUTE_S = 60;

/** Seconds after it was due at which a notice without an answer is tried. */
function triesOf(event: NoticeEvent): number[] {
  const tries: number[] = [];
  for (let atMs: number | null = DUE_MS; atMs !== null; atMs = nextTryMs(event, DUE_MS, atMs)) {
    tries.push((atMs - DUE_MS) / 1000);
  }
  return tries;
}

test('a win notice is tried every ten seconds for a minute', () => {
  assert.deepEqual(triesOf('win'), [0, 10, 20, 30, 40, 50, 60]);
});

test('a billing notice goes on for an hour, at most five minutes apart', () => {
  const tries = triesOf('billing');
  assert.deepEqual(tries.slice(0, 8), [0, 10, 20, 30, 40, 50, 60, 80]);
  assert.equal(tries.at(-1), 61 * MINUTE_S);
  const waits = tries.slice(1).map((at, index) => at - (tries[index] ?? 0));
  assert.ok(Math.max(...waits) === WAIT_MAX_MS / 1000);
  const backingOff = waits.slice(6, -1);
  assert.deepEqual(
    backingOff.toSorted((a, b) => a - b),
    backingOff,
  );
  assert.ok(tries.length > 20 && tries.length < 35, `${tries.length} tries`);
});

test('a loss notice is tried once', () => {
  assert.deepEqual(triesOf('loss'), [0]);
});

test('a notice that was found late is tried, and given up if its time is over', () => {
  assert.equal(nextTryMs('win', DUE_MS, DUE_MS + 60_000), null);
  assert.equal(nextTryMs('billing', DUE_MS, DUE_MS + 10 * 60 * 60_000), null);
  // A clock that was set back makes it young.
  assert.equal(nextTryMs('win', DUE_MS, DUE_MS - 5_000), DUE_MS + 5_000);
});
