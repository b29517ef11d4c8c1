import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import fc from 'fast-check';

import { dollarsOf } from './revenue.ts';

describe('dollarsOf', () => {
  test('divides sums of micro-dollars CPM by a thousand million', () => {
    assert.equal(dollarsOf(0n), 0);
    assert.equal(dollarsOf(1n), 1e-9);
    assert.equal(dollarsOf(2_500_000n), 0.0025);
    assert.equal(dollarsOf(1_000_000_000n), 1);
    assert.equal(dollarsOf(123_456_789_012_345_678n), Number('123456789.012345678'));
  });

  test('is exact where a double is', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 52 }), (micros) => {
        assert.equal(dollarsOf(BigInt(micros)), micros / 1e9);
      }),
    );
  });
});
