import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';

import fc from 'fast-check';

import { Hmac } from './hmac.ts';

function expectSame(key: Uint8Array, messages: readonly Uint8Array[], messageBytes: number): void {
  const hmac = new Hmac(key, messageBytes);
  for (const message of messages) {
    hmac.message.set(message);
    const expected = createHmac('sha256', key).update(message).digest('hex');
    assert.equal(hmac.digest().toString('hex'), expected);
  }
}

test('every digest is the one of createHmac, whatever the key, the message, and what came before', () => {
  const many = fc.integer({ min: 0, max: 200 }).chain((messageBytes) => {
    const message = fc.uint8Array({ minLength: messageBytes, maxLength: messageBytes });
    return fc.record({
      messageBytes: fc.constant(messageBytes),
      messages: fc.array(message, { minLength: 1, maxLength: 4 }),
      key: fc.uint8Array({ maxLength: 200 }),
    });
  });
  fc.assert(
    fc.property(many, ({ key, messages, messageBytes }) => {
      expectSame(key, messages, messageBytes);
    }),
    { numRuns: 1_000 },
  );
});

test('a key of exactly a block, and one byte more or less, is taken as createHmac takes it', () => {
  for (const keyBytes of [0, 1, 31, 32, 33, 63, 64, 65, 128]) {
    expectSame(Buffer.alloc(keyBytes, 0xa5), [Buffer.alloc(32, 1), Buffer.alloc(32, 2)], 32);
  }
});
