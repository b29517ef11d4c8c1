import assert from 'node:assert/strict';
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';

import { openChdb } from '../../src/adapters/chdb.ts';
import { insertSql } from '../../src/analytics/insert-sql.ts';
import { migrateAnalytics, SQL_DIRECTORY } from '../../src/analytics/migrate.ts';
import type { AnalyticsStore } from '../../src/ports/analytics-store.ts';
import { assertHolds, makeDirectory } from './loader-fixture.ts';
import { atEnd } from '../support/at-end.ts';
import { encode, makeRecords } from './loader-records.ts';

const LATER = '0099-later.sql';
const ROLLUPS = ['demand_daily', 'supply_daily', 'lineitem_daily', 'inventory_hourly'];

/** A store of this version, and the files of one that adds a column and makes a view anew. */
async function openStore(t: TestContext): Promise<{ store: AnalyticsStore; later: string }> {
  const directory = await makeDirectory(t);
  const later = join(directory, 'sql');
  await mkdir(later);
  for (const name of await readdir(SQL_DIRECTORY)) {
    await copyFile(join(SQL_DIRECTORY, name), join(later, name));
  }
  const reports = await readFile(join(SQL_DIRECTORY, '0002-reports.sql'), 'utf8');
  const [view = ''] =
    /CREATE MATERIALIZED VIEW IF NOT EXISTS demand_daily_from_auctions .*?;$/ms.exec(reports) ?? [];
  assert.notEqual(view, '');
  const statements = [
    'ALTER TABLE money ADD COLUMN IF NOT EXISTS tier LowCardinality(String);',
    'DROP VIEW IF EXISTS demand_daily_from_auctions;',
    view,
  ];
  await writeFile(
    join(later, LATER),
    `-- What a later version brings.\n${statements.join('\n')}\n`,
  );
  const store = await openChdb({ directory: join(directory, 'analytics') });
  atEnd(t, () => store.close());
  await migrateAnalytics(store);
  return { store, later };
}

/** Runs what is to be migrated with so many statements at first, as if killed then. */
async function migrateCutOff(
  store: AnalyticsStore,
  sql: string,
  statements: number,
): Promise<void> {
  let left = statements;
  const cut: AnalyticsStore = {
    query: (text) => store.query(text),
    stream: (text) => store.stream(text),
    insert: () => Promise.reject(new Error('unused')),
    recover: () => Promise.reject(new Error('unused')),
    close: () => Promise.reject(new Error('unused')),
    command: (text) => {
      left -= 1;
      return left < 0 ? Promise.reject(new Error('cut off')) : store.command(text);
    },
  };
  await migrateAnalytics(cut, sql).catch((error: unknown) => {
    assert.match(String(error), /cut off/);
  });
}

test('a migration that is cut off anywhere is run again, and the records stay', async (t) => {
  const { store, later } = await openStore(t);
  const records = makeRecords('first', 80, Date.now());
  await store.insert(insertSql('a'.repeat(64), false), encode(records));
  // The table of migrations, the three statements, and the note that it is done.
  for (const statements of [1, 2, 3, 4]) await migrateCutOff(store, later, statements);
  assert.deepEqual(await migrateAnalytics(store, later), [LATER]);
  assert.deepEqual(await migrateAnalytics(store, later), []);
  await assertHolds(store, records);
  const more = makeRecords('more', 80, Date.now());
  for (let times = 0; times < 2; times += 1) {
    await store.insert(insertSql('b'.repeat(64), false), encode(more));
  }
  await assertHolds(store, [...records, ...more]);
});

test('batches whose load the upgrade interrupted are loaded once', async (t) => {
  const { store, later } = await openStore(t);
  const batches = [...ROLLUPS, null].map((missing, index) => {
    const records = makeRecords(`interrupted ${index}`, 80, Date.now());
    const insert = (isAgain: boolean): Promise<void> =>
      store.insert(insertSql(String(index).repeat(64), isAgain), encode(records));
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
  await migrateCutOff(store, later, 3);
  await migrateAnalytics(store, later);
  const records = batches.flatMap((batch) => batch.records);
  for (const { insert } of batches) await insert(true);
  await assertHolds(store, records);
  await store.recover();
  for (const { insert } of batches) await insert(true);
  await assertHolds(store, records);
});
