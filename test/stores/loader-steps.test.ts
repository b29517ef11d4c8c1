import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { batchToken } from '../../src/analytics/batch-token.ts';
import { dateOf } from '../../src/analytics/dates.ts';
import { RollupFiller } from '../../src/analytics/fill-rollups.ts';
import { createLoader, type Loader } from '../../src/analytics/load.ts';
import { rebuildRollups } from '../../src/analytics/rebuild.ts';
import { RollupSteps } from '../../src/analytics/step-rollups.ts';
import { adoptStore } from '../../src/analytics/store-identity.ts';
import type { MoneyRecord } from '../../src/events/money-record.ts';
import { createRandom } from '../../sim/random.ts';
import { effort, runs } from '../support/effort.ts';
import { assertHolds, NODE_B, Segment, testAnalytics, type Analytics } from './loader-fixture.ts';
import { cutAtMidnight, dying, MIDNIGHT_MS, processOn, TODAY } from './loader-killed.ts';
import { makeRecords } from './loader-records.ts';

const SEED = process.env['STEPS_SEED'] ?? 'steps';

/** Loads a batch, and is killed before it is committed. */
async function killedBetween(
  analytics: Analytics,
  batch: Parameters<Loader['load']>[0],
): Promise<void> {
  const offsets = { ...analytics.offsets, commit: () => Promise.reject(new Error('killed')) };
  const { loader } = processOn({ ...analytics, offsets });
  await assert.rejects(loader.load(batch), /killed/);
}

test('killed before or after any word to its stores, everything is counted once', async (t) => {
  const analytics = await testAnalytics(t);
  t.diagnostic(`STEPS_SEED=${SEED}`);
  const random = createRandom(SEED);
  const all: MoneyRecord[] = [];
  const segment = new Segment();
  let at = 1;
  for (let isWhole = false; !isWhole; at += effort(random.integer(1, 3), 1)) {
    for (const when of ['before', 'after'] as const) {
      const records = makeRecords(`${SEED} ${at} ${when}`, 6, MIDNIGHT_MS, 30);
      all.push(...records);
      const batch = segment.batch(records);
      const dead = dying(analytics, at, when);
      const { loader, steps } = processOn({ ...analytics, ...dead });
      const work = async (): Promise<void> => {
        await loader.load(batch);
        await steps.fill();
      };
      await work().catch((error: unknown) => assert.match(String(error), /killed/));
      isWhole = dead.said() < at;
      const next = processOn(analytics);
      // In half of the cases the node is away for now.
      if (random.chance(0.5)) await next.steps.fill();
      await next.loader.load(batch);
      await next.steps.fill();
      assert.deepEqual(await analytics.offsets.pending(), []);
      assert.deepEqual(await analytics.offsets.settled(), []);
    }
  }
  t.diagnostic(`${at} words to the stores`);
  await assertHolds(analytics.store, all);
});

test('a rebuild that is killed at any word is repeated, and steps go on', async (t) => {
  const analytics = await testAnalytics(t);
  const { store } = analytics;
  const random = createRandom(`rebuild ${SEED}`);
  const records = makeRecords('rebuilt', 40 + 20 * runs(2), MIDNIGHT_MS, 2);
  const segment = new Segment();
  await analytics.loader.load(segment.batch(records.slice(0, 40)));
  const days = { startDate: dateOf(MIDNIGHT_MS), endDate: TODAY, today: TODAY };
  for (let run = 0; run < runs(2); run += 1) {
    const from = 40 + 20 * run;
    const dead = dying(analytics, random.integer(1, 60), random.chance(0.5) ? 'before' : 'after');
    const { steps } = processOn({ ...analytics, ...dead });
    await rebuildRollups({ store: dead.store, steps, ...days }).catch((error: unknown) =>
      assert.match(String(error), /killed/),
    );
    const next = processOn(analytics);
    await next.loader.load(segment.batch(records.slice(from, from + 20)));
    if (random.chance(0.5)) await next.steps.fill();
    await rebuildRollups({ store, steps: next.steps, ...days });
    await next.steps.fill();
    await assertHolds(store, records.slice(0, from + 20));
  }
  const last = processOn(analytics);
  await last.loader.load(segment.batch(records.slice(40 + 20 * runs(2))));
  await last.steps.fill();
  await assertHolds(store, records);
});

describe('a load whose answer nobody has seen', () => {
  test('is settled without its node, whole or with nothing of it', async (t) => {
    const analytics = await testAnalytics(t);
    const { store, offsets, steps } = analytics;
    const [one, other] = [
      makeRecords('one', 30, MIDNIGHT_MS, 5),
      makeRecords('two', 5, MIDNIGHT_MS),
    ];
    await killedBetween(analytics, new Segment().batch(one));
    const nothing = new Segment('money-1.ndjson', NODE_B).batch(other);
    const begun = { token: batchToken(nothing), manifest: nothing.manifest, load: 2, records: 5 };
    await offsets.begin(begun);
    await steps.fill();
    assert.deepEqual(await offsets.pending(), [{ ...begun, load: null }]);
    await assertHolds(store, one);
    await analytics.loader.load(nothing);
    await assertHolds(store, [...one, ...other]);
  });

  test('counts as far as it is there, and what is missing comes with its node', async (t) => {
    const analytics = await testAnalytics(t);
    const { store, offsets, steps } = analytics;
    const records = makeRecords('midnight', 60, MIDNIGHT_MS, 5);
    const batch = new Segment().batch(records);
    await killedBetween(analytics, batch);
    await cutAtMidnight(store);
    const others = makeRecords('others', 10, MIDNIGHT_MS, 20);
    await processOn(analytics).loader.load(new Segment('money-1.ndjson', NODE_B).batch(others));
    await steps.fill();
    const before = records.filter((record) => dateOf(record.at_ms) < TODAY);
    assert.ok(before.length > 0 && before.length < records.length);
    await assertHolds(store, [...before, ...others]);
    // Its node comes back after the deduplication window has passed; another cut has to wait.
    const [pending] = await offsets.pending();
    assert.equal(pending?.load, null);
    const cut = await analytics.loader.load(new Segment().batch(records.slice(0, 3)));
    assert.equal(cut.kind, 'conflict');
    assert.equal((await analytics.loader.load(batch)).kind, 'loaded');
    assert.deepEqual(await offsets.pending(), []);
    await assertHolds(store, [...records, ...others]);
  });

  test('of which a part is there is given up with what is there', async (t) => {
    const analytics = await testAnalytics(t);
    const { store, loader } = analytics;
    const records = makeRecords('lost', 60, MIDNIGHT_MS, 5);
    const batch = new Segment().batch(records);
    await killedBetween(analytics, batch);
    await cutAtMidnight(store);
    await loader.giveUp({ manifest: batch.manifest, marks: [] });
    await assertHolds(
      store,
      records.filter((record) => dateOf(record.at_ms) < TODAY),
    );
  });
});

describe('a step', () => {
  test('ends below the lowest load that is begun and not settled, while later ones commit', async (t) => {
    const analytics = await testAnalytics(t);
    const { store, offsets, quarantine } = analytics;
    const loader = createLoader({ store, offsets, quarantine });
    const parts = [0, 1, 2, 3].map((index) => makeRecords(`held ${index}`, 10, MIDNIGHT_MS, 20));
    const [first = [], held = [], ...later] = parts;
    await loader.load(new Segment('a.ndjson').batch(first));
    // Its INSERT is done, and whoever began it has not said so.
    const batch = new Segment('b.ndjson', NODE_B).batch(held);
    await killedBetween(analytics, batch);
    for (const [index, records] of later.entries()) {
      await processOn(analytics).loader.load(new Segment(`c${index}.ndjson`).batch(records));
    }
    const [pending] = await offsets.pending();
    assert.equal(pending?.load, 2);
    // To whom another insertion is under way, the load is not to be settled by the step.
    const underWay = { ...offsets, commit: () => Promise.resolve() };
    const result = await new RollupSteps({ store, offsets: underWay }).fill();
    assert.equal(result.isDone, true);
    const all = parts.flat();
    await assertHolds(store, all, ['money']);
    await assertHolds(store, first, ['demand_daily', 'supply_daily', 'traffic_10s']);
    await analytics.steps.fill();
    await assertHolds(store, all);
  });

  for (const what of ['lost', 'doubled'] as const) {
    test(`stops before a load of which records were ${what}, and says so, until it is looked at`, async (t) => {
      const analytics = await testAnalytics(t);
      const { store, offsets, quarantine } = analytics;
      const loader = createLoader({ store, offsets, quarantine });
      const parts = [0, 1, 2].map((index) => makeRecords(`${what} ${index}`, 10, MIDNIGHT_MS, 20));
      const segment = new Segment();
      for (const records of parts) await loader.load(segment.batch(records));
      if (what === 'lost')
        await store.command(
          "ALTER TABLE money DELETE WHERE load = 2 AND kind = 'auction' SETTINGS mutations_sync = 1",
        );
      else
        await store.command(
          'INSERT INTO money SELECT * FROM money WHERE load = 2 SETTINGS insert_deduplicate = 0, async_insert = 0',
        );
      const steps = new RollupSteps({ store, offsets });
      const told: number[] = [];
      const filler = new RollupFiller({
        steps,
        loader,
        loadedUntilMs: () => 0,
        onWrong: ({ load }) => told.push(load),
        onFault: (error) => assert.fail(String(error)),
        pace: { stepAfterMs: 0, allAfterMs: 0, busyRecords: 1, retryMs: 0 },
      });
      filler.note();
      await assert.rejects(filler.filled('demand_daily'), /^Error: load 2 has \d+ records/);
      await filler.stop();
      assert.deepEqual(told, [2]);
      assert.equal(filler.wrong?.load, 2);
      await assertHolds(store, parts[0] ?? [], ['demand_daily', 'lineitem_daily', 'traffic_10s']);
      // The journals are asked for again: then what is there counts.
      const register = {
        read: async () => null,
        adopt: async () => {},
        noteLoaded: async () => {},
        reofferedAt: async () => 0,
        reoffer: () => offsets.forgetSettled('money', 99),
      };
      await adoptStore({ store, register }, Date.now());
      const { isDone, wrong } = await steps.fill();
      assert.deepEqual({ isDone, wrong }, { isDone: true, wrong: null });
    });
  }

  test('fills a rollup that an upgrade has made from all raw records there are', async (t) => {
    const analytics = await testAnalytics(t);
    const { store, offsets, loader } = analytics;
    const records = makeRecords('upgrade', 100, MIDNIGHT_MS, 2);
    const segment = new Segment();
    await loader.load(segment.batch(records.slice(0, 50)));
    await loader.load(segment.batch(records.slice(50, 70)));
    await store.command('TRUNCATE TABLE bid_reasons_daily');
    await store.command(
      `ALTER TABLE rollup_steps DELETE WHERE rollup = 'bid_reasons_daily' SETTINGS mutations_sync = 1`,
    );
    const next = processOn({ ...analytics, offsets });
    await next.loader.load(segment.batch(records.slice(70)));
    await next.steps.fill();
    await assertHolds(store, records);
  });
});
