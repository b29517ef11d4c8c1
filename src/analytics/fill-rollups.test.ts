import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';

import { until } from '../../test/support/wait.ts';
import { RollupFiller } from './fill-rollups.ts';
import { SOON, type RollupResult, type StepResult, type StepScope } from './step-rollups.ts';

const STEP_MS = 5;
const NEVER_MS = 3_600_000;

const DONE: RollupResult = { isDone: true, wrong: null };
const BILLED = 'billed_by_expiry';
const NEW = 'new_daily';

/** A filler whose steps have so many records, and do as the test says; others may be behind for ever. */
function fillerOf(
  t: TestContext,
  step: (scope: StepScope) => Promise<number>,
  behind: readonly string[] = [],
) {
  const scopes: StepScope[] = [];
  const filler = new RollupFiller({
    steps: {
      step: async (scope): Promise<StepResult> => {
        scopes.push(scope);
        const records = await step(scope);
        const tables = [...SOON.map(({ table }) => table), BILLED, NEW];
        const isDone = behind.length === 0;
        const rollups = new Map(
          tables.map((table) => [table, { ...DONE, isDone: !behind.includes(table) }]),
        );
        return { isDone, wrong: null, rollups, records };
      },
    },
    loader: { exclusively: (work) => work() },
    loadedUntilMs: () => 7,
    onWrong: () => assert.fail('nothing is wrong'),
    onFault: (error) => assert.fail(String(error)),
    pace: { stepAfterMs: STEP_MS, allAfterMs: NEVER_MS, busyRecords: 10, retryMs: STEP_MS },
  });
  t.after(() => filler.stop());
  return { filler, scopes };
}

test('while there is little, all rollups are filled with every step', async (t) => {
  const { filler, scopes } = fillerOf(t, async () => 9);
  for (let count = 1; count <= 3; count += 1) {
    filler.note();
    await until('a step was made', 5_000, () => scopes.length === count);
  }
  assert.deepEqual(scopes, ['all', 'all', 'all']);
});

test('where there is much, only those that are asked for soon, and all when somebody needs them', async (t) => {
  const { filler, scopes } = fillerOf(t, async () => 10);
  for (let count = 1; count <= 3; count += 1) {
    filler.note();
    await until('a step was made', 5_000, () => scopes.length === count);
  }
  await filler.filled(BILLED);
  assert.deepEqual(scopes, ['all', 'soon', 'soon', 'all']);
  await filler.filled(BILLED);
  assert.equal(scopes.length, 4, 'nothing is left');
});

test('before it ends it fills all', async (t) => {
  const { filler, scopes } = fillerOf(t, async () => 10);
  for (let count = 1; count <= 2; count += 1) {
    filler.note();
    await until('a step was made', 5_000, () => scopes.length === count);
  }
  await filler.stop();
  assert.deepEqual(scopes, ['all', 'soon', 'all']);
});

test('while a step is under way the rollups have what they had before', async (t) => {
  const stepping = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const { filler } = fillerOf(t, async () => {
    begun.resolve();
    await stepping.promise;
    return 0;
  });
  assert.equal(filler.untilMs, 7);
  filler.note();
  assert.equal(filler.untilMs, 0);
  await begun.promise;
  assert.equal(filler.untilMs, 0);
  stepping.resolve();
  await until('the step is done', 5_000, () => filler.untilMs === 7);
});

test('a rollup that is far behind holds up neither those that are filled soon nor what is billed', async (t) => {
  const { filler, scopes } = fillerOf(t, async () => 0, [NEW]);
  filler.note();
  await until('several steps were made', 5_000, () => scopes.length > 2);
  filler.note();
  await filler.filled(BILLED);
  await until('they have all', 5_000, () => filler.untilMs === 7);
});

test('one of those that are filled soon holds up what is known of them', async (t) => {
  const { filler } = fillerOf(t, async () => 0, [SOON[0]?.table ?? '']);
  filler.note();
  await filler.filled(BILLED);
  assert.equal(filler.untilMs, 0);
});
