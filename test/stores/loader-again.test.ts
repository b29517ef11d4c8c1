import assert from 'node:assert/strict';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';

import { dateOf } from '../../src/analytics/dates.ts';
import { createLoader } from '../../src/analytics/load.ts';
import { adoptStore, identifyStore, lastRecordOf } from '../../src/analytics/store-identity.ts';
import { createStoreRegister } from '../../src/configuration/store-register.ts';
import type { AnalyticsStore } from '../../src/ports/analytics-store.ts';
import type { Batch } from '../../src/ports/batch.ts';
import type { StoreRegister } from '../../src/ports/store-register.ts';
import { openTestStore } from '../support/configuration-store.ts';
import {
  assertHolds,
  fillingLoader,
  makeDirectory,
  openAnalyticsIn,
  Segment,
  testAnalytics,
} from './loader-fixture.ts';
import { encode, makeRecords } from './loader-records.ts';

const HOUR_MS = 3_600_000;
/** Around a midnight of the last days. */
const START_MS = Math.floor(Date.now() / (24 * HOUR_MS)) * 24 * HOUR_MS - 50;

/** The batch as a courier offers it after it was asked for its whole journal. */
function again({ manifest, records }: Batch): Batch {
  return { manifest: { ...manifest, again: true }, records };
}

test('of what is offered again only the absent is loaded, however the batches are cut', async (t) => {
  const { loader, store } = await testAnalytics(t);
  const records = makeRecords('again', 300, START_MS);
  const before = new Segment('money-before.ndjson');
  for (const [from, to] of [
    [0, 90],
    [90, 200],
    // Of a store that was set back something is absent in the middle.
    [230, 260],
  ]) {
    assert.equal((await loader.load(before.batch(records.slice(from, to)))).kind, 'loaded');
  }
  const after = new Segment('money-after.ndjson');
  for (const [from, to] of [
    [0, 60],
    [60, 210],
    [210, undefined],
  ]) {
    assert.equal((await loader.load(again(after.batch(records.slice(from, to))))).kind, 'loaded');
  }
  await assertHolds(store, records);
});

test('after a request for all journals nothing is doubled of a courier that has lost what it knew', async (t) => {
  const analytics = await testAnalytics(t);
  const records = makeRecords('lost', 120, START_MS);
  await analytics.loader.load(new Segment('money-before.ndjson').batch(records.slice(0, 80)));
  const loader = fillingLoader(
    createLoader({ ...analytics, reofferedAt: () => Promise.resolve(Date.now()) }),
    analytics.steps,
  );
  // The offsets are forgotten with the request, and these batches do not say that they may be there.
  const after = new Segment('money-0123456789abcdef-20261120T000000000Z-00000001-000001.ndjson');
  for (const [from, to] of [
    [0, 50],
    [50, 100],
    [100, undefined],
  ]) {
    assert.equal((await loader.load(after.batch(records.slice(from, to)))).kind, 'loaded');
  }
  await assertHolds(analytics.store, records);
});

test('a batch that is offered again and interrupted is completed by what was absent at its first try', async (t) => {
  const faults = { commits: 0, inserts: 0 };
  const { loader, store } = await testAnalytics(t, (parts) => ({
    store: failingInserts(parts.store, faults),
    offsets: {
      ...parts.offsets,
      commit: async (manifest) => {
        if (faults.commits > 0) {
          faults.commits -= 1;
          throw new Error('killed before the commit');
        }
        await parts.offsets.commit(manifest);
      },
    },
  }));
  const records = makeRecords('interrupted', 120, START_MS);
  await loader.load(new Segment('money-before.ndjson').batch(records.slice(40, 80)));
  const batch = again(new Segment('money-after.ndjson').batch(records));
  Object.assign(faults, { commits: 2, inserts: 1 });
  await assert.rejects(loader.load(batch), /killed/);
  await assert.rejects(loader.load(batch), /killed/);
  assert.equal((await loader.load(batch)).kind, 'already');
  await assertHolds(store, records);
});

test('traces that are offered again are there once', async (t) => {
  const { loader, store } = await testAnalytics(t);
  const lines = Array.from({ length: 30 }, (_, index) => ({
    kind: 'trace',
    auction_id: String(index).padStart(32, '0'),
    at_ms: START_MS + index,
    publisher_id: 2001,
    demand_partner_ids: [1001],
  }));
  const batchOf = (name: string, some: readonly object[]): Batch => {
    const { manifest, records } = new Segment(name).batchOf(encode(some));
    return { manifest: { ...manifest, stream: 'trace', schema: 2 }, records };
  };
  await loader.load(batchOf('trace-before.ndjson', lines.slice(5, 20)));
  await loader.load(again(batchOf('trace-after.ndjson', lines)));
  const [row] = await store.query('SELECT count() AS rows, uniqExact(line) AS lines FROM trace');
  assert.deepEqual([Number(row?.['rows']), Number(row?.['lines'])], [30, 30]);
});

test('a store that is empty, another or an older one is known as such, until it is adopted', async (t) => {
  const { db } = await openTestStore(t);
  const register = createStoreRegister(db, 'local');
  const [one, two] = [await makeDirectory(t), await makeDirectory(t)];
  const records = makeRecords('identity', 40, START_MS);
  const segment = new Segment();

  assert.equal(
    await stateOf(t, one, { register, load: segment.batch(records.slice(0, 30)) }),
    'known',
  );
  await cp(join(one, 'analytics'), join(two, 'older'), { recursive: true, verbatimSymlinks: true });
  assert.equal(
    await stateOf(t, one, { register, load: segment.batch(records.slice(30)) }),
    'known',
  );
  assert.equal(await stateOf(t, one, { register }), 'known');

  assert.equal(await stateOf(t, two, { register }), 'empty');
  // A control with a configuration store of its own has taken it meanwhile.
  const { db: other } = await openTestStore(t);
  const others = createStoreRegister(other, 'local');
  assert.equal(await stateOf(t, two, { register: others }), 'known');
  assert.equal(await stateOf(t, two, { register }), 'another');

  await rm(join(one, 'analytics'), { recursive: true });
  await cp(join(two, 'older'), join(one, 'analytics'), { recursive: true, verbatimSymlinks: true });
  assert.equal(await stateOf(t, one, { register }), 'older');
  const before = await register.reofferedAt();
  const analytics = await openAnalyticsIn(t, one);
  const { store } = analytics;
  await adoptStore({ store, register }, Date.now());
  const asked = await register.reofferedAt();
  await adoptStore({ store, register }, asked - HOUR_MS);
  await analytics.close();
  assert.ok(before === 0 && asked > 0);
  assert.equal(await register.reofferedAt(), asked + 1, 'it grows though the clock was set back');
  assert.equal(await stateOf(t, one, { register }), 'known');
});

/** What the store of a directory is taken for; a batch is loaded then, as control does. */
async function stateOf(
  t: TestContext,
  directory: string,
  { register, load }: { readonly register: StoreRegister; readonly load?: Batch },
): Promise<string> {
  const analytics = await openAnalyticsIn(t, directory);
  const { store, loader } = analytics;
  const state = await identifyStore({ store, register, today: dateOf(Date.now()) });
  if (load !== undefined) {
    await loader.load(load);
    const last = lastRecordOf(load.records);
    assert.ok(last !== null);
    await register.noteLoaded(last);
  }
  await analytics.close();
  return state;
}

/** A store whose next insertions fail after they have done their work. */
function failingInserts(store: AnalyticsStore, faults: { inserts: number }): AnalyticsStore {
  return {
    command: (sql) => store.command(sql),
    query: (sql, parameters) => store.query(sql, parameters),
    stream: (sql) => store.stream(sql),
    recover: () => store.recover(),
    close: () => store.close(),
    insert: async (sql, records) => {
      await store.insert(sql, records);
      if (faults.inserts === 0) return;
      faults.inserts -= 1;
      throw new Error('the answer was lost');
    },
  };
}
