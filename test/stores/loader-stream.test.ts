import assert from 'node:assert/strict';
import { test } from 'node:test';

import { AnalyticsStoreError, type StoreRow } from '../../src/ports/analytics-store.ts';
import { Segment, testAnalytics } from './loader-fixture.ts';
import { makeRecords } from './loader-records.ts';

/** Characters of one to four bytes, so that every place of a chunk's end is tried. */
const TEXT = 'a é € 𝄞\n"';
const LONG = `SELECT number AS n, concat({text}, toString(number)) AS text FROM numbers(200000)
  SETTINGS max_block_size = 1000`.replace('{text}', `'${TEXT.replace('\n', '\\n')}'`);

test('a stream has every row of its statement, whole, in their order', async (t) => {
  const { store } = await testAnalytics(t);
  let next = 0;
  for await (const rows of store.stream(LONG)) {
    assert.ok(rows.length > 0 && rows.length <= 500);
    for (const { n, text } of rows) {
      assert.equal(Number(n), next);
      assert.equal(text, `${TEXT}${next}`);
      next += 1;
    }
  }
  assert.equal(next, 200_000);
  const none = await Array.fromAsync(store.stream('SELECT 1 AS n WHERE n = 2'));
  assert.deepEqual(none, []);
});

test('a fault ends a stream with the engine’s code, at its beginning or in its middle', async (t) => {
  const { store } = await testAnalytics(t);
  const read = async (sql: string): Promise<{ rows: number; code: number | null }> => {
    let rows = 0;
    try {
      for await (const some of store.stream(sql)) rows += some.length;
    } catch (error) {
      assert.ok(error instanceof AnalyticsStoreError);
      return { rows, code: error.code };
    }
    return assert.fail('no fault');
  };
  assert.deepEqual(await read('SELECT missing FROM money'), { rows: 0, code: 47 });
  const late = await read(
    'SELECT throwIf(number = 50000) AS n FROM numbers(100000) SETTINGS max_block_size = 1000',
  );
  assert.equal(late.code, 395);
  assert.ok(late.rows > 0 && late.rows <= 50_000);
});

test('whoever stops reading ends the statement', async (t) => {
  const { store } = await testAnalytics(t);
  const open = async (): Promise<StoreRow[]> =>
    store.query(`SELECT query FROM system.processes WHERE query LIKE '%FROM numbers(200000)%'
      AND query NOT LIKE '%system.processes%'`);
  const reading = store.stream(LONG)[Symbol.asyncIterator]();
  assert.equal((await reading.next()).done, false);
  assert.equal((await open()).length, 1);
  await reading.return?.();
  assert.equal((await open()).length, 0);
});

test('streams run beside one another, beside loads and statements with parameters', async (t) => {
  const { store, loader } = await testAnalytics(t);
  const segment = new Segment();
  const batches = Array.from({ length: 5 }, (_, index) =>
    segment.batch(makeRecords(`beside ${index}`, 50, Date.UTC(2026, 10, 20))),
  );
  const count = async (): Promise<number> => {
    let rows = 0;
    for await (const some of store.stream(LONG)) rows += some.length;
    return rows;
  };
  const ask = async (): Promise<void> => {
    for (let n = 0; n < 50; n += 1) {
      const [row] = await store.query('SELECT {n:UInt64} AS n', { n });
      assert.equal(Number(row?.['n']), n);
    }
  };
  const load = async (): Promise<void> => {
    for (const batch of batches) assert.equal((await loader.load(batch)).kind, 'loaded');
  };
  const counts = Promise.all([count(), count(), count()]);
  await Promise.all([counts, ask(), ask(), load()]);
  assert.deepEqual(await counts, [200_000, 200_000, 200_000]);
});

test('when the engine is opened anew a stream ends with an error, and another one works', async (t) => {
  const { store } = await testAnalytics(t);
  const isCut = { name: 'AnalyticsStoreError', message: /was closed before all rows/ };
  const paused = store.stream(LONG)[Symbol.asyncIterator]();
  await paused.next();
  const reading = (async () => {
    for await (const rows of store.stream(LONG)) assert.ok(rows.length > 0);
  })();
  await Promise.all([store.recover(), assert.rejects(reading, isCut)]);
  await assert.rejects(async () => {
    for (;;) if ((await paused.next()).done === true) return;
  }, isCut);
  const [first] = await Array.fromAsync(store.stream('SELECT 1 AS n'));
  assert.deepEqual(first, [{ n: 1 }]);
});
