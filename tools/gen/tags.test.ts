import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TAG_PARAMETERS } from '../../src/edge/tag-parameters.ts';
import { tagsReference } from './tags.ts';

test('every parameter has one row with what is right, and there is no other', () => {
  const rows = tagsReference()
    .split('\n')
    .filter((line) => /^\| `[a-z_]+` +\|/.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim()));
  assert.deepEqual(
    rows.map(([, name, right, , meaning]) => [name, right, meaning]),
    TAG_PARAMETERS.map(({ name, type, meaning }) => [`\`${name}\``, type.right, meaning]),
  );
});

test('a place in the request is written as OpenRTB writes it', () => {
  assert.match(tagsReference(), /\| `w` .*\| `imp\.banner\.w`, `imp\.video\.w` +\|/);
  assert.match(tagsReference(), /\| `consent` .*\| `user\.ext\.consent` +\|/);
});
