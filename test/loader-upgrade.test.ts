import assert from 'node:assert/strict';
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';

import { openChdb } from '../src/adapters/chdb.ts';
import { insertSql } from '../src/analytics/insert-sql.ts';
import { migrateAnalytics, SQL_DIRECTORY } from '../src/analytics/migrate.ts';
import { rebuildRollups } from '../src/analytics/rebuild.ts';
import type { AuctionRecord } from '../src/events/auction-record.ts';
import type { AnalyticsStore } from '../src/ports/analytics-store.ts';
import { assertHolds, makeDirectory } from './loader-fixture.ts';
import { encode, makeAuctions, makeRecords } from './loader-records.ts';

/** What the store was made by before it held beacons. */
const FIRST_MIGRATIONS = ['0001-money.sql', '0002-rollups.sql'];
const ROLLUPS = ['demand_daily', 'supply_daily', 'lineitem_daily', 'inventory_hourly'];
const TOKEN = 'd'.repeat(64);

/** A store of the first version. */
async function openFirst(t: TestContext): Promise<AnalyticsStore> {
  const directory = await makeDirectory(t);
  const sql = join(directory, 'sql');
  await mkdir(sql);
  for (const name of FIRST_MIGRATIONS) await copyFile(join(SQL_DIRECTORY, name), join(sql, name));
  const store = await openChdb({ directory: join(directory, 'analytics') });
  t.after(() => store.close());
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

test('a store without beacons takes them, and keeps what it has', async (t) => {
  const store = await openFirst(t);
  const { records, lines } = firstRecords('first');
  await store.insert(insertSql('a'.repeat(64), false), lines);
  for (let statements = 2; statements < 20; statements += 1) {
    await migrateCutOff(store, statements);
  }
  await migrateAnalytics(store);
  await assertHolds(store, records);

  const more = makeRecords('more', 80, Date.now());
  for (let times = 0; times < 2; times += 1) {
    await store.insert(insertSql('b'.repeat(64), false), encode(more));
  }
  await assertHolds(store, [...records, ...more]);

  const today = new Date().toISOString().slice(0, 'YYYY-MM-DD'.length);
  const unused = () => Promise.reject(new Error('unused'));
  const offsets = { read: unused, begin: unused, commit: unused, pending: async () => [] };
  await rebuildRollups({ store, offsets, startDate: today, endDate: today, today });
  await assertHolds(store, [...records, ...more]);
});

for (const missing of [...ROLLUPS, 'none']) {
  test(`a batch whose load the upgrade interrupted is loaded once (without ${missing})`, async (t) => {
    const store = await openFirst(t);
    const { records, lines } = firstRecords(`interrupted ${missing}`);
    const insert = (isOlder: boolean): Promise<void> =>
      store.insert(insertSql(TOKEN, isOlder), lines);
    if (missing === 'none') await insert(false);
    else {
      // Its table being away, the insertion ends after some of the others have had their rows.
      await store.command(`RENAME TABLE ${missing} TO away`);
      await assert.rejects(insert(false));
      await store.command(`RENAME TABLE away TO ${missing}`);
      await store.recover();
    }
    await migrateCutOff(store, 6);
    await migrateAnalytics(store);
    await insert(true);
    await assertHolds(store, records);
    await store.recover();
    await insert(true);
    await assertHolds(store, records);
  });
}
