import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dollarsFromMicros, PRICE_MAX_MICROS } from '../../src/base/money.ts';
import { PRICE_MAX_USD } from '../../src/openrtb/limits.ts';

test('the highest price on the wire is the highest price inside', () => {
  assert.equal(PRICE_MAX_USD, dollarsFromMicros(PRICE_MAX_MICROS));
});
