import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { roundLocation } from './location.ts';

test('a coordinate keeps two decimals', () => {
  assert.equal(roundLocation(52.520_008), 52.52);
  assert.equal(roundLocation(-13.404_954), -13.4);
  assert.ok(Object.is(roundLocation(-0.001), 0));
});

test('for any coordinate: the rounded one is within its range, near, and rounds to itself', () => {
  fc.assert(
    fc.property(fc.double({ min: -180, max: 180, noNaN: true }), (degrees) => {
      const rounded = roundLocation(degrees);
      assert.ok(rounded >= -180 && rounded <= 180);
      assert.ok(Math.abs(rounded - degrees) <= 0.005 + 1e-9);
      assert.equal(roundLocation(rounded), rounded);
      assert.match(String(rounded), /^-?\d+(\.\d{1,2})?$/);
    }),
  );
});
