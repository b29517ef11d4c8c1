import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filledIn } from './frame-message.ts';

test('a frame says whether it has an ad', () => {
  assert.equal(filledIn({ rialto: { ad_space: '4004', filled: true, w: 300, h: 250 } }), true);
  assert.equal(filledIn({ rialto: { ad_space: '4004', filled: false } }), false);
});

test('messages of what an ad itself runs say nothing', () => {
  for (const message of [null, 'rialto', 7, {}, { rialto: null }, { rialto: { filled: 'yes' } }]) {
    assert.equal(filledIn(message), null);
  }
});
