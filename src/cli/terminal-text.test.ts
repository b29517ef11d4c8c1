import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { shown, showJson, shownLines } from './terminal-text.ts';

test('what a terminal would obey is shown as its code, a line break as well', () => {
  assert.equal(shown('a\u001b[2Jb\u009b\n\u202ec'), 'a\\u{1b}[2Jb\\u{9b}\\u{a}\\u{202e}c');
  assert.equal(shownLines('a\n\tb\u001b'), 'a\n\tb\\u{1b}');
  assert.equal(shown('„Größe“ 日本 👩'), '„Größe“ 日本 👩');
});

test('JSON for a terminal is the same value, with nothing in it that a terminal would obey', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
      const text = showJson(value);
      assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)));
      assert.doesNotMatch(text.replaceAll('\n', ''), /\p{C}/u);
    }),
  );
});
