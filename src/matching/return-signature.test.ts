import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyRingAt } from '../beacons/key-ring.ts';
import { isReturnSigned, signReturn } from './return-signature.ts';

const NOW_S = 1_800_000_000;
const OLD = { id: 1, secret: Buffer.alloc(32, 1), sealsFromMs: 0 };
const NEW = { id: 2, secret: Buffer.alloc(32, 2), sealsFromMs: 1 };
const GRANT = { partnerId: 1001, browser: '0123456789abcdef', untilS: NOW_S + 60 };

test('an address is good for its partner, its browser and its time, and for nothing else', () => {
  const ring = keyRingAt([OLD], 1);
  const signature = signReturn(GRANT, ring);
  assert.ok(isReturnSigned(GRANT, signature, ring, NOW_S));
  for (const other of [
    { ...GRANT, partnerId: 1002 },
    { ...GRANT, browser: '0123456789abcdee' },
    { ...GRANT, untilS: NOW_S + 61 },
    { ...GRANT, untilS: NaN },
  ]) {
    assert.ok(!isReturnSigned(other, signature, ring, NOW_S));
  }
  assert.ok(!isReturnSigned(GRANT, signature, ring, NOW_S + 61));
  for (const text of ['', 'x', signature.slice(1), `${signature}AAAA`]) {
    assert.ok(!isReturnSigned(GRANT, text, ring, NOW_S));
  }
});

test('an address that was made before the key changed is still good', () => {
  const signature = signReturn(GRANT, keyRingAt([OLD], 2));
  assert.ok(isReturnSigned(GRANT, signature, keyRingAt([OLD, NEW], 2), NOW_S));
  assert.ok(!isReturnSigned(GRANT, signature, keyRingAt([NEW], 2), NOW_S));
});
