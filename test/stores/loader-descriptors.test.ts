import { readdirSync } from 'node:fs';
import { test } from 'node:test';

import type { AnalyticsStore } from '../../src/ports/analytics-store.ts';
import { effort } from '../support/effort.ts';
import { until } from '../support/wait.ts';
import { Segment, testAnalytics } from './loader-fixture.ts';
import { makeRecords } from './loader-records.ts';

const DESCRIPTORS = '/dev/fd';
/**
 * What may be open more than at the start, however long a control runs: far below a hundred, because
 * a machine with more processors opens more.
 */
const MORE_MAX = 30;
const WITHIN_MS = 5_000;
const AT_ONCE = 4;
const THREADS = 32;

test('what a burst opened is closed again, however often batches come and reports are asked for', async (t) => {
  const { store, loader } = await testAnalytics(t);
  const segment = new Segment();
  const load = (round: number) =>
    loader.load(segment.batch(makeRecords(round, 20, Date.now() - 60_000)));
  await load(0);
  const atStart = readdirSync(DESCRIPTORS).length;
  for (let round = 1; round <= effort(2, 100); round += 1) {
    await load(round);
    await Promise.all(Array.from({ length: AT_ONCE }, () => askInThreads(store)));
  }
  const atEnd = readdirSync(DESCRIPTORS).length;
  t.diagnostic(`${atStart} descriptors at the start, ${atEnd} at the end`);
  await until(`at most ${atStart + MORE_MAX} descriptors are open`, WITHIN_MS, () => {
    return readdirSync(DESCRIPTORS).length <= atStart + MORE_MAX;
  });
});

/** As many threads as a report takes on a large machine, all at work at the same time. */
async function askInThreads(store: AnalyticsStore): Promise<void> {
  const parts = Array.from(
    { length: THREADS },
    () => 'SELECT sleepEachRow(0.2) AS slept FROM numbers(1)',
  );
  await store.query(`SELECT sum(slept) FROM (${parts.join(' UNION ALL ')})
    SETTINGS max_threads = ${THREADS}, use_concurrency_control = 0`);
}
