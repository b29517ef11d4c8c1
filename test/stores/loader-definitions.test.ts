import assert from 'node:assert/strict';
import { readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { createRandom } from '../../sim/random.ts';
import { openChdb } from '../../src/adapters/chdb.ts';
import { ChdbDefinitions } from '../../src/adapters/chdb-definitions.ts';
import { tablesIn } from '../../src/adapters/chdb-repair.ts';
import { migrateAnalytics } from '../../src/analytics/migrate.ts';
import {
  assertHolds,
  makeDirectory,
  openAnalytics,
  openAnalyticsIn,
  Segment,
} from './loader-fixture.ts';
import { makeRecords } from './loader-records.ts';
import { SEED } from '../support/effort.ts';

/** A store with records, closed, and its directories. */
async function storeWithRecords(t: TestContext) {
  const root = await makeDirectory(t);
  const records = makeRecords('definitions', 60, Date.UTC(2026, 10, 20));
  const analytics = await openAnalyticsIn(t, root);
  await analytics.loader.load(new Segment().batch(records));
  await analytics.close();
  const directory = join(root, 'analytics');
  return {
    root,
    records,
    directory,
    definitions: join(directory, 'data/metadata/default'),
    copies: join(directory, 'definitions/default'),
  };
}

test('definitions that a full disk left empty or cut are brought back, with all records', async (t) => {
  const { root, records, directory, definitions } = await storeWithRecords(t);
  const random = createRandom(SEED).fork('broken');
  const names = (await readdir(definitions)).filter(() => random.chance(0.3));
  const broken = new Set(['money.sql', ...names]);
  for (const name of broken) {
    const { length } = await readFile(join(definitions, name));
    await truncate(join(definitions, name), random.chance(0.5) ? 0 : random.integer(1, length - 1));
  }
  const [table] = await tablesIn(join(directory, 'data'));
  assert.ok(table !== undefined);
  await writeFile(join(table, 'mutation_99.txt'), '');

  const told: string[] = [];
  const chdb = await openChdb({ directory, onRedefine: (redefined) => told.push(...redefined) });
  await chdb.close();
  const expected = [...broken].map((name) => name.slice(0, -'.sql'.length));
  assert.deepEqual(told.filter((name) => !name.includes('mutation')).sort(), expected.sort());
  assert.match(told.at(-1) ?? '', /\/mutation_99\.txt$/);

  const analytics = await openAnalytics(root);
  await assertHolds(analytics.store, records);
  const more = makeRecords('more', 40, Date.UTC(2026, 10, 21));
  assert.equal(
    (await analytics.loader.load(new Segment('money-2.ndjson').batch(more))).kind,
    'loaded',
  );
  await assertHolds(analytics.store, [...records, ...more]);
  await analytics.close();
});

test('a migration that was cut off by an empty definition is run again', async (t) => {
  const root = await makeDirectory(t);
  const directory = join(root, 'analytics');
  const stopAt = createRandom(SEED).fork('migration').integer(2, 30);
  let statements = 0;
  const chdb = await openChdb({ directory });
  const cutOff = {
    query: chdb.query.bind(chdb),
    stream: chdb.stream.bind(chdb),
    insert: chdb.insert.bind(chdb),
    recover: chdb.recover.bind(chdb),
    close: chdb.close.bind(chdb),
    command: async (sql: string) => {
      statements += 1;
      if (statements > stopAt) throw new Error(sql);
      await chdb.command(sql);
    },
  };
  const definitions = join(directory, 'data/metadata/default');
  const error = await migrateAnalytics(cutOff).catch((reason: unknown) => reason);
  assert.ok(error instanceof Error);
  const [, name = ''] = /^(?:CREATE|ALTER)[A-Z ]* (\w+)/.exec(error.message) ?? [];
  t.diagnostic(`seed ${SEED}: cut off after ${stopAt} statements, at ${name || 'a record'}`);
  await chdb.close();
  // As chdb leaves it: it said that the statement was done.
  if (name !== '') await writeFile(join(definitions, `${name}.sql`), '');

  const analytics = await openAnalytics(root);
  const records = makeRecords('after', 40, Date.UTC(2026, 10, 20));
  assert.equal((await analytics.loader.load(new Segment().batch(records))).kind, 'loaded');
  await assertHolds(analytics.store, records);
  await analytics.close();
});

test('a table with records whose definition is lost is not removed, and the message says what helps', async (t) => {
  const { directory, definitions, copies } = await storeWithRecords(t);
  await writeFile(join(definitions, 'money.sql'), '');
  await rm(join(copies, 'money.sql'));
  await assert.rejects(
    openChdb({ directory }),
    /definition of money .* lost.*restore that directory from a backup/,
  );
  assert.deepEqual(await readFile(join(definitions, 'money.sql'), 'utf8'), '');
});

test('a statement whose definition did not come to the disk has failed, whatever the engine says', async (t) => {
  const { directory, definitions } = await storeWithRecords(t);
  const kept = new ChdbDefinitions(join(directory, 'data'));
  await kept.keep();
  for (const broken of ['', 'ATTACH TABLE _ UUID (\n']) {
    await writeFile(join(definitions, 'trace.sql'), broken);
    // Also when it is looked at again: what was found broken is not known.
    await assert.rejects(kept.keep(), /definition of trace did not come/);
    await assert.rejects(kept.keep(), /definition of trace did not come/);
  }
  assert.deepEqual(await kept.repair(), ['trace']);
  await kept.keep();
});
