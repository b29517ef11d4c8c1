import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';

import { until } from '../../test/support/wait.ts';
import { RollupFiller } from './fill-rollups.ts';
import type { StepResult, StepScope } from './step-rollups.ts';

const STEP_MS = 5;
const NEVER_MS = 3_600_000;

/** A filler whose steps have so many records, and do as the test says. */
function fillerOf(t: TestContext, step: (scope: StepScope) => Promise<number>) {
  const scopes: StepScope[] = [];
  const filler = new RollupFiller({
    steps: {
      step: async (scope): Promise<StepResult> => {
        scopes.push(scope);
        const records = await step(scope);
        return { isDone: true, wrong: null, money: { isDone: true, wrong: null }, records };
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
  await filler.filled();
  assert.deepEqual(scopes, ['all', 'soon', 'soon', 'all']);
  await filler.filled();
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
