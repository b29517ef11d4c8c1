import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { CommandError } from '../base/errors.ts';
import { lockDataDirectory } from './data-lock.ts';

const base = mkdtempSync(join(tmpdir(), 'rialto-lock-'));
after(() => rmSync(base, { recursive: true }));

const HOLDER = `
  const { lockDataDirectory } = await import(process.argv[1]);
  const { predecessorCrashed } = lockDataDirectory(process.argv[2]);
  // Nothing of the lock is kept here: it must not go with the garbage.
  globalThis.gc();
  console.log(predecessorCrashed);
  setInterval(() => {}, 1000);
`;

/** A process that holds the directory's lock until it is killed. */
async function holder(directory: string) {
  const module = new URL('./data-lock.ts', import.meta.url).href;
  const child = spawn(
    process.execPath,
    ['--expose-gc', '--input-type=module', '-e', HOLDER, module, directory],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const [said] = await once(child.stdout, 'data');
  return {
    pid: child.pid,
    predecessorCrashed: String(said).trim() === 'true',
    kill: async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

test('the data directory is made for its user alone and names who holds it', () => {
  const directory = join(base, 'new', 'data');
  const lock = lockDataDirectory(directory);
  assert.equal(statSync(directory).mode & 0o777, 0o700);
  assert.equal(readFileSync(join(directory, 'supervisor.pid'), 'utf8'), `${process.pid}\n`);
  assert.equal(lock.predecessorCrashed, false);
  lock.release();
  assert.equal(existsSync(join(directory, 'supervisor.pid')), false);
});

test('a directory that another process holds is refused with its process id', async (t) => {
  const directory = join(base, 'held');
  const other = await holder(directory);
  t.after(() => other.kill());
  assert.throws(
    () => lockDataDirectory(directory),
    new CommandError(
      `The data directory ${directory} is in use by process ${other.pid}; stop it or choose another with --data (RIALTO_DATA).`,
    ),
  );
});

test('the lock goes with its process, however that ends, and the next one knows of the crash', async () => {
  const directory = join(base, 'crashed');
  const first = await holder(directory);
  assert.equal(first.predecessorCrashed, false);
  await first.kill();
  const lock = lockDataDirectory(directory);
  assert.equal(lock.predecessorCrashed, true);
  lock.release();
  const next = lockDataDirectory(directory);
  assert.equal(next.predecessorCrashed, false);
  next.release();
});

test('what is no directory is refused in one line', () => {
  const path = join(base, 'file');
  writeFileSync(path, '');
  assert.throws(
    () => lockDataDirectory(path),
    (error) => {
      assert.ok(error instanceof CommandError);
      assert.match(
        error.message,
        /^The data directory .*file cannot be used \(.*\); choose .*--data/,
      );
      assert.doesNotMatch(error.message, /\n/);
      return true;
    },
  );
});

test('an existing directory keeps its mode', () => {
  const directory = mkdtempSync(join(base, 'kept-'));
  chmodSync(directory, 0o750);
  lockDataDirectory(directory).release();
  assert.equal(statSync(directory).mode & 0o777, 0o750);
});
