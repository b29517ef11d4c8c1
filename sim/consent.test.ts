import assert from 'node:assert/strict';
import { test } from 'node:test';
import { consentString } from './consent.ts';

/** Reads some bits of a core string as a number; positions as the format's field order gives them. */
function bits(text: string, from: number, count: number): number {
  const all = Array.from(Buffer.from(text, 'base64url'), (byte) =>
    byte.toString(2).padStart(8, '0'),
  );
  return Number.parseInt(all.join('').slice(from, from + count), 2);
}

test('a consent string holds version, purposes, special features and vendors where TCF v2 has them', () => {
  const whole = consentString({ purposes: [1, 2, 24], specialFeatures: [1], vendorIdMax: 9500 });
  const [text = '', disclosed = ''] = whole.split('.');
  assert.match(text, /^C[A-Za-z0-9_-]+$/);
  assert.equal(bits(text, 0, 6), 2);
  assert.equal(bits(text, 6, 36) * 100, Date.UTC(2026, 2, 1));
  assert.equal(bits(text, 140, 12), 0b1000_0000_0000);
  assert.equal(bits(text, 152, 24), 0b1100_0000_0000_0000_0000_0001);
  assert.equal(bits(text, 213, 16), 9500);
  assert.equal(bits(text, 229, 1), 1, 'vendors are a range');
  assert.equal(bits(text, 230, 12), 1, 'of one entry');
  assert.deepEqual([bits(text, 242, 1), bits(text, 243, 16), bits(text, 259, 16)], [1, 1, 9500]);
  assert.deepEqual([bits(disclosed, 0, 3), bits(disclosed, 3, 16)], [1, 9500]);
  assert.deepEqual([bits(disclosed, 33, 16), bits(disclosed, 49, 16)], [1, 9500]);
});

test('a refusal names no purpose and no vendor', () => {
  const text = consentString({ purposes: [], specialFeatures: [], vendorIdMax: 0 });
  assert.equal(bits(text, 140, 36), 0);
  assert.equal(bits(text, 213, 17), 0);
});
