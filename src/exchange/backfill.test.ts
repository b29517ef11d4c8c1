import assert from 'node:assert/strict';
import { test } from 'node:test';
import { backfillOf } from './backfill.ts';
import { anAdSpace } from './fixtures.ts';

test('backfill is what the ad space has for the format, and nothing otherwise', () => {
  const backfill = { banner: '<p>House ad</p>', video: null, native: '{}' };
  const space = { adSpace: anAdSpace({ backfill }) };
  assert.equal(backfillOf(space, 'banner'), '<p>House ad</p>');
  assert.equal(backfillOf(space, 'video'), null);
  assert.equal(backfillOf(space, 'native'), '{}');
  assert.equal(backfillOf({ adSpace: anAdSpace() }, 'banner'), null);
});
