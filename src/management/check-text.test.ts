import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { jsonPointer } from '../base/problem.ts';
import { checkText } from './check-text.ts';
import { anyCharacter } from '../../test/support/any-character.ts';

function pointersOf(document: unknown): string[] {
  return checkText(document).map(({ path }) => jsonPointer(...path));
}

test('a text that no store gives back as it came is found wherever it stands', () => {
  const document = { a: ['x', { b: 'half \ud83d' }], c: 'nul \0', '\udc00': 1, 'd/e': '\udc00x' };
  assert.deepEqual(
    pointersOf(document).toSorted(),
    ['/a/1/b', '/c', '/d~1e', '/\udc00'].toSorted(),
  );
  assert.deepEqual(pointersOf('\0'), ['']);
});

test('every text that is well-formed Unicode without U+0000 is let through', () => {
  const sound = fc.string({ unit: anyCharacter }).map((text) => text.replaceAll('\0', ''));
  fc.assert(fc.property(sound, (text) => pointersOf({ [text]: [text] }).length === 0));
});

test('what is nested too deeply or has too many keys or items is found, and not looked into', () => {
  const deep = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
  assert.deepEqual(pointersOf(deep(32)), []);
  assert.equal(pointersOf(deep(33)).length, 1);
  assert.equal(pointersOf(deep(500_000)).length, 1);
  const keys = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, '\0']));
  assert.deepEqual(pointersOf({ a: keys(257) }), ['/a']);
  assert.deepEqual(pointersOf(Array.from({ length: 10_001 }, () => '\0')), ['']);
});

test('no more is said than somebody reads', () => {
  assert.equal(checkText(Array.from({ length: 10_000 }, () => '\0')).length, 20);
});
