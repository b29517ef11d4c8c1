import assert from 'node:assert/strict';
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { migrateAnalytics, SQL_DIRECTORY } from '../../src/analytics/migrate.ts';
import type { AnalyticsStore } from '../../src/ports/analytics-store.ts';
import { assertHolds, Segment, testAnalytics } from './loader-fixture.ts';
import { makeRecords } from './loader-records.ts';

const LATER = '0099-later.sql';

/** The files of a version that adds a column and makes a view anew, in a directory of their own. */
async function writeLater(directory: string): Promise<string> {
  const later = join(directory, 'sql');
  await mkdir(later);
  for (const name of await readdir(SQL_DIRECTORY)) {
    await copyFile(join(SQL_DIRECTORY, name), join(later, name));
  }
  const reports = await readFile(join(SQL_DIRECTORY, '0002-reports.sql'), 'utf8');
  const [view = ''] =
    /CREATE VIEW IF NOT EXISTS demand_daily_from_auctions .*?;$/ms.exec(reports) ?? [];
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
  return later;
}

/** Runs what is to be migrated with so many statements at first, as if killed then. */
async function migrateCutOff(
  store: AnalyticsStore,
  sql: string,
  statements: number,
): Promise<void> {
  let left = statements;
  const unused = () => assert.fail('unused');
  const cut: AnalyticsStore = {
    query: (text) => store.query(text),
    stream: (text) => store.stream(text),
    insert: unused,
    recover: unused,
    close: unused,
    command: (text) => {
      left -= 1;
      return left < 0 ? Promise.reject(new Error('cut off')) : store.command(text);
    },
  };
  await assert.rejects(migrateAnalytics(cut, sql), /cut off/);
}

test('a migration that is cut off anywhere is run again, and records before and after it are there once', async (t) => {
  const { directory, store, loader } = await testAnalytics(t);
  const later = await writeLater(directory);
  const segment = new Segment();
  const before = makeRecords('before', 80, Date.now());
  assert.equal((await loader.load(segment.batch(before))).kind, 'loaded');
  // The table of migrations, the three statements, and the note that it is done.
  for (const statements of [1, 2, 3, 4]) await migrateCutOff(store, later, statements);
  assert.deepEqual(await migrateAnalytics(store, later), [LATER]);
  assert.deepEqual(await migrateAnalytics(store, later), []);
  await assertHolds(store, before);
  const after = makeRecords('after', 80, Date.now());
  assert.equal((await loader.load(segment.batch(after))).kind, 'loaded');
  await assertHolds(store, [...before, ...after]);
});
