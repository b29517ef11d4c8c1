import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fairParts } from './fair-parts.ts';

test('who wants little gets it, and the rest is divided equally', () => {
  assert.deepEqual(fairParts([0.1, 0.9, 0.9], 0.9), [0.1, 0.4, 0.4]);
  assert.deepEqual(fairParts([5, 5], 1), [0.5, 0.5]);
});

test('what nobody wants is divided in proportion, among those who want something', () => {
  assert.deepEqual(fairParts([0.125, 0.375, 0], 0.75), [0.1875, 0.5625, 0]);
  assert.deepEqual(fairParts([0, 0], 1), [0, 0]);
  assert.deepEqual(fairParts([], 1), []);
});

test('parts never add up to more than there is, and to all of it when somebody wants something', () => {
  const property = fc.property(
    fc.array(fc.double({ min: 0, max: 10, noNaN: true }), { maxLength: 20 }),
    fc.double({ min: 0, max: 1, noNaN: true }),
    (wanted, pool) => {
      const sum = fairParts(wanted, pool).reduce((total, part) => total + part, 0);
      assert.ok(sum <= pool + 1e-9, `${sum} of ${pool}`);
      if (wanted.some((part) => part > 1e-6)) assert.ok(sum >= pool - 1e-9, `${sum} of ${pool}`);
    },
  );
  fc.assert(property);
});
