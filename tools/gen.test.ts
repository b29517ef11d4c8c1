import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gen } from './gen.ts';

test('gen writes what its check then passes, and the check refuses a document edited by hand', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'rialto-gen-'));
  t.after(() => rmSync(root, { recursive: true }));
  const lines: string[] = [];
  t.mock.method(console, 'log', (line: string) => lines.push(line));
  assert.equal(await gen(['--check', root]), 1);
  assert.equal(await gen([root]), 0);
  lines.length = 0;
  assert.equal(await gen(['--check', root]), 0);
  assert.deepEqual(lines, []);
  appendFileSync(join(root, 'docs/reference/errors.md'), 'One more line.\n');
  assert.equal(await gen(['--check', root]), 1);
  assert.equal(lines.length, 1);
  assert.match(lines.join(), /^docs\/reference\/errors\.md:\d+: .*run "npm run gen"$/);
});

test('gen refuses an option that it does not know', async () => {
  await assert.rejects(gen(['--chekc']), /Unknown option '--chekc'/);
});
