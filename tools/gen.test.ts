import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

/** Runs gen; returns its exit code and what it printed. */
function gen(...args: string[]): { status: number | null; stdout: string } {
  const tool = join(import.meta.dirname, 'gen.ts');
  const { status, stdout } = spawnSync(process.execPath, [tool, ...args], { encoding: 'utf8' });
  return { status, stdout };
}

test('gen writes what its check then passes, and the check refuses a document edited by hand', () => {
  const root = mkdtempSync(join(tmpdir(), 'rialto-gen-'));
  try {
    assert.equal(gen('--check', root).status, 1);
    assert.equal(gen(root).status, 0);
    assert.deepEqual(gen('--check', root), { status: 0, stdout: '' });
    appendFileSync(join(root, 'docs/reference/errors.md'), 'One more line.\n');
    const { status, stdout } = gen('--check', root);
    assert.equal(status, 1);
    assert.match(stdout, /^docs\/reference\/errors\.md:\d+: .*run "npm run gen"\n$/);
  } finally {
    rmSync(root, { recursive: true });
  }
});

test('gen refuses an option that it does not know', () => {
  assert.notEqual(gen('--chekc').status, 0);
});
