import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { pino } from 'pino';
import { startOf } from '../base/process-start.ts';
import { ChildRegister, endOrphans } from './orphans.ts';

const logger = pino({ level: 'silent' });

function directoryOf(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'rialto-orphans-'));
  t.after(() => rmSync(directory, { recursive: true }));
  return directory;
}

/** A process that does nothing, and its id. */
function idle(t: TestContext) {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  t.after(() => child.kill('SIGKILL'));
  assert.ok(child.pid !== undefined);
  return { child, pid: child.pid };
}

test('processes are known by when they started, as long as they run', async (t) => {
  const directory = directoryOf(t);
  const path = join(directory, 'processes.json');
  const { child, pid } = idle(t);
  const register = new ChildRegister(directory, logger);
  register.add(pid);
  const start = startOf(pid);
  assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')), [{ pid, start }]);
  assert.notEqual(startOf(process.pid), start);
  child.kill('SIGKILL');
  await once(child, 'exit');
  assert.equal(startOf(pid), null);
  register.remove(pid);
  assert.equal(existsSync(path), false);
});

test('one that does not end by itself is killed and waited for, also when it is stopped', async (t) => {
  const directory = directoryOf(t);
  const { child, pid } = idle(t);
  new ChildRegister(directory, logger).add(pid);
  child.kill('SIGSTOP');
  await endOrphans(directory, logger, 50);
  assert.equal(startOf(pid), null);
});

test('another process with the id of one that has ended is left alone', async (t) => {
  const directory = directoryOf(t);
  const { pid } = idle(t);
  const text = JSON.stringify([{ pid, start: 'another time' }]);
  writeFileSync(join(directory, 'processes.json'), text);
  await endOrphans(directory, logger);
  assert.notEqual(startOf(pid), null);
});

test('a list that is damaged, or cannot be written, is no reason not to start', async (t) => {
  const directory = directoryOf(t);
  writeFileSync(join(directory, 'processes.json'), '[{"pid":-1');
  await endOrphans(directory, logger);
  new ChildRegister(join(directory, 'missing'), logger).add(process.pid);
});
