import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeDirectory } from './make-directory.ts';

test('a directory is made with those above it, once, for its user alone', (t) => {
  const base = mkdtempSync(join(tmpdir(), 'rialto-make-'));
  t.after(() => rmSync(base, { recursive: true }));
  const path = join(base, 'a', 'b');
  makeDirectory(path);
  makeDirectory(`${path}/`);
  for (const each of [join(base, 'a'), path]) assert.equal(statSync(each).mode & 0o777, 0o700);
  makeDirectory('/');
  writeFileSync(join(base, 'file'), '');
  assert.throws(() => makeDirectory(join(base, 'file')), { code: 'EEXIST' });
  assert.throws(() => makeDirectory(join(base, 'file', 'c')), { code: 'ENOTDIR' });
});

test('where nothing can be made, the reason is told', () => {
  // On macOS, which has no /proc, its root cannot be written.
  assert.throws(() => makeDirectory('/proc/rialto/data'), { code: /^(ENOENT|EROFS)$/ });
});
