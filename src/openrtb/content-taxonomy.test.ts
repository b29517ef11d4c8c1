import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  belongsToCategory,
  CONTENT_CATEGORIES,
  nameOfCategory,
  parentOfCategory,
} from './content-taxonomy.ts';

/** How many codes stand below IAB1 to IAB26. */
const BELOW = [
  7, 23, 12, 11, 15, 9, 45, 18, 31, 9, 5, 3, 12, 8, 10, 7, 44, 6, 36, 27, 3, 4, 10, 0, 7, 4,
];

test('the taxonomy has its 26 categories and 366 codes below them, none twice and none without a name', () => {
  const expected = BELOW.flatMap((count, index) => [
    `IAB${index + 1}`,
    ...Array.from({ length: count }, (_, number) => `IAB${index + 1}-${number + 1}`),
  ]);
  assert.deepEqual([...CONTENT_CATEGORIES.keys()], expected);
  assert.equal(expected.length, 392);
  for (const [code, name] of CONTENT_CATEGORIES) assert.match(name, /^\S[^;:\n]*\S$/, code);
});

test('codes have the names of the taxonomy', () => {
  const names = {
    IAB1: 'Arts & Entertainment',
    'IAB1-7': 'Television',
    'IAB7-39': 'Sexuality',
    'IAB8-18': 'Wine',
    'IAB9-9': 'Cigars',
    IAB11: 'Law, Government & Politics',
    'IAB17-44': 'World Soccer',
    'IAB19-28': 'Portable',
    'IAB20-27': 'United Kingdom',
    IAB24: 'Uncategorized',
    'IAB25-3': 'Pornography',
    'IAB26-4': 'Copyright Infringement',
  };
  for (const [code, name] of Object.entries(names)) assert.equal(nameOfCategory(code), name);
  for (const code of ['', 'IAB0', 'IAB27', 'IAB24-1', 'iab1', 'IAB1-', 'toString']) {
    assert.equal(nameOfCategory(code), undefined);
  }
});

test('a code belongs to itself and to what it stands below, and to nothing else', () => {
  assert.equal(parentOfCategory('IAB7-39'), 'IAB7');
  assert.equal(parentOfCategory('IAB7'), undefined);
  assert.ok(belongsToCategory('IAB7-39', 'IAB7'));
  assert.ok(belongsToCategory('IAB7-39', 'IAB7-39'));
  assert.ok(!belongsToCategory('IAB7', 'IAB7-39'));
  assert.ok(!belongsToCategory('IAB7-39', 'IAB7-3'));
  assert.ok(!belongsToCategory('IAB17-3', 'IAB1'));
  for (const code of CONTENT_CATEGORIES.keys()) {
    const parent = parentOfCategory(code);
    assert.ok(parent === undefined || CONTENT_CATEGORIES.has(parent), code);
  }
});
