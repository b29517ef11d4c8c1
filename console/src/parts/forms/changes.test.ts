import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differences, patchOf, rebased, same } from './changes.ts';

test('a patch has the changed keys alone', () => {
  const before = { name: 'Box', floor: 0.3, floors: [{ floor: 1 }] };
  assert.deepEqual(patchOf(before, { ...before, floor: 0.5 }), { floor: 0.5 });
  assert.deepEqual(patchOf(before, { ...before, floors: [] }), { floors: [] });
  assert.deepEqual(patchOf(before, { ...before }), {});
});

test('a patch takes away by null what is gone or undefined, inside of objects too', () => {
  const before = { video: { w: 640, h: 360, minduration: 5 } };
  assert.deepEqual(patchOf(before, { video: { w: 640, h: 480, minduration: undefined } }), {
    video: { h: 480, minduration: null },
  });
  assert.deepEqual(patchOf(before, { video: null }), { video: null });
});

test('an object in place of nothing goes as a whole', () => {
  assert.deepEqual(patchOf({ banner: null }, { banner: { sizes: ['1x1'] } }), {
    banner: { sizes: ['1x1'] },
  });
});

test('the order of keys is no change', () => {
  assert.equal(same({ a: 1, b: [{ c: 2, d: 3 }] }, { b: [{ d: 3, c: 2 }], a: 1 }), true);
  assert.equal(same({ a: 1 }, { a: 1, b: null }), false);
  assert.equal(same([1, 2], [2, 1]), false);
});

test('what was typed stays where somebody else has saved something', () => {
  const before = { name: 'Box', floor: 0.3, status: 'ACTIVE' };
  const mine = { ...before, floor: 0.5 };
  const theirs = { name: 'Front box', floor: 0.4, status: 'ACTIVE' };
  assert.deepEqual(rebased(before, mine, theirs), {
    name: 'Front box',
    floor: 0.5,
    status: 'ACTIVE',
  });
  assert.deepEqual(differences(before, mine, theirs), [
    { key: 'name', theirs: 'Front box', mine: 'Front box' },
    { key: 'floor', theirs: 0.4, mine: 0.5 },
  ]);
});
