import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listedValues, meaningOf } from './enumerated-list.ts';
import { INDUSTRY_LISTS, LISTS } from './lists.ts';

/** The lists of the spec's section 2.22 with their lowest and highest value; none has a gap. */
const SPEC: readonly (readonly [section: string, first: number, last: number])[] = [
  ['5.2', 1, 4],
  ['5.3', 1, 16],
  ['5.4', 0, 7],
  ['5.5', 1, 5],
  ['5.6', 1, 7],
  ['5.7', 1, 2],
  ['5.8', 1, 6],
  ['5.9', 1, 5],
  ['5.10', 1, 4],
  ['5.12', -2, 0],
  ['5.13', 0, 3],
  ['5.14', 1, 3],
  ['5.15', 1, 2],
  ['5.17', 1, 3],
  ['5.18', 1, 7],
  ['5.20', 1, 3],
  ['5.21', 1, 7],
  ['5.22', 0, 6],
  ['5.23', 1, 3],
  ['5.24', 0, 8],
];

test('every list of the spec is there, in its order, with all of its values', () => {
  const found = LISTS.map((list) => [list.section, listedValues(list)]);
  const expected = SPEC.map(([section, first, last]) => [
    section,
    Array.from({ length: last - first + 1 }, (_, index) => first + index),
  ]);
  assert.deepEqual(found, expected);
});

test('the lists that the spec leaves open have the values of the industry', () => {
  const found = INDUSTRY_LISTS.map((list) => `${list.section}: ${listedValues(list).join(' ')}`);
  assert.deepEqual(found, [
    'OpenRTB 5.11: 1 2 3',
    'OpenRTB 5.16: 1 2 3',
    'OpenRTB 5.17: 0 1 2 3 4',
    'native 7.1: 1 2 3',
    'native 7.2: 10 11 12 13 14 15 20 21 22 30 31 32',
    'native 7.3: 1 2 3 4',
    'native 7.4: 1 2 3 4 5 6 7 8 9 10 11 12',
    'native 7.5: 1 3',
    'AdCOM Plcmt Subtypes - Video: 1 2 3 4',
    'OpenRTB 2.6, 3.2.4: 0 1 2 3',
    'OpenRTB 2.6, 4.2.3: 1 2 3 4',
    'AdCOM Category Taxonomies: 1 2 3 4 5 6 7 8 9',
    'AdCOM Slot Position in Pod: -1 0 1 2',
    'AdCOM Pod Sequence: -1 0 1',
    'AdCOM User-Agent Source: 0 1 2 3',
    'AdCOM ID Match Methods: 0 1 2 3 4 5',
    'AdCOM Auto Refresh Triggers: 0 1 2 3',
  ]);
});

test('every value of a list has a meaning of its own', () => {
  for (const list of [...LISTS, ...INDUSTRY_LISTS]) {
    const meanings = listedValues(list).map((value) => meaningOf(list, value));
    assert.ok(meanings.every((meaning) => meaning !== undefined && meaning !== ''));
    assert.equal(new Set(meanings).size, meanings.length, list.section);
    assert.equal(meaningOf(list, 999), undefined);
  }
});
