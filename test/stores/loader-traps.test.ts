import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, describe, test } from 'node:test';

import { createClient, type ClickHouseClient } from '@clickhouse/client';

import { connect } from '../../src/adapters/chdb-connection.ts';
import { insertSql, stepSql } from '../../src/analytics/insert-sql.ts';
import { encode } from './loader-records.ts';

/**
 * What goes wrong without one of the measures of the loader, shown on the engine itself, so that a
 * later version of it that behaves differently is noticed here first.
 */

/** The settings of the loader, for tables of these tests. */
const SETTINGS = /SETTINGS (.*), insert_deduplication_token/.exec(
  insertSql('money', [1], false),
)?.[1];

let directory: string;
let client: ClickHouseClient;

async function insert(table: string, token: string, lines: Buffer, settings = ''): Promise<void> {
  const all = [SETTINGS, settings, `insert_deduplication_token = '${token}'`];
  const { stream } = await client.exec({
    query: `INSERT INTO ${table} SETTINGS ${all.filter(Boolean).join(', ')} FORMAT JSONEachRow`,
    values: Readable.from([lines]),
  });
  stream.resume();
}

async function ask(query: string): Promise<Record<string, unknown>[]> {
  const results = await client.query({ query, format: 'JSONEachRow' });
  return results.json();
}

/** A raw table of loads and a rollup of it, each with a window for deduplication. */
async function makeTables(name: string, windows: { raw: number; rollup: number }): Promise<void> {
  const run = (query: string): Promise<unknown> => client.command({ query });
  await run(`CREATE TABLE ${name} (k UInt64, n UInt64, load UInt64) ENGINE = MergeTree
    PARTITION BY intDiv(load, 1000000000000000) ORDER BY k
    SETTINGS non_replicated_deduplication_window = ${windows.raw}`);
  await run(`CREATE TABLE ${name}_sum (k UInt64, n UInt64) ENGINE = SummingMergeTree ORDER BY k
    PARTITION BY intDiv(k, 1000000)
    SETTINGS non_replicated_deduplication_window = ${windows.rollup}`);
  await run(`CREATE VIEW ${name}_view AS SELECT k, sum(n) AS n FROM ${name} GROUP BY k`);
}

/** Fills the rollup from some loads, as a step does. */
async function fill(
  name: string,
  first: number,
  last: number,
  change: (sql: string) => string = (sql) => sql,
): Promise<void> {
  const select = `SELECT k, n FROM ${name}_view`;
  const step = { table: `${name}_sum`, columns: 'k, n', select, order: 'ALL', source: name };
  await client.command({ query: change(stepSql({ ...step, first, last })) });
}

async function sums(name: string): Promise<{ raw: number; rollup: number }> {
  const of = async (table: string): Promise<number> =>
    Number((await ask(`SELECT sum(n) AS n FROM ${table}`))[0]?.['n']);
  return { raw: await of(name), rollup: await of(`${name}_sum`) };
}

function rows(count: number, from = 0, load = 1): Buffer {
  return encode(Array.from({ length: count }, (_, index) => ({ k: from + index, n: 1, load })));
}

describe('on the engine itself', () => {
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'rialto-traps-'));
    client = createClient({ connection: await connect(join(directory, 'data')) });
  });
  after(async () => {
    await client.close();
    const { drainPending } = await import('chdb');
    await drainPending();
    await rm(directory, { recursive: true });
  });

  test('with the loader’s settings a repeated INSERT and a repeated step change nothing', async () => {
    await makeTables('good', { raw: 100, rollup: 100 });
    for (const load of [1, 2]) {
      await insert('good', `t${load}`, rows(100_000, 0, load));
      await insert('good', `t${load}`, rows(100_000, 0, load));
      await fill('good', load, load);
      await fill('good', load, load);
    }
    assert.deepEqual(await sums('good'), { raw: 200_000, rollup: 200_000 });
    const parts = await ask(
      `SELECT max(max_block_number) AS last FROM system.parts WHERE table = 'good_sum'`,
    );
    // A block each, and the number of the one that was refused.
    assert.ok(Number(parts[0]?.['last']) <= 4, JSON.stringify(parts));
  });

  test('a rollup without a window is doubled by a repeated step', async () => {
    await makeTables('window', { raw: 100, rollup: 0 });
    await insert('window', 't', rows(1000));
    await fill('window', 1, 1);
    await fill('window', 1, 1);
    assert.deepEqual(await sums('window'), { raw: 1000, rollup: 2000 });
  });

  test('a token goes with the partition that it filled: what was dropped is filled by the same step again', async () => {
    await makeTables('rebuilt', { raw: 100, rollup: 100 });
    await insert('rebuilt', 't', rows(1000));
    await fill('rebuilt', 1, 1);
    await client.command({ query: 'ALTER TABLE rebuilt_sum DROP PARTITION 0' });
    await fill('rebuilt', 1, 1);
    assert.deepEqual(await sums('rebuilt'), { raw: 1000, rollup: 1000 });
  });

  test('a step opens no part that has none of its loads', async () => {
    await makeTables('pruned', { raw: 100, rollup: 100 });
    for (const load of [1, 2, 3, 4]) await insert('pruned', `t${load}`, rows(10, 0, load));
    const plan = await ask(
      `EXPLAIN indexes = 1 SELECT k, n FROM pruned_view
       SETTINGS additional_table_filters = {'pruned': 'load BETWEEN 3 AND 3'}`,
    );
    assert.match(JSON.stringify(plan), /Min-Max.*?Parts: 1\/4/);
  });

  test('other rows under a token that was used are dropped without a word', async () => {
    await makeTables('token', { raw: 100, rollup: 100 });
    await insert('token', 't', rows(1000));
    await insert('token', 't', rows(1000, 5000));
    assert.deepEqual(await sums('token'), { raw: 1000, rollup: 0 });
  });

  test('a batch of more blocks than the window holds is doubled by its repetition', async () => {
    await makeTables('blocks', { raw: 10, rollup: 10 });
    const cut = 'max_insert_block_size = 50, max_block_size = 50, min_insert_block_size_rows = 50';
    await insert('blocks', 't', rows(1000), cut);
    await insert('blocks', 't', rows(1000), cut);
    assert.deepEqual(await sums('blocks'), { raw: 2000, rollup: 0 });
  });

  test('a setting beside the SQL text stays with the session of chdb', async () => {
    const { createChdbConnection } = await import('chdb/connection');
    const bare = createChdbConnection({ path: join(directory, 'data') });
    const read = async (): Promise<string> => {
      const query = `SELECT value FROM system.settings WHERE name = 'max_result_rows'`;
      const { stream } = await bare.query({ query });
      return Buffer.concat(await stream.toArray())
        .toString()
        .trim();
    };
    await bare.query({ query: 'SELECT 1', clickhouse_settings: { max_result_rows: '77' } });
    assert.equal(await read(), '"77"');
    await bare.close();
  });

  test('and is refused by our connection', async () => {
    await assert.rejects(
      client.query({ query: 'SELECT 1', clickhouse_settings: { max_result_rows: '77' } }),
      /into the SQL text: SETTINGS/,
    );
  });

  test('a character across two chunks is broken, so that a batch is one', async () => {
    await client.command({ query: 'CREATE TABLE texts (s String) ENGINE = Memory' });
    const line = Buffer.from('{"s":"€"}\n');
    const cut = line.indexOf('€') + 1;
    const { stream } = await client.exec({
      query: 'INSERT INTO texts SETTINGS async_insert = 0 FORMAT JSONEachRow',
      values: Readable.from([line.subarray(0, cut), line.subarray(cut)]),
    });
    stream.resume();
    assert.deepEqual(await ask('SELECT s FROM texts'), [{ s: '\ufffd\ufffd\ufffd' }]);
  });

  test('what stands behind an empty line among the records is run as SQL', async () => {
    await client.command({ query: 'CREATE TABLE victim (s String) ENGINE = Memory' });
    await client.command({ query: "INSERT INTO victim VALUES ('here')" });
    for (const format of ['JSONEachRow', 'LineAsString']) {
      const { stream } = await client.exec({
        query: `INSERT INTO texts SETTINGS async_insert = 0 FORMAT ${format}`,
        values: Readable.from([Buffer.from('{"s":"a"}\n\nTRUNCATE TABLE victim\n')]),
      });
      stream.resume();
      assert.deepEqual(await ask('SELECT count() AS n FROM victim'), [{ n: 0 }], format);
      await client.command({ query: "INSERT INTO victim VALUES ('again')" });
    }
  });

  test('the client’s own insert takes bytes for an object, and inserts an empty row', async () => {
    const { createChdbConnection } = await import('chdb/connection');
    const bare = createChdbConnection({ path: join(directory, 'data') });
    await bare.command({ query: 'CREATE TABLE bytes (s String) ENGINE = Memory' });
    // What `client.insert({ values: Buffer.from('{"s":"a"}\n') })` sends.
    const values = JSON.stringify(Buffer.from('{"s":"a"}\n'));
    await bare.insert({ query: 'INSERT INTO bytes FORMAT JSONEachRow', values });
    assert.deepEqual(await ask('SELECT s FROM bytes'), [{ s: '' }]);
    await bare.close();
  });

  test('integers that do not fit are cut without a word, so that columns are wide', async () => {
    await client.command({
      query: 'CREATE TABLE narrow (a UInt8, b UInt64) ENGINE = MergeTree ORDER BY a',
    });
    await insert('narrow', 't', encode([{ a: 300, b: Number.MAX_SAFE_INTEGER }]));
    assert.deepEqual(await ask('SELECT a, toString(b) AS b FROM narrow'), [
      { a: 44, b: String(Number.MAX_SAFE_INTEGER) },
    ]);
  });

  test('without the loader’s settings a wrong record is guessed at', async () => {
    await client.command({
      query: `CREATE TABLE lax (s String, t Array(Tuple(x UInt64, y String)))
        ENGINE = MergeTree ORDER BY s`,
    });
    const wrong = [
      { s: 5 },
      { s: 'a', z: 1 },
      { t: [{ x: 1 }] },
      { t: [{ x: true, y: 'b', z: 1 }] },
    ];
    for (const record of wrong) {
      await assert.rejects(insert('lax', JSON.stringify(record), encode([record])));
      const { stream } = await client.exec({
        query: 'INSERT INTO lax SETTINGS async_insert = 0 FORMAT JSONEachRow',
        values: Readable.from([encode([record])]),
      });
      stream.resume();
    }
    assert.equal((await ask('SELECT count() AS n FROM lax'))[0]?.['n'], wrong.length);
  });

  test('nothing is compiled to native code before it was asked for a hundred times', async () => {
    const values = await ask(
      `SELECT DISTINCT value FROM system.settings WHERE startsWith(name, 'min_count_to_compile_')`,
    );
    assert.deepEqual(values, [{ value: '100' }]);
  });
});
