import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeLossReason, LOSS_REASONS, LossReason } from './loss-reason.ts';

test('the loss reasons are the codes of OpenRTB 2.5', () => {
  const codes = Object.values(LossReason).sort((a, b) => a - b);
  const expected = [
    ...Array.from({ length: 11 }, (_, index) => index),
    ...Array.from({ length: 5 }, (_, index) => 100 + index),
    ...Array.from({ length: 14 }, (_, index) => 200 + index),
  ];
  assert.deepEqual(codes, expected);
});

test('every loss reason has a sentence of its own', () => {
  const sentences = Object.values(LossReason).map(describeLossReason);
  assert.equal(new Set(sentences).size, Object.keys(LOSS_REASONS).length);
  for (const sentence of sentences) assert.match(sentence, /^[A-Z].*\.$/);
});

test('a code that is no loss reason says so', () => {
  assert.equal(describeLossReason(999), 'Loss reason 999 is not one that this exchange gives.');
  assert.match(describeLossReason(Number.NaN), /not one/);
});
