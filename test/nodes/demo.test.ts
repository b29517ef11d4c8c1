import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '../support/wait.ts';

const MAIN = join(import.meta.dirname, '../../src/main.ts');
const PORTS = [
  '--control-port=0',
  '--exchange-port=0',
  '--tracker-port=0',
  '--metrics-port=0',
  '--workers=1',
];

test('the demo prints words alone, logs beside its data, and leaves nothing behind', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'rialto-demo-test-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const demo = spawn(process.execPath, [MAIN, 'demo', '--log-level=info', '--rate=8', ...PORTS], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, TMPDIR: directory, RIALTO_CONSOLE: 'off' },
  });
  t.after(() => demo.kill('SIGKILL'));
  let printed = '';
  for (const stream of [demo.stdout, demo.stderr]) {
    stream.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  }
  await until('the first impression is billed', 60_000, () =>
    printed.includes('★  first impression: '),
  );
  const [own = ''] = readdirSync(directory);
  const log = join(directory, own, 'rialto.log');
  assert.ok(printed.includes(`log          ${log} `));
  assert.match(readFileSync(log, 'utf8'), /^\{.*"msg":"configuration file applied"/m);
  const ended = new Promise((resolve) => {
    demo.once('close', resolve);
  });
  demo.kill('SIGTERM');
  assert.equal(await ended, 0, printed);
  assert.doesNotMatch(printed, /^\s*(?:\{"|at )/m);
  assert.deepEqual(readdirSync(directory), []);
});
