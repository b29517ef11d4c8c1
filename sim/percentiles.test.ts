import assert from 'node:assert/strict';
import { test } from 'node:test';
import { percentilesOf } from './percentiles.ts';

test('a percentile is the smallest value that so many percent do not exceed', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
  assert.deepEqual(percentilesOf(hundred), { p50: 50, p95: 95, p99: 99, max: 100 });
  assert.deepEqual(percentilesOf([3, 1, 2]), { p50: 2, p95: 3, p99: 3, max: 3 });
  assert.deepEqual(percentilesOf([7]), { p50: 7, p95: 7, p99: 7, max: 7 });
});

test('values are ordered as numbers, not as texts', () => {
  assert.equal(percentilesOf([9, 10, 100, 2]).max, 100);
});

test('of no values the percentiles are NaN, so that no bound holds', () => {
  const { p50, p99 } = percentilesOf([]);
  assert.ok(Number.isNaN(p50) && !(p99 <= 20));
});
