import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { CommandError } from '../base/errors.ts';
import { changeConfiguration } from '../configuration/change.ts';
import { compileSnapshot } from '../configuration/compile.ts';
import { planLineItem } from '../configuration/resources/line-item.ts';
import type { Database } from '../configuration/schema.ts';
import { readVersion } from '../configuration/version.ts';
import { encodeInSlices } from '../snapshot/wire.ts';
import { cpuTimer } from '../../test/support/cpu.ts';
import { countOf, largeFile, type LargeFile } from '../../test/support/large-file.ts';
import { loopHoldOf } from '../../test/support/loop-hold.ts';
import { openConfigurationStore } from './configuration-store.ts';
import { checkInThread, FileThreads } from './file-threads.ts';

const ACTOR = { name: 'somebody', userId: null, clientId: null };
/** Six thousand resources: enough for what grows with them to be seen beside what does not. */
const SIZE: LargeFile = { partners: 5, lineItems: 400, publishers: 20, apps: 10, adSpaces: 19 };
/** What anybody may have to wait for control, in CPU of its thread. */
const HOLD_MAX_MS = 50;

async function open(
  t: TestContext,
): Promise<{ db: Kysely<Database>; files: FileThreads; directory: string }> {
  const directory = await mkdtemp(join(tmpdir(), 'rialto-files-'));
  t.after(() => rm(directory, { recursive: true }));
  const place = { dataDirectory: directory, databaseUrl: null };
  const db = await openConfigurationStore(place);
  t.after(() => db.destroy());
  const files = new FileThreads(place);
  return { db, files, directory };
}

test('work on the thread of the event loop is seen to hold it', async () => {
  const { longestMs } = await loopHoldOf(async () => {
    const cpuMs = cpuTimer();
    while (cpuMs() < HOLD_MAX_MS) JSON.stringify(SIZE);
  });
  assert.ok(longestMs >= HOLD_MAX_MS);
});

test('a large file is applied, compared and compiled without holding the event loop', async (t) => {
  const { db, files } = await open(t);
  const answers: string[] = [];
  const apply = async (size: LargeFile, dryRun = false): Promise<void> => {
    const answer = await files.apply({ text: largeFile(size), actor: ACTOR, dryRun });
    if (!answer.ok) assert.fail(JSON.stringify(answer.problems));
    answers.push(answer.json);
  };
  const compile = async (): Promise<void> => {
    const { version, entities } = await compileSnapshot(db, () => nextTurn());
    await encodeInSlices(version, entities, () => nextTurn());
  };
  const input = { id: 1, name: 'Changed' };
  const change = () =>
    changeConfiguration(
      db,
      { actor: ACTOR, nowMs: 1 },
      {
        plan: (plan) => planLineItem(plan, { path: [], input, unsound: new Set() }, 10_000),
        read: () => Promise.resolve(null),
      },
    );
  for (const [what, work] of [
    ['a first file', () => apply(SIZE)],
    ['a snapshot of it', compile],
    ['the same file', () => apply(SIZE)],
    ['a trial of changes', () => apply({ ...SIZE, changed: 100 }, true)],
    ['changes', () => apply({ ...SIZE, changed: 100 })],
    ['one change', change],
    ['an export', () => files.export()],
  ] as const) {
    const { longestMs } = await loopHoldOf(work);
    assert.ok(longestMs < HOLD_MAX_MS, `${what} held the loop for ${longestMs} ms of CPU`);
  }
  const counts = answers.map((json) => {
    const { created, updated, unchanged } = JSON.parse(json);
    return [created, updated, unchanged];
  });
  const count = countOf(SIZE);
  assert.deepEqual(counts, [
    [count, 0, 0],
    [0, 0, count],
    [0, 500, count - 500],
    [0, 500, count - 500],
  ]);
});

test('files that are applied at the same time come one after the other', async (t) => {
  const { files } = await open(t);
  const text = largeFile({ partners: 1, lineItems: 1, publishers: 0, apps: 0, adSpaces: 0 });
  const both = await Promise.all(
    [1, 2].map(() => files.apply({ text, actor: ACTOR, dryRun: false })),
  );
  const created = both.map((answer) => (answer.ok ? JSON.parse(answer.json).created : null));
  assert.deepEqual(created, [3, 0]);
});

test('what waits when it closes is refused, and what ran is taken back', async (t) => {
  const { db, files } = await open(t);
  const text = largeFile({ partners: 1, lineItems: 1, publishers: 0, apps: 0, adSpaces: 0 });
  const { seq } = await readVersion(db);
  const outcomes = [1, 2].map(() => files.apply({ text, actor: ACTOR, dryRun: false }));
  const settled = Promise.allSettled(outcomes);
  await nextTurn();
  await files.close();
  for (const { status } of await settled) assert.equal(status, 'rejected');
  await assert.rejects(files.export());
  assert.equal((await readVersion(db)).seq, seq);
});

test('what is wrong with a file comes back from its thread as it is told without one', async (t) => {
  const { files, directory } = await open(t);
  const text = 'demand_partners:\n  - id: none\n';
  const answer = await files.apply({ text, actor: ACTOR, dryRun: false });
  assert.ok(!answer.ok);
  assert.deepEqual(
    answer.problems.map(({ line, pointer }) => [line, pointer]),
    [[2, '/demand_partners/0/id']],
  );
  const file = join(directory, 'wrong.yaml');
  await writeFile(file, text);
  for (const check of [() => checkInThread(file), () => files.applyAtStart(file)]) {
    await assert.rejects(check, (error) => {
      assert.ok(error instanceof CommandError);
      assert.match(error.message, /wrong\.yaml:2 demand_partners\[0\]\.id: must be a whole number/);
      return true;
    });
  }
});
