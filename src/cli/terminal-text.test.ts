import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shown, shownLines } from './terminal-text.ts';

test('what a terminal would obey is shown as its code, a line break as well', () => {
  assert.equal(shown('a\u001b[2Jb\u009b\n\u202ec'), 'a\\u{1b}[2Jb\\u{9b}\\u{a}\\u{202e}c');
  assert.equal(shownLines('a\n\tb\u001b'), 'a\n\tb\\u{1b}');
  assert.equal(shown('„Größe“ 日本 👩'), '„Größe“ 日本 👩');
});
