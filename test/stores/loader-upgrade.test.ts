import assert from 'node:assert/strict';
import { copyFile, mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';

import { openChdb } from '../../src/adapters/chdb.ts';
import { dateOf } from '../../src/analytics/dates.ts';
import { readDiscovery } from '../../src/analytics/discovery.ts';
import { fillRollups } from '../../src/analytics/fill-rollups.ts';
import { insertSql } from '../../src/analytics/insert-sql.ts';
import { migrateAnalytics, SQL_DIRECTORY } from '../../src/analytics/migrate.ts';
import { rebuildRollups } from '../../src/analytics/rebuild.ts';
import type { AuctionRecord } from '../../src/events/auction-record.ts';
import type { AnalyticsStore } from '../../src/ports/analytics-store.ts';
import type { OffsetStore } from '../../src/ports/offset-store.ts';
import { assertHolds, makeDirectory } from './loader-fixture.ts';
import { atEnd } from '../support/at-end.ts';
import { encode, makeAuctions, makeRecords } from './loader-records.ts';

/** What the store was made by before it held beacons. */
const FIRST_MIGRATIONS = ['0001-money.sql', '0002-rollups.sql'];
const ROLLUPS = ['demand_daily', 'supply_daily', 'lineitem_daily', 'inventory_hourly'];

/** A store of the first version. */
async function openFirst(t: TestContext): Promise<AnalyticsStore> {
  const directory = await makeDirectory(t);
  const sql = join(directory, 'sql');
  await mkdir(sql);
  for (const name of FIRST_MIGRATIONS) await copyFile(join(SQL_DIRECTORY, name), join(sql, name));
  const store = await openChdb({ directory: join(directory, 'analytics') });
  atEnd(t, () => store.close());
  await migrateAnalytics(store, sql);
  return store;
}

/** Auctions as the first version counts them, and as it wrote them. */
function firstRecords(seed: string): { records: AuctionRecord[]; lines: Buffer } {
  const auctions = makeAuctions(seed, 80, Date.now());
  return {
    records: auctions.map((record) => ({ ...record, fd: 0 as const })),
    lines: encode(auctions.map(({ node: _, fd: __, notices: ___, ...rest }) => rest)),
  };
}

/** Runs the migrations with so many of their statements at first, as if killed then. */
async function migrateCutOff(store: AnalyticsStore, statements: number): Promise<void> {
  let left = statements;
  const cut: AnalyticsStore = {
    query: (sql) => store.query(sql),
    stream: (sql) => store.stream(sql),
    insert: () => Promise.reject(new Error('unused')),
    recover: () => Promise.reject(new Error('unused')),
    close: () => Promise.reject(new Error('unused')),
    command: (sql) => {
      left -= 1;
      return left < 0 ? Promise.reject(new Error('cut off')) : store.command(sql);
    },
  };
  await migrateAnalytics(cut).catch((error: unknown) => {
    assert.match(String(error), /cut off/);
  });
}

/** Every migration behind the first ones, with how many statements it has. */
async function laterMigrations(): Promise<{ name: string; statements: number }[]> {
  const names = (await readdir(SQL_DIRECTORY)).toSorted().slice(FIRST_MIGRATIONS.length);
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(SQL_DIRECTORY, name), 'utf8');
      return { name, statements: text.match(/^(?!\s*--).*;$/gm)?.length ?? 0 };
    }),
  );
}

/** The smallest projection and the table itself say the same of the past week. */
async function assertProjectionsHold(store: AnalyticsStore): Promise<void> {
  const nowMs = Date.now();
  const { total } = await readDiscovery(store, {}, nowMs);
  const today = dateOf(nowMs);
  const [row] = await store.query(
    `SELECT toString(sum(ad_requests)) AS sum FROM inventory_hourly
     WHERE toDate(hour) BETWEEN {today:Date} - 6 AND {today:Date}
     SETTINGS optimize_use_projections = 0`,
    { today },
  );
  assert.ok(total.ad_requests > 0);
  assert.equal(String(total.ad_requests), row?.['sum']);
}

/** Offsets with these batches begun and not finished. */
function offsetsWith(batches: Awaited<ReturnType<OffsetStore['pending']>>): OffsetStore {
  const unused = () => Promise.reject(new Error('unused'));
  return {
    read: unused,
    begin: unused,
    commit: unused,
    abandon: unused,
    pending: async () => batches,
  };
}

/** As control fills new rollups after an upgrade. */
function fill(store: AnalyticsStore, offsets = offsetsWith([])): Promise<boolean> {
  return fillRollups({
    store,
    offsets,
    loader: { exclusively: (work) => work() },
    today: dateOf(Date.now()),
    signal: new AbortController().signal,
  });
}

test('new rollups wait for a batch that is unfinished, and are filled once', async (t) => {
  const store = await openFirst(t);
  const { records, lines } = firstRecords('filled');
  const insert = (): Promise<void> => store.insert(insertSql('f'.repeat(64), true), lines);
  await insert();
  await migrateAnalytics(store);
  const segments = [{ segment: 'money-1.ndjson', start: 0, end: 9 }];
  const manifest = { incarnation: 'a'.repeat(16), schema: 1, segments };
  assert.equal(await fill(store, offsetsWith([{ token: 'f'.repeat(64), manifest }])), false);
  // The batch comes again and is in the new rollups then, and would be in them twice if they had been
  // filled from its raw records as well.
  await insert();
  await assertHolds(store, records);
  assert.equal(await fill(store), true);
  await assertHolds(store, records);
  await store.command('TRUNCATE TABLE bid_reasons_daily');
  assert.equal(await fill(store), true);
  const [row] = await store.query('SELECT count() AS rows FROM bid_reasons_daily');
  assert.equal(Number(row?.['rows']), 0, 'what was filled is not filled again');
});

test('a store without beacons takes them, and keeps what it has', async (t) => {
  const store = await openFirst(t);
  const { records, lines } = firstRecords('first');
  await store.insert(insertSql('a'.repeat(64), false), lines);
  // The table of migrations comes first, and the note that one is done comes last: each is cut off
  // after its first statement, before that note, and after it.
  for (const { name, statements } of await laterMigrations()) {
    for (const done of [1, statements, statements + 1]) await migrateCutOff(store, 1 + done);
    const [last] = await store.query('SELECT max(name) AS name FROM migrations');
    assert.equal(last?.['name'], name);
  }
  assert.deepEqual(await migrateAnalytics(store), []);
  assert.equal(await fill(store), true);
  await assertHolds(store, records);
  await assertProjectionsHold(store);

  const more = makeRecords('more', 80, Date.now());
  for (let times = 0; times < 2; times += 1) {
    await store.insert(insertSql('b'.repeat(64), false), encode(more));
  }
  await assertHolds(store, [...records, ...more]);

  // By one dimension, of rows from before and after the sums that are kept for it.
  const bids = (isUsed: 0 | 1) =>
    store.query(`SELECT platform, sum(bids) AS bids FROM demand_daily GROUP BY platform
      ORDER BY platform SETTINGS optimize_use_projections = ${isUsed}`);
  assert.deepEqual(await bids(1), await bids(0));

  const today = new Date().toISOString().slice(0, 'YYYY-MM-DD'.length);
  const offsets = offsetsWith([]);
  await rebuildRollups({ store, offsets, startDate: today, endDate: today, today });
  await assertHolds(store, [...records, ...more]);
  // What was rebuilt and what was there before are merged into one.
  await store.command('OPTIMIZE TABLE inventory_hourly FINAL');
  await assertHolds(store, [...records, ...more]);
  await assertProjectionsHold(store);
});

test('batches whose load the upgrade interrupted are loaded once', async (t) => {
  const store = await openFirst(t);
  const batches = [...ROLLUPS, null].map((missing, index) => {
    const { records, lines } = firstRecords(`interrupted ${index}`);
    const insert = (isOlder: boolean): Promise<void> =>
      store.insert(insertSql(String(index).repeat(64), isOlder), lines);
    return { missing, records, insert };
  });
  for (const { missing, insert } of batches) {
    if (missing === null) await insert(false);
    else {
      // Its table being away, the insertion ends after some of the others have had their rows.
      await store.command(`RENAME TABLE ${missing} TO away`);
      await assert.rejects(insert(false));
      await store.command(`RENAME TABLE away TO ${missing}`);
      await store.recover();
    }
  }
  await migrateCutOff(store, 6);
  await migrateAnalytics(store);
  const records = batches.flatMap((batch) => batch.records);
  for (const { insert } of batches) await insert(true);
  await assertHolds(store, records);
  await store.recover();
  for (const { insert } of batches) await insert(true);
  await assertHolds(store, records);
});
