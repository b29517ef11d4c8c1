import assert from 'node:assert/strict';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { CommandError } from '../base/errors.ts';
import { followFile, readOperatorFile } from './operator-file.ts';

const INTERVAL_MS = 10;

interface Followed {
  readonly path: string;
  /** All that was taken so far. */
  readonly taken: string[];
  readonly log: string[];
  /** Puts a file in the place of the former one, as tools that update it do. */
  readonly replace: (text: string) => void;
  /** Waits until something is true of what was taken and logged. */
  readonly until: (holds: () => boolean) => Promise<void>;
}

async function follow(t: TestContext, first: string | null): Promise<Followed> {
  const directory = mkdtempSync(join(tmpdir(), 'rialto-follow-'));
  const path = join(directory, 'list.txt');
  if (first !== null) writeFileSync(path, first);
  const taken: string[] = [];
  const log: string[] = [];
  const load = async (file: string): Promise<string> => {
    const text = (await readOperatorFile('list', file, 100)).toString();
    if (text.startsWith('bad')) throw new CommandError(`list ${file} is bad`);
    return text;
  };
  const logger = pino({}, { write: (line: string) => void log.push(line) });
  const take = (text: string): void => void taken.push(text);
  const end = await followFile({ path, load, take, intervalMs: INTERVAL_MS, logger });
  t.after(() => {
    end();
    rmSync(directory, { recursive: true });
  });
  return {
    path,
    taken,
    log,
    replace: (text) => {
      writeFileSync(`${path}.new`, text);
      renameSync(`${path}.new`, path);
    },
    until: async (holds) => {
      for (let tries = 0; tries < 1_000 && !holds(); tries += 1) await delay(INTERVAL_MS);
      assert.ok(holds(), JSON.stringify({ taken, log }));
    },
  };
}

test('a file is taken at start, and again when another takes its place or it is written anew', async (t) => {
  const { path, taken, replace, until } = await follow(t, 'one');
  assert.deepEqual(taken, ['one']);
  replace('two, longer');
  await until(() => taken.includes('two, longer'));
  writeFileSync(path, 'three');
  await until(() => taken.includes('three'));
});

test('a file that is unsound, gone or too large is told to the log, and what was taken stays', async (t) => {
  const { path, taken, log, replace, until } = await follow(t, 'one');
  const refusals = (): number => log.filter((line) => line.includes('was refused')).length;
  replace('bad file');
  await until(() => refusals() === 1);
  assert.match(log.join(''), /list \S+ is bad/);
  rmSync(path);
  await until(() => refusals() === 2);
  replace('x'.repeat(101));
  await until(() => refusals() === 3);
  assert.deepEqual(taken, ['one']);
  replace('sound again');
  await until(() => taken.includes('sound again'));
});

test('a start without the file goes on, and takes it when it comes', async (t) => {
  const { taken, log, replace, until } = await follow(t, null);
  assert.equal(taken.length, 0);
  assert.match(log.join(''), /cannot be read: ENOENT/);
  replace('late');
  await until(() => taken.includes('late'));
});
