import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Backoff, jittered } from './backoff.ts';

test('waits double up to the last one and start again after a reset', () => {
  const backoff = new Backoff({ firstMs: 100, lastMs: 500 });
  const waits = [backoff.next(), backoff.next(), backoff.next(), backoff.next(), backoff.next()];
  assert.deepEqual(waits, [100, 200, 400, 500, 500]);
  backoff.reset();
  assert.equal(backoff.next(), 100);
});

test('a jittered wait is between half and the whole of it', () => {
  fc.assert(
    fc.property(
      fc.nat(1e6),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (waitMs, random) => {
        const spread = jittered(waitMs, random);
        return spread >= waitMs / 2 && spread <= waitMs;
      },
    ),
  );
});
