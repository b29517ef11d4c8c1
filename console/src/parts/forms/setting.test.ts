import assert from 'node:assert/strict';
import test from 'node:test';
import { bodyOf, floorsIn, textsIn, type Setting } from './setting.ts';

const SETTINGS: readonly Setting[] = [
  { key: 'id', label: 'Id', kind: 'text', isFixed: true },
  { key: 'name', label: 'Name', kind: 'text' },
  { key: 'type', label: 'Type', kind: 'text' },
  { key: 'floor', label: 'Floor', kind: 'number', isShown: ({ type }) => type !== 'fixed_price' },
];

const SHOWN = { id: 'd1', name: ' Daily ', type: 'first_price', floor: 2, created_at: 'then' };

test('only what can be changed is sent, without spaces around it', () => {
  assert.deepEqual(bodyOf(SETTINGS, SHOWN), { name: 'Daily', type: 'first_price', floor: 2 });
});

test('a field that was emptied, or makes no sense beside what is typed, is sent as null', () => {
  assert.deepEqual(bodyOf(SETTINGS, { ...SHOWN, name: ' ', type: 'fixed_price' }), {
    name: null,
    type: 'fixed_price',
    floor: null,
  });
});

test('what a list has of another kind is left out', () => {
  assert.deepEqual(textsIn(['a', 1, null]), ['a']);
  assert.deepEqual(textsIn('a'), []);
  assert.deepEqual(floorsIn([{ floor: 1 }, 'x', null]), [{ floor: 1 }]);
});
