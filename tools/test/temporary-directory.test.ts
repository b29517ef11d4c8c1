import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { makeTemporaryDirectory } from './temporary-directory.ts';

function ownDirectory(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'rialto-memory-'));
  t.after(() => rmSync(path, { recursive: true }));
  return path;
}

test('a run has a directory of its own, which goes with all that is in it', (t) => {
  const parent = ownDirectory(t);
  const { path, remove } = makeTemporaryDirectory(parent);
  mkdirSync(join(path, 'left'));
  writeFileSync(join(path, 'left/file'), 'x');
  remove();
  assert.ok(!existsSync(path));
});

test('where there is no file system in memory, files are kept in the temporary directory', (t) => {
  const { path, remove } = makeTemporaryDirectory(join(ownDirectory(t), 'missing'));
  t.after(remove);
  assert.equal(dirname(path), tmpdir());
});

test('what a killed run has left is removed, what a running one has is not', (t) => {
  const parent = ownDirectory(t);
  const { pid: ended } = spawnSync(process.execPath, ['--version']);
  const abandoned = join(parent, `rialto-tests-${ended}-abcdef`);
  const running = join(parent, `rialto-tests-${process.ppid}-abcdef`);
  const foreign = join(parent, 'something-else');
  for (const path of [abandoned, running, foreign]) mkdirSync(path);
  const { remove } = makeTemporaryDirectory(parent);
  t.after(remove);
  assert.deepEqual([abandoned, running, foreign].map(existsSync), [false, true, true]);
});
