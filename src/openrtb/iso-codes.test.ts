import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ALPHA_2_LANGUAGES, ALPHA_3_COUNTRIES, patternOf } from './iso-codes.ts';

test('the lists hold codes of their form, sorted, none twice', () => {
  assert.equal(ALPHA_3_COUNTRIES.size, 250);
  assert.equal(ALPHA_2_LANGUAGES.size, 183);
  for (const [list, form] of [
    [ALPHA_3_COUNTRIES, /^[A-Z]{3}$/],
    [ALPHA_2_LANGUAGES, /^[a-z]{2}$/],
  ] as const) {
    const codes = [...list];
    assert.deepEqual(codes.toSorted(), codes);
    for (const code of codes) assert.match(code, form);
  }
});

test('the languages are those that the runtime has a name for', () => {
  const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
  const nameless = [...ALPHA_2_LANGUAGES].filter((code) => names.of(code) === undefined);
  assert.deepEqual(nameless, []);
});

test('a pattern takes the codes and nothing beside them', () => {
  const pattern = new RegExp(patternOf(ALPHA_3_COUNTRIES));
  for (const code of ALPHA_3_COUNTRIES) assert.match(code, pattern);
  for (const text of ['', 'US', 'usa', 'USAA', 'XXX', 'AUSA', 'USA\n']) {
    assert.doesNotMatch(text, pattern);
  }
});
