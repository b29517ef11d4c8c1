import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTargeting } from './read-targeting.ts';

const WHOLE = {
  geo: {
    countries: { identifiers: [{ code: 'DE' }], is_whitelist: true },
    is_geo_data_required: true,
  },
  app_bundles: { identifiers: [{ code: '123' }], is_whitelist: false },
  secure: false,
};

test('a targeting is read as it was written, also from JSON', () => {
  assert.deepEqual(readTargeting(WHOLE), WHOLE);
  assert.deepEqual(readTargeting(JSON.stringify(WHOLE)), WHOLE);
});

test('what is no targeting is left out, and nothing stands for none', () => {
  const bad = { a: 1, sizes: ['x'], os: { identifiers: [1, {}], is_whitelist: true }, secure: 1 };
  assert.deepEqual(readTargeting(bad), {});
  for (const none of [undefined, '', '{', '[]', 7, null]) {
    assert.equal(readTargeting(none), undefined);
  }
});
