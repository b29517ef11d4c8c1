import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import fc from 'fast-check';

import { type Allowance, createRateLimiter, type RateLimiter } from './rate-limiter.ts';

/** This process may use all of every rate. */
const WHOLE: Allowance = (_key, ratePerSecond) => ratePerSecond;

/** How many of `attempts` at one moment are let through. */
function takeMany(limiter: RateLimiter, key: string, rate: number, nowMs: number): number {
  let taken = 0;
  for (let attempt = 0; attempt < 10_000; attempt += 1) {
    if (limiter.take(key, rate, nowMs)) taken += 1;
  }
  return taken;
}

describe('createRateLimiter', () => {
  test('lets a tenth of a second through at once, then the rate', () => {
    const limiter = createRateLimiter(WHOLE);
    assert.equal(takeMany(limiter, 'a', 1000, 5000), 100);
    assert.equal(takeMany(limiter, 'a', 1000, 5010), 10);
    assert.equal(takeMany(limiter, 'a', 1000, 6000), 100);
  });

  test('lets one through at a rate below ten', () => {
    const limiter = createRateLimiter(WHOLE);
    assert.equal(takeMany(limiter, 'a', 0.5, 0), 1);
    assert.equal(takeMany(limiter, 'a', 0.5, 1999), 0);
    assert.equal(takeMany(limiter, 'a', 0.5, 2000), 1);
  });

  test('reaches the rate under steady demand', () => {
    const limiter = createRateLimiter(WHOLE);
    let taken = 0;
    for (let nowMs = 0; nowMs < 10_000; nowMs += 1) {
      if (limiter.take('a', 250, nowMs)) taken += 1;
    }
    assert.ok(taken >= 2500 && taken <= 2525, `${taken} taken`);
  });

  test('keeps each key for itself', () => {
    const limiter = createRateLimiter(WHOLE);
    assert.equal(takeMany(limiter, 'a', 100, 0), 10);
    assert.equal(takeMany(limiter, 'b', 100, 0), 10);
  });

  test('lets nothing through at a rate that is not above zero', () => {
    const limiter = createRateLimiter(WHOLE);
    for (const rate of [0, -1, Number.NaN]) assert.equal(takeMany(limiter, 'a', rate, 0), 0);
  });

  test('follows the rate at once in both directions', () => {
    const limiter = createRateLimiter(WHOLE);
    assert.ok(limiter.take('a', 1000, 0));
    assert.equal(takeMany(limiter, 'a', 20, 0), 2);
    assert.equal(takeMany(limiter, 'a', 1000, 0), 0);
    assert.equal(takeMany(limiter, 'a', 1000, 50), 50);
    assert.equal(takeMany(limiter, 'a', 0, 100), 0);
  });

  test('refills nothing when the clock goes back', () => {
    const limiter = createRateLimiter(WHOLE);
    assert.equal(takeMany(limiter, 'a', 100, 1000), 10);
    assert.equal(takeMany(limiter, 'a', 100, 0), 0);
    assert.equal(takeMany(limiter, 'a', 100, 1000), 0);
    assert.equal(takeMany(limiter, 'a', 100, 1020), 2);
  });

  test('forgets idle keys without forgetting what busy ones have used', () => {
    const limiter = createRateLimiter(WHOLE);
    assert.equal(takeMany(limiter, 'busy', 0.001, 0), 1);
    for (let key = 0; key < 5000; key += 1) limiter.take(`idle ${key}`, 100, 0);
    for (let key = 0; key < 5000; key += 1) limiter.take(`later ${key}`, 100, 20_000);
    assert.equal(takeMany(limiter, 'busy', 0.001, 20_000), 0);
    assert.equal(takeMany(limiter, 'idle 0', 100, 20_000), 10);
  });

  test('gives a process its share of the rate', () => {
    const limiter = createRateLimiter((_key, ratePerSecond) => ratePerSecond / 4);
    assert.equal(takeMany(limiter, 'a', 1000, 0), 25);
  });

  test('has what is given back again, and no more than the bucket holds', () => {
    const limiter = createRateLimiter(WHOLE);
    assert.equal(takeMany(limiter, 'a', 100, 0), 10);
    limiter.giveBack('a');
    assert.equal(takeMany(limiter, 'a', 100, 0), 1);
    for (let each = 0; each < 50; each += 1) limiter.giveBack('a');
    assert.equal(takeMany(limiter, 'a', 100, 0), 10);
    limiter.giveBack('never taken');
    assert.equal(takeMany(limiter, 'never taken', 100, 0), 10);
  });

  test('stops when the allowance of a key has expired', () => {
    const limiter = createRateLimiter((key, rate, nowMs) =>
      key === 'leased' && nowMs < 1000 ? rate / 2 : 0,
    );
    assert.equal(takeMany(limiter, 'leased', 100, 999), 5);
    assert.equal(takeMany(limiter, 'leased', 100, 1000), 0);
    assert.equal(takeMany(limiter, 'other', 100, 0), 0);
  });
});

test('within any window no more is taken than the rate allows and one burst', () => {
  const property = fc.property(
    fc.double({ min: 0.01, max: 5000, noNaN: true }),
    fc.array(
      fc.tuple(fc.double({ min: 0, max: 3000, noNaN: true }), fc.integer({ min: 1, max: 40 })),
      { minLength: 1, maxLength: 40 },
    ),
    (rate, steps) => {
      const limiter = createRateLimiter(WHOLE);
      const takenAtMs: number[] = [];
      let nowMs = 1000;
      for (const [pauseMs, attempts] of steps) {
        nowMs += pauseMs;
        for (let attempt = 0; attempt < attempts; attempt += 1) {
          if (limiter.take('a', rate, nowMs)) takenAtMs.push(nowMs);
        }
      }
      const burst = Math.max(1, rate / 10);
      for (const [from, startMs] of takenAtMs.entries()) {
        for (const [to, endMs] of takenAtMs.entries()) {
          if (to < from) continue;
          const allowed = ((endMs - startMs) / 1000) * rate + burst;
          assert.ok(to - from + 1 <= allowed + 1e-6, `${to - from + 1} of ${allowed}`);
        }
      }
    },
  );
  fc.assert(property, { numRuns: 300 });
});

test('within any window of changing rates no more is taken than the highest of them allows', () => {
  const property = fc.property(
    fc.array(
      fc.tuple(
        fc.integer({ min: 0, max: 500 }),
        fc.integer({ min: 0, max: 400 }),
        fc.integer({ min: 1, max: 30 }),
      ),
      { minLength: 1, maxLength: 40 },
    ),
    (steps) => {
      const limiter = createRateLimiter(WHOLE);
      const takes: { atMs: number; step: number }[] = [];
      let nowMs = 0;
      for (const [step, [pauseMs, rate, attempts]] of steps.entries()) {
        nowMs += pauseMs;
        for (let attempt = 0; attempt < attempts; attempt += 1) {
          if (limiter.take('a', rate, nowMs)) takes.push({ atMs: nowMs, step });
        }
      }
      for (const [from, first] of takes.entries()) {
        for (const [to, last] of takes.entries()) {
          if (to < from) continue;
          const rates = steps.slice(first.step, last.step + 1).map(([, rate]) => rate);
          const highest = Math.max(...rates);
          const allowed = ((last.atMs - first.atMs) / 1000) * highest + Math.max(1, highest / 10);
          assert.ok(to - from + 1 <= allowed + 1e-6, `${to - from + 1} of ${allowed}`);
        }
      }
    },
  );
  fc.assert(property, { numRuns: 300 });
});
