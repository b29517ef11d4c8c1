import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseJson } from './json.ts';

const nested = (levels: number, open: string, close: string, inside = ''): string =>
  open.repeat(levels) + inside + close.repeat(levels);

test('JSON of 64 levels is read, and of 65 refused, whatever they are levels of', () => {
  for (const [open, close, inside] of [
    ['[', ']', ''],
    ['{"a":', '}', '1'],
    ['[{"\\"\\\\":', '}]', '"["'],
  ] as const) {
    const levels = 64 / (open.length > 5 ? 2 : 1);
    assert.doesNotThrow(() => parseJson(nested(levels, open, close, inside)), open);
    assert.throws(() => parseJson(`[${nested(levels, open, close, inside)}]`), {
      name: 'SyntaxError',
      message: 'JSON may be nested 64 levels deep, not deeper',
    });
  }
});

test('brackets in texts, and many beside one another, are no levels', () => {
  const texts = ['[{'.repeat(200), '\\"[['.repeat(200), '\\'.repeat(99), '"]'.repeat(99)];
  for (const text of texts) {
    assert.deepEqual(parseJson(JSON.stringify({ [text]: [text] })), { [text]: [text] });
  }
  const flat = Array.from({ length: 500 }, () => [{}]);
  assert.deepEqual(parseJson(JSON.stringify(flat)), flat);
});

test('a million levels are refused before anything is parsed, and malformed JSON stays malformed', () => {
  for (const text of ['['.repeat(1_000_000), '{"a":'.repeat(1_000_000)]) {
    assert.throws(() => parseJson(text), /not deeper/);
  }
  for (const text of ['', '"', '"\\', ']]]]', '{"a":"\\"}', 'nul']) {
    assert.throws(() => parseJson(text), SyntaxError);
  }
});

test('whatever JSON there is within the limit is read as JSON.parse reads it', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 8 }), (text) => {
      assert.deepEqual(parseJson(text), JSON.parse(text));
    }),
  );
});
