import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { LoadResult } from '../../src/analytics/load-result.ts';
import type { AuctionTrace, CreativeRecord, TraceRecord } from '../../src/events/trace-record.ts';
import type { AnalyticsStore } from '../../src/ports/analytics-store.ts';
import type { Batch } from '../../src/ports/batch.ts';
import type { Order } from './loader-child.ts';
import {
  makeDirectory,
  NODE_A,
  openAnalyticsIn,
  Segment,
  testAnalytics,
} from './loader-fixture.ts';
import { encode, makeRecords } from './loader-records.ts';
import { atEnd } from '../support/at-end.ts';

/** Traces on their way into the analytics store: exactly once like money, and cheaper. */

const CHILD = join(import.meta.dirname, 'loader-child.ts');
const START_MS = Date.UTC(2026, 10, 20, 12);

function auctionId(index: number): string {
  return `${(START_MS + index).toString(16).padStart(12, '0')}${String(index).padStart(20, '0')}`;
}

function aTrace(index: number, differs: Partial<AuctionTrace> = {}): AuctionTrace {
  return {
    kind: 'trace',
    auction_id: auctionId(index),
    at_ms: START_MS + index,
    publisher_id: 2001,
    demand_partner_ids: [1001, 1002],
    tmax_ms: 300,
    duration_us: 12_000,
    revenue_share_bps: 8000,
    imps: [{ formats: ['banner'], first_price: 0 }],
    calls: [],
    bids: [],
    ...differs,
  };
}

function aCreative(index: number): CreativeRecord {
  return {
    kind: 'creative',
    at_ms: START_MS + index,
    first_ms: START_MS,
    demand_partner_id: 1001,
    publisher_id: 2001,
    crid: 'c-1',
    adomain: ['x.example'],
    ad_format: 'banner',
    w: 300,
    h: 250,
    markup: '<a href="x">ü\u2028; -- \'</a>',
    markup_bytes: 30,
    wins: 3,
    pending: 0,
  };
}

/** A segment of traces, which hands out batches as `Segment` does. */
class TraceSegment {
  readonly #segment = new Segment('trace-1.ndjson');

  batch(records: readonly TraceRecord[]): Batch {
    return this.batchOf(encode(records));
  }

  batchOf(records: Uint8Array): Batch {
    const { manifest } = this.#segment.batchOf(records);
    return { manifest: { ...manifest, stream: 'trace', schema: 2 }, records };
  }
}

async function linesOf(store: AnalyticsStore): Promise<string[]> {
  const rows = await store.query('SELECT line FROM trace ORDER BY at_ms, kind');
  return rows.map(({ line }) => String(line));
}

function assertLines(actual: readonly string[], records: readonly TraceRecord[]): void {
  const text = Buffer.from(encode(records)).toString();
  assert.deepEqual(actual.toSorted(), text.trimEnd().split('\n').sort());
}

test('traces are kept as the lines that they are, and are found by what stands at their beginning', async (t) => {
  const { store, loader } = await testAnalytics(t);
  const segment = new TraceSegment();
  const detail = 'price 1.5 is below "2" – \\ \u2028 ; -- \'x\' {$1}\u0000';
  const bid = {
    detail,
    floor_micros: 1,
    lineitem_floor_micros: 0,
    deal_type: '',
    group: -1,
    min_to_win_micros: -1,
    out: 0,
  } as const;
  const records = [aTrace(1, { bids: [bid] }), aTrace(2), aCreative(3)];
  assert.deepEqual(await loader.load(segment.batch(records)), { kind: 'loaded', records: 3 });
  assertLines(await linesOf(store), records);
  const found = await store.query(
    `SELECT line, kind, at_ms, publisher_id, demand_partner_ids, date FROM trace
     WHERE date = '2026-11-20' AND kind = 'trace' AND auction_id = {id:String}`,
    { id: auctionId(1) },
  );
  assert.deepEqual(found, [
    {
      line: JSON.stringify(records[0]),
      kind: 'trace',
      at_ms: START_MS + 1,
      publisher_id: 2001,
      demand_partner_ids: [1001, 1002],
      date: '2026-11-20',
    },
  ]);
  assert.equal(loader.counters.trace.records, 3);
  assert.equal(loader.counters.money.records, 0);
});

test('one auction among many is found without reading the others', async (t) => {
  const { store, loader } = await testAnalytics(t);
  const segment = new TraceSegment();
  const records = Array.from({ length: 30_000 }, (_, index) => aTrace(index));
  for (let at = 0; at < records.length; at += 10_000) {
    const batch = segment.batch(records.slice(at, at + 10_000));
    assert.equal((await loader.load(batch)).kind, 'loaded');
  }
  const plan = await store.query(
    `EXPLAIN indexes = 1 SELECT line FROM trace
     WHERE date = '2026-11-20' AND kind = 'trace' AND auction_id = '${auctionId(17_000)}'`,
  );
  const granules = plan
    .map(({ explain }) => /Granules: (\d+)\/(\d+)/.exec(String(explain)))
    .filter((found) => found !== null);
  const [, read, all] = granules.at(-1) ?? [];
  assert.equal(Number(read), 1, `${read} of ${all}`);
  const settings = await store.query(
    "SELECT create_table_query FROM system.tables WHERE database = currentDatabase() AND name = 'trace'",
  );
  assert.match(
    String(settings[0]?.['create_table_query']),
    /TTL greatest\(date, loaded\) \+ toIntervalDay\(8\)/,
  );
});

test('a batch that comes again is there once, in the table and in views of it', async (t) => {
  let acknowledge = true;
  const { store, loader } = await testAnalytics(t, (parts) => ({
    ...parts,
    offsets: {
      ...parts.offsets,
      commit: (...args) =>
        acknowledge ? parts.offsets.commit(...args) : Promise.reject(new Error('no answer')),
    },
  }));
  await store.command(
    `CREATE TABLE seen (crid String, wins UInt64) ENGINE = SummingMergeTree ORDER BY crid
     SETTINGS non_replicated_deduplication_window = 1000`,
  );
  await store.command(
    `CREATE MATERIALIZED VIEW seen_from_trace TO seen AS
     SELECT JSONExtractString(line, 'crid') AS crid, sum(JSONExtractUInt(line, 'wins')) AS wins
     FROM trace WHERE kind = 'creative' GROUP BY crid`,
  );
  const segment = new TraceSegment();
  const records = [aTrace(1), aCreative(2), aCreative(3)];
  const batch = segment.batch(records);
  acknowledge = false;
  await assert.rejects(loader.load(batch), /no answer/);
  await assert.rejects(loader.load(batch), /no answer/);
  acknowledge = true;
  assert.equal((await loader.load(batch)).kind, 'already');
  assertLines(await linesOf(store), records);
  assert.deepEqual(await store.query('SELECT crid, sum(wins) AS wins FROM seen GROUP BY crid'), [
    { crid: 'c-1', wins: 6 },
  ]);
});

test('money and trace of one node are loaded apart, also while a batch of the other is under way', async (t) => {
  let fails = true;
  const { store, loader, offsets } = await testAnalytics(t, (parts) => ({
    ...parts,
    store: {
      ...parts.store,
      command: (sql) => parts.store.command(sql),
      query: (sql, parameters) => parts.store.query(sql, parameters),
      recover: () => parts.store.recover(),
      insert: (sql, records) =>
        fails && sql.startsWith('INSERT INTO trace')
          ? Promise.reject(new Error('no room'))
          : parts.store.insert(sql, records),
    },
  }));
  const traces = new TraceSegment();
  const batch = traces.batch([aTrace(1)]);
  assert.equal((await loader.load(batch)).kind, 'failed');
  const money = makeRecords('beside', 5, START_MS);
  assert.equal((await loader.load(new Segment().batch(money))).kind, 'loaded');
  const pending = await offsets.pending();
  assert.deepEqual(
    pending.map(({ manifest, load }) => [manifest, load]),
    [[batch.manifest, null]],
  );
  fails = false;
  assert.equal((await loader.load(batch)).kind, 'loaded');
  assert.deepEqual(await offsets.pending(), []);
  assertLines(await linesOf(store), [aTrace(1)]);
});

const refused: [string, string][] = [
  ['is cut off', '{"kind":"trace","auction_id":"a"'],
  ['is no JSON', 'garbage'],
  ['is more than JSON', `${JSON.stringify(aTrace(5))},`],
  ['is no object', '[1]'],
  ['is of a kind that nobody knows', JSON.stringify({ ...aTrace(5), kind: 'what' })],
  ['has no auction', JSON.stringify(aTrace(5, { auction_id: '' }))],
  ['has no publisher', JSON.stringify(aTrace(5, { publisher_id: 0 }))],
  ['has its time in seconds', JSON.stringify(aTrace(5, { at_ms: START_MS / 1000 }))],
  ['is empty', ''],
];
for (const [what, line] of refused) {
  test(`a batch of traces with a line that ${what} is held, and the next one goes on`, async (t) => {
    const { store, loader, quarantine } = await testAnalytics(t);
    const segment = new TraceSegment();
    const [before, after] = [aTrace(1), aTrace(2)].map((record) => JSON.stringify(record));
    const batch = segment.batchOf(Buffer.from(`${before}\n${line}\n${after}\n`));
    assert.equal((await loader.load(batch)).kind, 'quarantined');
    assert.equal((await quarantine.figures()).refused, 1);
    assert.equal((await loader.load(segment.batch([aTrace(3)]))).kind, 'loaded');
    assertLines(await linesOf(store), [aTrace(1), aTrace(2), aTrace(3)]);
  });
}

for (const stream of ['money', 'trace'] as const) {
  test(`nothing that stands behind an empty line of ${stream} is run`, async (t) => {
    const { store, loader } = await testAnalytics(t);
    await store.command('CREATE TABLE victim (n UInt64) ENGINE = MergeTree ORDER BY n');
    const traces = new TraceSegment();
    const money = new Segment();
    const first = Buffer.from(
      encode(stream === 'trace' ? [aTrace(1)] : makeRecords('empty', 1, START_MS)),
    );
    for (const text of ['\nDROP TABLE victim\n', `${String(first)}\nDROP TABLE victim\n`]) {
      const records = Buffer.from(text);
      const batch = stream === 'trace' ? traces.batchOf(records) : money.batchOf(records);
      const result = await loader.load(batch);
      assert.equal(result.kind === 'quarantined' ? result.reason : '', 'a line is empty');
    }
    assert.deepEqual(await store.query('SELECT count() AS n FROM victim'), [{ n: 0 }]);
  });
}

test('traces of a newer version wait for the control that knows them', async (t) => {
  const { loader } = await testAnalytics(t);
  const { manifest, records } = new TraceSegment().batch([aTrace(1)]);
  const result = await loader.load({ manifest: { ...manifest, schema: 99 }, records });
  assert.deepEqual(result, { kind: 'failed', reason: 'schema 99 is newer than this version' });
});

test('killed between the insertion and its acknowledgement, every trace is there once', async (t) => {
  const directory = await makeDirectory(t);
  const segment = new TraceSegment();
  const batches = [1, 2, 3].map((n) => {
    const records = Array.from({ length: 200 }, (_, index) => aTrace(n * 1000 + index));
    return { records, batch: segment.batch(records) };
  });
  for (const [index, { batch }] of batches.entries()) {
    const victim = fork(CHILD, [directory], { serialization: 'advanced' });
    atEnd(t, () => victim.kill('SIGKILL'));
    await once(victim, 'message');
    const previous = batches[index - 1];
    if (previous !== undefined) assert.equal(await offer(t, victim, previous.batch), 'already');
    victim.send({ batch, holdCommit: true } satisfies Order);
    const [said]: unknown[] = await once(victim, 'message');
    assert.equal(said, 'inserted');
    const ended = once(victim, 'exit');
    victim.kill('SIGKILL');
    await ended;
  }
  const analytics = await openAnalyticsIn(t, directory);
  const kinds: LoadResult['kind'][] = [];
  for (const { batch } of batches) kinds.push((await analytics.loader.load(batch)).kind);
  assert.deepEqual(kinds, ['already', 'already', 'already']);
  assertLines(
    await linesOf(analytics.store),
    batches.flatMap(({ records }) => records),
  );
  assert.equal((await analytics.offsets.read(NODE_A, 'trace')).pending, null);
  await analytics.close();
});

async function offer(
  t: TestContext,
  child: ReturnType<typeof fork>,
  batch: Batch,
): Promise<string> {
  child.send({ batch, holdCommit: false } satisfies Order);
  const [result]: { kind: string }[] = await once(child, 'message');
  t.diagnostic(JSON.stringify(result));
  return result?.kind ?? '';
}
