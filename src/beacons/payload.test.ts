import assert from 'node:assert/strict';
import { test } from 'node:test';

import fc from 'fast-check';

import { createSealedWin, createWonImp } from './fixtures.ts';
import { decodePayload, encodePayload, PAYLOAD_BYTES_MAX } from './payload.ts';

test('a payload that is cut, or followed by more, is no payload', () => {
  const payload = encodePayload(createSealedWin());
  for (let length = 0; length < payload.length; length += 1) {
    assert.throws(() => decodePayload(payload.subarray(0, length)), RangeError);
  }
  const longer = Buffer.concat([payload, Buffer.from([0])]);
  assert.throws(() => decodePayload(longer), /bytes after the end/);
});

test('any bytes are read as a payload or refused with a RangeError', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      try {
        const { imp } = decodePayload(Buffer.from(bytes));
        assert.ok(Number.isSafeInteger(imp.imp));
      } catch (error) {
        assert.ok(error instanceof RangeError, String(error));
      }
    }),
    { numRuns: 2_000 },
  );
});

test('a text of any length and script comes back, at any place', () => {
  const unit = fc.constantFrom('a', '\x00', '\x7f', '\x80', 'é', '語', '😀');
  const text = fc.array(unit, { maxLength: 140 }).map((units) => units.join(''));
  fc.assert(
    fc.property(text, text, text, (dealid, os, burl) => {
      const win = createSealedWin({ burl, imp: createWonImp({ dealid, os }) });
      assert.deepEqual(decodePayload(encodePayload(win)), win);
    }),
    { numRuns: 500 },
  );
});

test('a payload takes all the room that there is, and not a byte more, whatever stands last', () => {
  for (const clickUrl of ['', 'short', 'é', 'x'.repeat(200)]) {
    const withOs = (length: number) =>
      createSealedWin({ clickUrl, imp: createWonImp({ os: 'x'.repeat(length) }) });
    // A text of a thousand bytes has two for its length, as those of the longest payload have.
    const others = encodePayload(withOs(1_000)).length - 1_000;
    const longest = encodePayload(withOs(PAYLOAD_BYTES_MAX - others));
    assert.equal(longest.length, PAYLOAD_BYTES_MAX);
    assert.deepEqual(decodePayload(longest), withOs(PAYLOAD_BYTES_MAX - others));
    assert.throws(() => encodePayload(withOs(PAYLOAD_BYTES_MAX - others + 1)), /more than 6144/);
    assert.throws(() => encodePayload(withOs(PAYLOAD_BYTES_MAX)), /more than 6144/);
  }
});

test('a win that could not be encoded leaves nothing behind in the next one', () => {
  const win = createSealedWin();
  const expected = encodePayload(win).toString('hex');
  assert.throws(() => encodePayload({ ...win, imp: createWonImp({ payout_micros: -1 }) }));
  assert.equal(encodePayload(win).toString('hex'), expected);
});

test('a text with half a surrogate pair is kept readable', () => {
  const halves = { burl: 'https://b.example/\ud800', nurl: '\udfff' };
  const { burl, nurl } = decodePayload(encodePayload(createSealedWin(halves)));
  assert.deepEqual([burl, nurl], ['https://b.example/\ufffd', '\ufffd']);
});
