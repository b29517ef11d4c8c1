import assert from 'node:assert/strict';
import { test } from 'node:test';

import { dateOf } from '../../src/analytics/dates.ts';
import { createLoader } from '../../src/analytics/load.ts';
import { RAW_DAYS, rebuildRollups, type RebuildOptions } from '../../src/analytics/rebuild.ts';
import { RollupSteps } from '../../src/analytics/step-rollups.ts';
import type { MoneyRecord } from '../../src/events/money-record.ts';
import {
  assertHolds,
  makeDirectory,
  openAnalyticsIn,
  Segment,
  testAnalytics,
  type Analytics,
} from './loader-fixture.ts';
import { readTables } from './loader-oracle.ts';
import { makeRecords } from './loader-records.ts';
import { effort } from '../support/effort.ts';

/** Records expire by the clock of the engine, inventory first, so that these days have to be near. */
const TODAY = dateOf(Date.now());
const DAY_MS = 86_400_000;
const DAYS = 7;
const START_MS = Date.parse(`${TODAY}T00:00:00Z`) - (DAYS - 1) * DAY_MS;

/** Some days, of which a rebuild is asked for a part. */
function makeDays(): MoneyRecord[] {
  return makeRecords('rebuild', 400, START_MS, (DAYS * DAY_MS) / 400);
}

function optionsFor(analytics: Analytics, from: number, to: number): RebuildOptions {
  const { store, steps } = analytics;
  const date = (day: number): string => dateOf(START_MS + day * DAY_MS);
  return { store, steps, startDate: date(from), endDate: date(to), today: TODAY };
}

test('rollups rebuilt from raw records are what they were', async (t) => {
  const analytics = await testAnalytics(t);
  const { loader, store } = analytics;
  const records = makeDays();
  await loader.load(new Segment().batch(records));
  await loader.exclusively(() => rebuildRollups(optionsFor(analytics, 0, DAYS - 1)));
  await assertHolds(store, records);
});

test('a rebuild mends what was lost or doubled, on its days and no other', async (t) => {
  const analytics = await testAnalytics(t);
  const { loader, store } = analytics;
  const records = makeDays();
  await loader.load(new Segment().batch(records));
  const whole = await readTables(store);
  const days = `BETWEEN '${dateOf(START_MS + 3 * DAY_MS)}' AND '${dateOf(START_MS + 5 * DAY_MS)}'`;
  const settings = 'SETTINGS insert_deduplicate = 0, async_insert = 0';
  await store.command(`DELETE FROM demand_daily WHERE date ${days}`);
  await store.command(`INSERT INTO supply_daily SELECT * FROM supply_daily ${settings}`);
  await store.command(`TRUNCATE TABLE inventory_hourly`);
  const broken = await readTables(store);

  await loader.exclusively(() => rebuildRollups(optionsFor(analytics, 3, 5)));
  const mended = await readTables(store);
  const inside = (place: string): boolean =>
    [3, 4, 5].some((day) => place.startsWith(dateOf(START_MS + day * DAY_MS)));
  for (const table of ['demand_daily', 'supply_daily', 'inventory_hourly'] as const) {
    for (const place of new Set([...Object.keys(whole[table]), ...Object.keys(broken[table])])) {
      const expected = inside(place) ? whole[table][place] : broken[table][place];
      assert.equal(mended[table][place], expected, `${table} ${place}`);
    }
  }
});

test('loading goes on after a rebuild, also when the store is opened anew', async (t) => {
  const directory = await makeDirectory(t);
  const records = makeDays();
  const segment = new Segment();
  const first = await openAnalyticsIn(t, directory);
  await first.loader.load(segment.batch(records.slice(0, 200)));
  await rebuildRollups(optionsFor(first, 3, 4));
  await first.loader.load(segment.batch(records.slice(200, 300)));
  await rebuildRollups(optionsFor(first, 3, 4));
  await first.close();
  const second = await openAnalyticsIn(t, directory);
  await second.loader.load(segment.batch(records.slice(300)));
  await assertHolds(second.store, records);
  await second.close();
});

test('a rebuild that was cut off is repeated from its start', async (t) => {
  const analytics = await testAnalytics(t);
  const { loader, store } = analytics;
  const records = makeDays();
  await loader.load(new Segment().batch(records));
  for (const failing of [4, 2, 9].slice(0, effort(1, 3))) {
    let left = failing;
    const cut = {
      ...optionsFor(analytics, 2, 4),
      store: {
        ...passOn(analytics),
        command: (sql: string) => {
          left -= 1;
          return left < 0 ? Promise.reject(new Error('cut off')) : store.command(sql);
        },
      },
    };
    await assert.rejects(rebuildRollups(cut), /cut off/);
    await assertHolds(store, records);
    await rebuildRollups(optionsFor(analytics, 2, 4));
    await assertHolds(store, records);
  }
});

test('what is loaded and not in the rollups yet is not counted twice after a rebuild', async (t) => {
  const analytics = await testAnalytics(t);
  const { store, offsets, quarantine, steps } = analytics;
  const loader = createLoader({ store, offsets, quarantine });
  const records = makeDays();
  const segment = new Segment();
  for (const [from, to] of [
    [0, 150],
    [150, 300],
  ]) {
    await loader.load(segment.batch(records.slice(from, to)));
    await rebuildRollups(optionsFor(analytics, 0, DAYS - 1));
    await steps.fill();
    // As the next process finds them: the last step is not repeated into what was made anew.
    await rebuildRollups(optionsFor(analytics, 0, DAYS - 1));
    await new RollupSteps({ store, offsets }).fill();
    await assertHolds(store, records.slice(0, to));
  }
});

test('a rebuild is refused for days whose raw records may have expired', async (t) => {
  const analytics = await testAnalytics(t);
  const early = optionsFor(analytics, DAYS - 1 - RAW_DAYS, 0);
  await assert.rejects(rebuildRollups(early), /Raw records are complete from/);
  await assert.rejects(rebuildRollups(optionsFor(analytics, 4, 3)), /comes after/);
  await rebuildRollups(optionsFor(analytics, DAYS - RAW_DAYS, 0));
});

/** The store's methods as functions of their own, to replace one of them. */
function passOn({ store }: Analytics): Analytics['store'] {
  return {
    command: (sql) => store.command(sql),
    query: (sql, parameters) => store.query(sql, parameters),
    stream: (sql) => store.stream(sql),
    insert: (sql, records) => store.insert(sql, records),
    recover: () => store.recover(),
    close: () => store.close(),
  };
}
