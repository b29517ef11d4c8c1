import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { BEACON_NOW_MS as NOW_MS, createKeyRing } from './fixtures.ts';
import { openMarkup, sealedLength, sealMarkup } from './sealed-markup.ts';

const ring = createKeyRing();

function seal(content: Uint8Array, expiresMs = NOW_MS + 1): string {
  return sealMarkup(content, expiresMs, ring, randomBytes(12));
}

test('what was sealed comes back as it was, and is as long as was said', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (content) => {
      const sealed = seal(content);
      assert.match(sealed, /^[\w-]+$/);
      assert.ok(sealed.length <= sealedLength(content.length));
      assert.deepEqual(openMarkup(sealed, ring, NOW_MS), Buffer.from(content));
    }),
  );
});

test('a flipped bit, another key or a late call opens nothing', () => {
  const sealed = Buffer.from(seal(Buffer.from('<VAST/>')), 'base64url');
  for (let bit = 0; bit < sealed.length * 8; bit += 1) {
    const flipped = Buffer.from(sealed);
    flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    assert.equal(openMarkup(flipped.toString('base64url'), ring, NOW_MS), null, `bit ${bit}`);
  }
  const text = sealed.toString('base64url');
  const secret = randomBytes(32);
  const current = { ...ring.current, secret };
  const other = { current, byId: new Map([[current.id, current]]) };
  assert.equal(openMarkup(text, other, NOW_MS), null);
  assert.equal(openMarkup(text, { ...ring, byId: new Map() }, NOW_MS), null);
  assert.equal(openMarkup(text, ring, NOW_MS + 1), null);
});

test('no text at all makes it throw', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      assert.equal(openMarkup(text, ring, NOW_MS), null);
    }),
  );
});
