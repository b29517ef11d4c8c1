import assert from 'node:assert/strict';
import { test } from 'node:test';

import { expiryOf, TOKEN_LIFE_MAX_MS, TOKEN_LIFE_MS } from './beacon.ts';

test('a token lives for an hour, or for as long as the bid says, up to the longest life', () => {
  const wonMs = 1_000_000;
  assert.equal(expiryOf(wonMs, undefined), wonMs + TOKEN_LIFE_MS);
  assert.equal(expiryOf(wonMs, 60), wonMs + 60_000);
  assert.equal(expiryOf(wonMs, 7_200), wonMs + 7_200_000);
  assert.equal(expiryOf(wonMs, 10 ** 9), wonMs + TOKEN_LIFE_MAX_MS);
  // An exp that no impression could keep is none.
  for (const expS of [0, -1, NaN]) assert.equal(expiryOf(wonMs, expS), wonMs + TOKEN_LIFE_MS);
});
