import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeFromChild, decodeToChild } from './messages.ts';

test('a message of either direction is taken by that direction alone', () => {
  assert.deepEqual(decodeToChild({ type: 'snapshot' }), { type: 'snapshot' });
  assert.deepEqual(decodeFromChild({ type: 'ready' }), { type: 'ready' });
  assert.throws(() => decodeToChild({ type: 'ready' }), /not a message to a role/);
  assert.throws(() => decodeFromChild({ type: 'snapshot' }), /not a message from a role/);
});

test('what is no message at all is refused', () => {
  for (const message of [null, 'ready', 1, {}, { type: 7 }, { type: 'toString' }]) {
    assert.throws(() => decodeToChild(message), TypeError);
    assert.throws(() => decodeFromChild(message), TypeError);
  }
});
