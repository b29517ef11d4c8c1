import assert from 'node:assert/strict';
import { test } from 'node:test';

import fc from 'fast-check';

import { createBeacon } from './fixtures.ts';
import { decodePayload, encodePayload, encodeWin } from './payload.ts';

test('a payload that is cut, or followed by more, is no payload', () => {
  const payload = encodePayload(encodeWin(createBeacon()), 'https://b.example', '');
  for (let length = 0; length < payload.length; length += 1) {
    assert.throws(() => decodePayload('impression', payload.subarray(0, length)), RangeError);
  }
  const longer = Buffer.concat([payload, Buffer.from([0])]);
  assert.throws(() => decodePayload('impression', longer), /bytes after the end/);
});

test('any bytes are read as a payload or refused with a RangeError', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      try {
        const beacon = decodePayload('view', Buffer.from(bytes));
        assert.ok(Number.isSafeInteger(beacon.imp.imp));
      } catch (error) {
        assert.ok(error instanceof RangeError, String(error));
      }
    }),
    { numRuns: 2_000 },
  );
});

test('a text with half a surrogate pair is kept readable', () => {
  const payload = encodePayload(encodeWin(createBeacon()), 'https://b.example/\ud800', '\udfff');
  const { url, winUrl } = decodePayload('impression', payload);
  assert.deepEqual([url, winUrl], ['https://b.example/\ufffd', '\ufffd']);
});
