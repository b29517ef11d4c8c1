import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { wellFormedJson } from './well-formed-json.ts';

test('half a surrogate pair becomes the replacement character, whole pairs and their escapes stay', () => {
  const texts = ['a\ud800', '\udc00b', '\ud83d\ude00', String.raw`\ud800`, 'plain'];
  assert.deepEqual(JSON.parse(wellFormedJson({ texts })), {
    texts: ['a\ufffd', '\ufffdb', '\ud83d\ude00', String.raw`\ud800`, 'plain'],
  });
});

test('whatever the texts are, what is written is well-formed, and well-formed texts are kept', () => {
  const text = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 12 });
  fc.assert(
    fc.property(fc.array(text), (codes) => {
      const texts = codes.map((each) => String.fromCharCode(...each));
      const written = wellFormedJson(texts);
      assert.ok(written.isWellFormed());
      assert.deepEqual(
        JSON.parse(written),
        texts.map((each) => each.toWellFormed()),
      );
    }),
  );
});
