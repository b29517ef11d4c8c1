import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createGrowthTeller } from './tell-growth.ts';

test('the first write is told at once, those that follow a few times a second, and none is kept back', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let told = 0;
  const grow = createGrowthTeller(() => (told += 1));
  grow();
  assert.equal(told, 1);
  grow();
  grow();
  assert.equal(told, 1);
  t.mock.timers.tick(100);
  assert.equal(told, 2);
  t.mock.timers.tick(60_000);
  assert.equal(told, 2);
  grow();
  assert.equal(told, 3);
});
