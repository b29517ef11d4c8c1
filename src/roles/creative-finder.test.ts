import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RialtoError } from '../base/errors.ts';
import { openTestStore } from '../../test/support/configuration-store.ts';
import { createCreativeFinder } from './creative-finder.ts';

const closed = (): never => {
  throw new RialtoError('analytics_unavailable');
};

test('creatives cannot be found before the analytics store is open', async (t) => {
  const { db } = await openTestStore(t);
  const find = createCreativeFinder(db, closed);
  await assert.rejects(find({}, { limit: 1, offset: 0 }), { code: 'analytics_unavailable' });
});
