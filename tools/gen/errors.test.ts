import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERRORS } from '../../src/base/errors.ts';
import { errorsReference } from './errors.ts';

test('every error of the table has one row with its status and message, and there is no other', () => {
  const rows = errorsReference()
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').map((cell) => cell.trim()));
  assert.deepEqual(
    rows.map(([, code, status, message]) => [code, status, message]),
    Object.entries(ERRORS).map(([code, { status, message }]) => [
      `\`${code}\``,
      String(status),
      message,
    ]),
  );
});

test('a bar in a message does not end its cell', () => {
  const page = errorsReference({ odd: { status: 400, message: 'Either a | b.' } });
  assert.match(page, /^\| `odd` \| 400 {4}\| Either a \\\| b\. \|$/m);
});
