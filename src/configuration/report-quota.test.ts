import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { openStore, openTestStore } from '../../test/support/configuration-store.ts';
import { REPORTS_MAX, takeReport } from './report-quota.ts';

const NOW = 1_800_000_000_000;
const HOUR_MS = 3_600_000;

test('of hundreds of parallel requests over two connections exactly a hundred are allowed', async (t) => {
  const { db, path } = await openTestStore(t);
  const other = await openStore(path);
  t.after(() => other.destroy());
  const taken = await Promise.all(
    Array.from({ length: 300 }, (_, index) =>
      takeReport(index % 2 === 0 ? db : other, 'demand partner 1001', NOW + index),
    ),
  );
  assert.equal(taken.filter(({ isAllowed }) => isAllowed).length, REPORTS_MAX);
  const elsewhere = await takeReport(db, 'publisher 1001', NOW);
  assert.deepEqual(elsewhere, { isAllowed: true, remaining: 99, moreInSeconds: 3_600 });
});

test('the limit is what a list of all requests says, at any spacing, and the wait is true', async (t) => {
  const { db } = await openTestStore(t);
  let run = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 60_000 }), { minLength: 110, maxLength: 160 }),
      async (gaps) => {
        const account = `publisher ${(run += 1)}`;
        const allowed: number[] = [];
        let nowMs = NOW;
        for (const gapMs of gaps) {
          nowMs += gapMs;
          const within = allowed.filter((ms) => ms > nowMs - HOUR_MS);
          const state = await takeReport(db, account, nowMs);
          assert.equal(state.isAllowed, within.length < REPORTS_MAX);
          if (state.isAllowed) allowed.push(nowMs);
          else {
            assert.equal(state.remaining, 0);
            const [oldest = 0] = within;
            assert.equal(state.moreInSeconds, Math.ceil((oldest + HOUR_MS - nowMs) / 1_000));
          }
        }
      },
    ),
    { numRuns: 5 },
  );
});

test('a clock that was set back locks nobody out for longer than an hour', async (t) => {
  const { db } = await openTestStore(t);
  for (let index = 0; index < REPORTS_MAX; index += 1) {
    await takeReport(db, 'publisher 1', NOW + 30 * HOUR_MS);
  }
  const refused = await takeReport(db, 'publisher 1', NOW);
  assert.deepEqual(refused, { isAllowed: false, remaining: 0, moreInSeconds: 3_600 });
  const anHourLater = await takeReport(db, 'publisher 1', NOW + HOUR_MS);
  assert.deepEqual(anHourLater, { isAllowed: true, remaining: 99, moreInSeconds: 3_600 });
});
