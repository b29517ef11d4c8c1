import assert from 'node:assert/strict';
import { test } from 'node:test';

import fc from 'fast-check';

import { clickTarget } from './click-target.ts';
import { runs } from '../../test/support/effort.ts';
import { anyCharacter } from '../../test/support/any-character.ts';

test('an ordinary address stays as the bidder wrote it', () => {
  for (const url of [
    'https://shop.example',
    'http://shop.example/a?b=%20c&d=${X}#e',
    'https://shop.example/a//b/../c?u=https%3A%2F%2Fx.example',
  ]) {
    assert.equal(clickTarget(url), url);
  }
});

test('what is no address on the web leads nowhere', () => {
  for (const url of [
    '',
    'shop.example',
    '//shop.example',
    '/path',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'market://details?id=1',
    'https://',
    `https://shop.example/${'x'.repeat(2048)}`,
  ]) {
    assert.equal(clickTarget(url), null, url);
  }
});

test('no text leads to a header that could be split', () => {
  const text = fc.string({ unit: anyCharacter, maxLength: 40 });
  fc.assert(
    fc.property(text, (tail) => {
      const target = clickTarget(`https://shop.example/${tail}`);
      assert.ok(target !== null);
      assert.match(target, /^https:\/\/shop\.example\/[\x21-\x7e]*$/);
    }),
    { numRuns: runs(100) },
  );
});
