import assert from 'node:assert/strict';
import { test } from 'node:test';

import { beaconOf, expiryOf, TOKEN_LIFE_MAX_MS, TOKEN_LIFE_MS } from './beacon.ts';
import { createSealedWin } from './fixtures.ts';
import { BEACON_KINDS } from '../events/beacon-record.ts';

test('a token lives for an hour, or for as long as the bid says, up to the longest life', () => {
  const wonMs = 1_000_000;
  assert.equal(expiryOf(wonMs, undefined), wonMs + TOKEN_LIFE_MS);
  assert.equal(expiryOf(wonMs, 60), wonMs + 60_000);
  assert.equal(expiryOf(wonMs, 7_200), wonMs + 7_200_000);
  assert.equal(expiryOf(wonMs, 10 ** 9), wonMs + TOKEN_LIFE_MAX_MS);
  // An exp that no impression could keep is none.
  for (const expS of [0, -1, NaN]) assert.equal(expiryOf(wonMs, expS), wonMs + TOKEN_LIFE_MS);
});

test('a beacon has the addresses of its kind and no others, and all else of its win', () => {
  const win = createSealedWin({ burl: 'b', nurl: 'n', clickUrl: 'c' });
  const { home, imp } = win;
  const addresses = { win: ['n', ''], impression: ['b', 'n'], view: ['', ''], click: ['c', ''] };
  for (const kind of BEACON_KINDS) {
    const [url, winUrl] = addresses[kind];
    assert.deepEqual(beaconOf(kind, win), { kind, home, url, winUrl, imp });
  }
});
