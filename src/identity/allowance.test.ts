import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Allowance } from './allowance.ts';

const RATE = { atOnce: 3, refillMs: 1_000 };

test('a key may use all of its allowance at once, and then one a refill', () => {
  const allowance = new Allowance(RATE);
  for (let use = 0; use < 3; use += 1) {
    assert.equal(allowance.waitMs('a', 0), 0);
    allowance.take('a', 0);
  }
  assert.equal(allowance.waitMs('a', 0), 1_000);
  assert.equal(allowance.waitMs('a', 600), 400);
  assert.equal(allowance.waitMs('a', 1_000), 0);
  allowance.take('a', 1_000);
  assert.equal(allowance.waitMs('a', 1_000), 1_000);
  assert.equal(allowance.waitMs('b', 1_000), 0, 'each key has its own');
});

test('what is given back can be used again, and no more than was taken', () => {
  const allowance = new Allowance({ atOnce: 1, refillMs: 1_000 });
  allowance.take('a', 0);
  allowance.giveBack('a');
  allowance.giveBack('a');
  allowance.giveBack('nobody');
  assert.equal(allowance.waitMs('a', 0), 0);
  allowance.take('a', 0);
  assert.equal(allowance.waitMs('a', 0), 1_000);
});

test('keys beyond those that are remembered are forgotten, the longest unused first', () => {
  const allowance = new Allowance({ atOnce: 1, refillMs: 1e9 }, 4);
  for (const key of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) allowance.take(key, 0);
  assert.equal(allowance.waitMs('a', 0), 0);
  assert.ok(allowance.waitMs('g', 0) > 0);
});

test('in no time is more used than the allowance and what came back in it, whatever the clock does', () => {
  const steps = fc.array(fc.integer({ min: -2_000, max: 5_000 }), { maxLength: 200 });
  fc.assert(
    fc.property(steps, (passed) => {
      const allowance = new Allowance(RATE);
      let nowMs = 0;
      let [earliestMs, latestMs] = [0, 0];
      let used = 0;
      for (const stepMs of passed) {
        nowMs += stepMs;
        earliestMs = Math.min(earliestMs, nowMs);
        latestMs = Math.max(latestMs, nowMs);
        if (allowance.waitMs('a', nowMs) > 0) continue;
        allowance.take('a', nowMs);
        used += 1;
      }
      const most = RATE.atOnce + (latestMs - earliestMs) / RATE.refillMs;
      assert.ok(used <= most + 1e-6, `${used} of ${most}`);
    }),
  );
});
