import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { timeOfAuctionId } from '../events/auction-id.ts';
import { createAuctionIds, RANDOM_BYTES } from './auction-id.ts';

const FIRST_MS = Date.UTC(2024, 0, 1);
const LAST_MS = Date.UTC(2100, 0, 1) - 1;

test('an auction id says when it was made, whatever the chance in it', () => {
  const time = fc.integer({ min: FIRST_MS, max: LAST_MS });
  const random = fc.uint8Array({ minLength: RANDOM_BYTES, maxLength: RANDOM_BYTES });
  const property = fc.property(time, random, (timeMs, bytes) => {
    const id = createAuctionIds(
      () => Buffer.from(bytes),
      () => timeMs,
    )();
    assert.match(id, /^[0-9a-f]{32}$/);
    assert.equal(timeOfAuctionId(id), timeMs);
  });
  fc.assert(property);
});

test('ids sort as their times do, and two of one millisecond differ', () => {
  let timeMs = FIRST_MS;
  const create = createAuctionIds(
    () => randomBytes(RANDOM_BYTES),
    () => timeMs,
  );
  const ids = Array.from({ length: 100 }, () => {
    timeMs += 1;
    return create();
  });
  assert.deepEqual(ids.toSorted(), ids);
  assert.notEqual(create(), create());
});

test('what is no auction id, or has no plausible time, says nothing', () => {
  const wrong = [
    '',
    'auction',
    '0'.repeat(32),
    'f'.repeat(32),
    '0123456789abcdef0123456789abcde',
    '0123456789ABCDEF0123456789ABCDEF',
    '018cc251f400'.padEnd(33, '0'),
  ];
  for (const id of wrong) assert.equal(timeOfAuctionId(id), null, id);
  assert.equal(timeOfAuctionId('018cc251f400'.padEnd(32, '0')), FIRST_MS);
});
