import assert from 'node:assert/strict';
import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';

import Type, { type TSchema } from 'typebox';

import { openChdb } from '../../src/adapters/chdb.ts';
import { insertSql } from '../../src/analytics/insert-sql.ts';
import { migrateAnalytics, SQL_DIRECTORY } from '../../src/analytics/migrate.ts';
import { RAW_DAYS } from '../../src/analytics/rebuild.ts';
import { ROLLUPS } from '../../src/analytics/rollups.ts';
import { AuctionRecordSchema } from '../../src/events/auction-record.ts';
import { BeaconRecordSchema } from '../../src/events/beacon-record.ts';
import { DeliveryRecordSchema } from '../../src/events/delivery-record.ts';
import { assertHolds, fillRollups, makeDirectory, testAnalytics } from './loader-fixture.ts';
import { TABLES } from './loader-oracle.ts';
import { encode, makeRecords, ofLoad } from './loader-records.ts';
import { atEnd } from '../support/at-end.ts';

/** Every kind of record of the money stream, and what the journal adds to each. */
const RECORD_SCHEMAS = {
  mark: Type.Object({ line: Type.Integer(), crc: Type.Integer() }),
  auction: AuctionRecordSchema,
  beacon: BeaconRecordSchema,
  delivery: DeliveryRecordSchema,
};

/** Every property of a record schema with the SQL type that holds it, in order. */
function columnsOf(schema: TSchema): Record<string, string[]> {
  const { properties } = shapeOf(schema);
  return Object.fromEntries(
    Object.entries(properties ?? {}).map(([name, property]) => [name, sqlTypesOf(property)]),
  );
}

interface Shape {
  readonly type?: string;
  readonly const?: unknown;
  readonly minimum?: number;
  readonly items?: TSchema;
  readonly anyOf?: readonly TSchema[];
  readonly properties?: Record<string, TSchema>;
}

function shapeOf(schema: TSchema): Shape {
  return schema;
}

/**
 * The types that may hold a value: texts either way, flags in 8 bits, every other integer in 64,
 * since ClickHouse cuts what does not fit without a word.
 */
function sqlTypesOf(schema: TSchema): string[] {
  const { type, const: constant, minimum, items, anyOf, properties } = shapeOf(schema);
  if (anyOf !== undefined) {
    const isFlag = anyOf.every((each) => [0, 1].includes(Number(shapeOf(each).const ?? 2)));
    return isFlag ? ['UInt8'] : ['LowCardinality(String)'];
  }
  if (constant !== undefined) return ['LowCardinality(String)'];
  if (type === 'string') return ['String', 'LowCardinality(String)'];
  if (type === 'integer') return minimum !== undefined && minimum < 0 ? ['Int64'] : ['UInt64'];
  if (type === 'array' && items !== undefined) {
    return sqlTypesOf(items).map((inner) => `Array(${inner})`);
  }
  assert.ok(type === 'object' && properties !== undefined, `no SQL type for ${String(type)}`);
  return ['Tuple'];
}

/** `Array(Tuple(a UInt8, b Array(String)))` to its elements; null for what is no such array. */
function elementsOf(type: string): Record<string, string> | null {
  const tuple = /^Array\(Tuple\((.*)\)\)$/s.exec(type)?.[1];
  if (tuple === undefined) return null;
  return Object.fromEntries(
    tuple.split(/,\s*(?=\w+ )/).map((element) => {
      const [, name = '', inner = ''] = /^\s*(\w+)\s+(.*)$/s.exec(element) ?? [];
      return [name, inner];
    }),
  );
}

/** The elements of a tuple are the fields of the object, in name, order and type. */
function assertSame(elements: Record<string, string>, schema: TSchema, where: string): void {
  const fields = Object.keys(columnsOf(schema));
  assert.deepEqual(Object.keys(elements), fields, `${where}: names and order`);
  assertHold(elements, schema, where);
}

/** There is a column for every field, of a type that holds it. */
function assertHold(columns: Record<string, string>, schema: TSchema, where: string): void {
  for (const [name, types] of Object.entries(columnsOf(schema))) {
    assert.ok(name in columns, `${where}.${name} has no column`);
    const elements = elementsOf(columns[name] ?? '');
    if (elements === null) {
      const type = columns[name] ?? '';
      assert.ok(types.includes(type), `${where}.${name} is ${type}, not ${types.join(' or ')}`);
      continue;
    }
    const { items } = shapeOf(shapeOf(schema).properties?.[name] ?? {});
    assert.ok(items !== undefined, `${where}.${name} is no array`);
    assertSame(elements, items, `${where}.${name}`);
  }
}

describe('the columns of the raw table', () => {
  test('are the fields of the records of every kind, and no others', async (t) => {
    const { store } = await testAnalytics(t);
    const rows = await store.query(
      `SELECT name, type FROM system.columns
       WHERE database = currentDatabase() AND table = 'money' AND default_kind = ''
       ORDER BY position`,
    );
    const columns = rows.map(({ name, type }) => [String(name), String(type)] as const);
    for (const [kind, schema] of Object.entries(RECORD_SCHEMAS)) {
      assertHold(Object.fromEntries(columns), schema, kind);
    }
    const fields = Object.values(RECORD_SCHEMAS).flatMap((each) => Object.keys(columnsOf(each)));
    // The loader adds the number of the load.
    const all = new Set([...fields, 'load']);
    assert.deepEqual(columns.map(([name]) => name).toSorted(), [...all].toSorted());
  });

  test('would be found to differ if one were missing, narrower or of another name', () => {
    const good = { demand_partner_id: 'UInt64', imp: 'UInt64', lineitem_ids: 'Array(UInt64)' };
    const rest = { outcome: 'LowCardinality(String)', reason: 'String', latency_us: 'UInt64' };
    const { calls } = shapeOf(AuctionRecordSchema).properties ?? {};
    const { items } = shapeOf(calls ?? {});
    assert.ok(items !== undefined);
    assertSame({ ...good, ...rest }, items, 'calls');
    const { imp, ...missing } = good;
    for (const wrong of [
      { ...missing, ...rest },
      { ...good, imp: 'UInt32', ...rest },
      { ...missing, impression: imp, ...rest },
      { ...rest, ...good },
    ]) {
      assert.throws(() => assertSame(wrong, items, 'calls'));
    }
    assert.throws(() => assertHold({ kind: 'String' }, DeliveryRecordSchema, 'delivery'));
  });
});

test('every table deduplicates, syncs what it wrote, and expires', async (t) => {
  const { store } = await testAnalytics(t);
  const rows = await store.query(
    `SELECT name, create_table_query AS text FROM system.tables
     WHERE database = currentDatabase() AND engine LIKE '%MergeTree' AND name NOT IN ('migrations', 'rollup_steps')`,
  );
  const tables = [...TABLES, 'creatives', 'trace'];
  assert.deepEqual(rows.map(({ name }) => String(name)).toSorted(), tables.toSorted());
  for (const { name, text } of rows) {
    for (const part of [
      'non_replicated_deduplication_window = 1000',
      'fsync_after_insert = 1',
      'fsync_part_directory = 1',
      'min_rows_to_fsync_after_merge = 1',
      // Creatives expire one by one, and are merged before that.
      name === 'creatives' ? 'min_age_to_force_merge_seconds = 86400' : 'ttl_only_drop_parts = 1',
      'TTL ',
    ]) {
      assert.ok(String(text).includes(part), `${String(name)} lacks ${part}`);
    }
  }
  const raw = String(rows.find(({ name }) => name === 'money')?.['text']);
  const days = Number(/INTERVAL (\d+) DAY|toIntervalDay\((\d+)\)/.exec(raw)?.slice(1).join(''));
  assert.equal(days, RAW_DAYS + 1);
});

test('every rollup has views, which bear its name', async (t) => {
  const { store } = await testAnalytics(t);
  const rows = await store.query(
    `SELECT name FROM system.tables WHERE database = currentDatabase() AND engine = 'View'`,
  );
  const names = rows.map(({ name }) => String(name)).toSorted();
  assert.deepEqual(names, [
    'bid_reasons_daily_from_auctions',
    'billed_by_expiry_from_beacons',
    'call_reasons_daily_from_auctions',
    'creatives_from_trace',
    'demand_daily_from_auctions',
    'demand_daily_from_beacons',
    'inventory_hourly_from_auctions',
    'lineitem_daily_from_auctions',
    'lineitem_daily_from_beacons',
    'supply_daily_from_auctions',
    'supply_daily_from_beacons',
    'traffic_10s_from_auctions',
    'traffic_10s_from_beacons',
    'traffic_10s_from_calls',
  ]);
  const fed = new Set(names.map((name) => name.replace(/_from_\w+$/, '')));
  assert.deepEqual([...fed].toSorted(), ROLLUPS.map(({ table }) => table).toSorted());
});

describe('migrations', () => {
  /** A copy of `sql/`, to change. */
  async function copySql(t: Parameters<typeof makeDirectory>[0]): Promise<string> {
    const sql = join(await makeDirectory(t), 'sql');
    await mkdir(sql);
    for (const name of await readdir(SQL_DIRECTORY)) {
      await copyFile(join(SQL_DIRECTORY, name), join(sql, name));
    }
    return sql;
  }

  async function openStore(t: Parameters<typeof makeDirectory>[0]): ReturnType<typeof openChdb> {
    const store = await openChdb({ directory: await makeDirectory(t) });
    atEnd(t, () => store.close());
    return store;
  }

  test('are run once, in order, and recorded', async (t) => {
    const store = await openStore(t);
    const names = (await readdir(SQL_DIRECTORY)).toSorted();
    assert.deepEqual(await migrateAnalytics(store), names);
    assert.deepEqual(await migrateAnalytics(store), []);
    const recorded = await store.query('SELECT name FROM migrations ORDER BY name');
    assert.deepEqual(
      recorded.map(({ name }) => String(name)),
      names,
    );
  });

  test('that were cut off are run again from their start', async (t) => {
    const store = await openStore(t);
    for (let cutAt = 2; cutAt < 30; cutAt += 1) {
      let left = cutAt;
      const cut = {
        query: (sql: string) => store.query(sql),
        command: (sql: string) => {
          left -= 1;
          return left < 0 ? Promise.reject(new Error('cut off')) : store.command(sql);
        },
        stream: () => assert.fail('unused'),
        insert: () => Promise.reject(new Error('unused')),
        recover: () => Promise.reject(new Error('unused')),
        close: () => Promise.reject(new Error('unused')),
      };
      await migrateAnalytics(cut).catch((error: unknown) => {
        assert.match(String(error), /cut off/);
      });
    }
    await migrateAnalytics(store);
    const records = makeRecords('migrated', 50, Date.UTC(2026, 10, 20));
    await store.insert(insertSql('money', [1], false), encode(ofLoad(1, records)));
    await fillRollups(store);
    await assertHolds(store, records);
  });

  test('that were edited, are missing or come too late are refused', async (t) => {
    const store = await openStore(t);
    const sql = await copySql(t);
    await migrateAnalytics(store, sql);
    const late = join(sql, '0001-late.sql');
    await writeFile(late, 'DROP TABLE IF EXISTS money;\n');
    await assert.rejects(migrateAnalytics(store, sql), /0001-late\.sql comes before a migration/);

    const other = await copySql(t);
    await writeFile(join(other, '0002-reports.sql'), 'DROP TABLE IF EXISTS money;\n');
    await assert.rejects(migrateAnalytics(store, other), /0002-reports\.sql was edited after/);

    const older = join(await makeDirectory(t), 'sql');
    await mkdir(older);
    await copyFile(join(SQL_DIRECTORY, '0001-money.sql'), join(older, '0001-money.sql'));
    await assert.rejects(migrateAnalytics(store, older), /newer version: it has 0002-reports/);
    assert.deepEqual(await migrateAnalytics(store), []);
  });

  test('that could not be run twice are refused before any is run', async (t) => {
    const store = await openStore(t);
    const sql = await copySql(t);
    await writeFile(
      join(sql, '0009-more.sql'),
      '-- Why.\nCREATE TABLE more (a UInt8) ENGINE = Log;\n',
    );
    await assert.rejects(migrateAnalytics(store, sql), /cannot be run twice: write IF \[NOT\]/);
    await writeFile(join(sql, '0000.sql'), '');
    await assert.rejects(migrateAnalytics(store, sql), /is not named like 0001-what\.sql/);
    assert.deepEqual(await store.query('SHOW TABLES'), []);
  });
});
