import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, describe, test } from 'node:test';

import { createClient, type ClickHouseClient } from '@clickhouse/client';

import { connect } from '../../src/adapters/chdb-connection.ts';
import { insertSql } from '../../src/analytics/insert-sql.ts';
import { encode } from './loader-records.ts';

/**
 * What goes wrong without one of the measures of the loader, shown on the engine itself, so that a
 * later version of it that behaves differently is noticed here first.
 */

/** The settings of the loader, for tables of these tests. */
const SETTINGS = /SETTINGS (.*), insert_deduplication_token/.exec(
  insertSql('0'.repeat(64), false),
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

/** A raw table and a rollup of it, each with a window for deduplication. */
async function makeTables(name: string, windows: { raw: number; rollup: number }): Promise<void> {
  const run = (query: string): Promise<unknown> => client.command({ query });
  await run(`CREATE TABLE ${name} (k UInt64, n UInt64) ENGINE = MergeTree ORDER BY k
    SETTINGS non_replicated_deduplication_window = ${windows.raw}`);
  await run(`CREATE TABLE ${name}_sum (k UInt64, n UInt64) ENGINE = SummingMergeTree ORDER BY k
    SETTINGS non_replicated_deduplication_window = ${windows.rollup}`);
  await run(`CREATE MATERIALIZED VIEW ${name}_view TO ${name}_sum AS
    SELECT k, sum(n) AS n FROM ${name} GROUP BY k`);
}

async function sums(name: string): Promise<{ raw: number; rollup: number }> {
  const of = async (table: string): Promise<number> =>
    Number((await ask(`SELECT sum(n) AS n FROM ${table}`))[0]?.['n']);
  return { raw: await of(name), rollup: await of(`${name}_sum`) };
}

function rows(count: number, from = 0): Buffer {
  return encode(Array.from({ length: count }, (_, index) => ({ k: from + index, n: 1 })));
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

  test('with the loader’s settings a repeated INSERT changes nothing', async () => {
    await makeTables('good', { raw: 100, rollup: 100 });
    await insert('good', 't', rows(10_000));
    await insert('good', 't', rows(10_000));
    assert.deepEqual(await sums('good'), { raw: 10_000, rollup: 10_000 });
  });

  test('a rollup without a window is doubled by a repeated INSERT', async () => {
    await makeTables('window', { raw: 100, rollup: 0 });
    await insert('window', 't', rows(1000));
    await insert('window', 't', rows(1000));
    assert.deepEqual(await sums('window'), { raw: 1000, rollup: 2000 });
  });

  test('a rollup is doubled where it does not deduplicate for itself', async () => {
    await makeTables('dependent', { raw: 100, rollup: 100 });
    const off = 'deduplicate_blocks_in_dependent_materialized_views = 0';
    await insert('dependent', 't', rows(1000), off);
    await insert('dependent', 't', rows(1000), off);
    assert.deepEqual(await sums('dependent'), { raw: 1000, rollup: 2000 });
  });

  test('other rows under a token that was used are dropped without a word', async () => {
    await makeTables('token', { raw: 100, rollup: 100 });
    await insert('token', 't', rows(1000));
    await insert('token', 't', rows(1000, 5000));
    assert.deepEqual(await sums('token'), { raw: 1000, rollup: 1000 });
  });

  test('a batch of more blocks than the window holds is doubled by its repetition', async () => {
    await makeTables('blocks', { raw: 10, rollup: 10 });
    const cut = 'max_insert_block_size = 50, max_block_size = 50, min_insert_block_size_rows = 50';
    await insert('blocks', 't', rows(1000), cut);
    await insert('blocks', 't', rows(1000), cut);
    assert.deepEqual(await sums('blocks'), { raw: 2000, rollup: 2000 });
  });

  test('a view changed by MODIFY QUERY takes a repeated INSERT for a new one', async () => {
    await makeTables('modified', { raw: 100, rollup: 100 });
    await insert('modified', 't', rows(1000));
    await client.command({
      query: `ALTER TABLE modified_view MODIFY QUERY SELECT k, sum(n) AS n FROM modified GROUP BY k`,
    });
    await insert('modified', 't', rows(1000));
    assert.deepEqual(await sums('modified'), { raw: 1000, rollup: 2000 });
  });

  test('a view dropped and made anew under its name knows what the first one wrote', async () => {
    await makeTables('anew', { raw: 100, rollup: 100 });
    await insert('anew', 't', rows(1000));
    await client.command({ query: 'DROP VIEW anew_view' });
    await client.command({
      query: `CREATE MATERIALIZED VIEW anew_view TO anew_sum AS
        SELECT k, sum(n) * 2 AS n FROM anew GROUP BY k`,
    });
    await insert('anew', 't', rows(1000));
    assert.deepEqual(await sums('anew'), { raw: 1000, rollup: 1000 });
    await insert('anew', 'u', rows(1000));
    assert.deepEqual(await sums('anew'), { raw: 2000, rollup: 3000 });
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
