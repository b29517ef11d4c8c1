import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants, getPriority, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { stillRunning } from '../test/support/processes.ts';
import { until } from '../test/support/wait.ts';

const TOOL = join(import.meta.dirname, 'build-console.ts');

/** A vite that says who it is, and never comes to an end. */
const ENDLESS = `
require('node:fs').writeFileSync('vite.pid', String(process.pid));
setInterval(() => {}, 1_000);
`;

test('a build in the background gives way to all else, and ends with whoever began it', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'rialto-build-console-'));
  t.after(() => rmSync(root, { recursive: true }));
  for (const [path, text] of Object.entries({
    'console/package.json': '{}',
    'console/node_modules/vite/package.json': '{}',
    'console/node_modules/vite/bin/vite.js': ENDLESS,
  })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const child = spawn(process.execPath, [TOOL, '--background', root], {
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  t.after(() => child.kill('SIGKILL'));
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (said += chunk));
  const exited = once(child, 'exit');
  const vite = await until('vite runs', 20_000, () => {
    const names = readdirSync(join(root, 'console'));
    return (
      names.includes('vite.pid') && Number(readFileSync(join(root, 'console/vite.pid'), 'utf8'))
    );
  });
  // It holds this process's standard error: one that is left would keep the test from ending.
  t.after(() => {
    if (stillRunning(new Set([vite])).length > 0) process.kill(vite, 'SIGKILL');
  });
  assert.equal(getPriority(vite), constants.priority.PRIORITY_LOW);
  if (process.platform === 'linux') {
    const score = readFileSync(`/proc/${vite}/oom_score_adj`, 'utf8');
    assert.equal(score, '1000\n', 'the first to go where memory is short');
  }
  child.stdin.end();
  assert.deepEqual(await exited, [1, null]);
  assert.match(said, /The build was ended\./);
  assert.deepEqual(stillRunning(new Set([vite])), []);
  const left = readdirSync(join(root, 'console')).toSorted();
  assert.deepEqual(left, ['node_modules', 'package.json', 'vite.pid']);
});
