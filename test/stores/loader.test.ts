import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { MONEY_SCHEMA } from '../../src/events/money-record.ts';
import { AnalyticsStoreError, type AnalyticsStore } from '../../src/ports/analytics-store.ts';
import { BATCH_BYTES_MAX, type Batch } from '../../src/ports/batch.ts';
import { assertHolds, NODE_A, NODE_B, Segment, testAnalytics } from './loader-fixture.ts';
import { expectTables, readTables } from './loader-oracle.ts';
import {
  auctionsAmong,
  encode,
  makeAuctions,
  makeRecords,
  MONTH_END_MS,
} from './loader-records.ts';

const NOON_MS = Date.UTC(2026, 10, 20, 12);
const DAY_MS = 86_400_000;

describe('loading', () => {
  test('a batch is in the raw table and in every rollup once', async (t) => {
    const { loader, store } = await testAnalytics(t);
    const records = makeRecords('once', 400, NOON_MS);
    const result = await loader.load(new Segment().batch(records));
    assert.deepEqual(result, { kind: 'loaded', records: records.length });
    await assertHolds(store, records);
    assert.equal(loader.counters.money.records, records.length);
  });

  test('however records are split into batches, the numbers are the same', async (t) => {
    const { loader, store } = await testAnalytics(t);
    const records = makeRecords('split', 300, MONTH_END_MS, 3);
    const segment = new Segment();
    for (const [from, to] of [
      [0, 1],
      [1, 2],
      [2, 150],
      [150, 299],
      [299, undefined],
    ]) {
      const result = await loader.load(segment.batch(records.slice(from, to)));
      assert.equal(result.kind, 'loaded');
    }
    await assertHolds(store, records);
  });

  test('a batch may take from several segments, of which one goes on in the next', async (t) => {
    const { loader, store } = await testAnalytics(t);
    const records = makeRecords('segments', 90, NOON_MS);
    const [one, two] = [new Segment('money-1.ndjson'), new Segment('money-2.ndjson')];
    const first = encode(records.slice(0, 30));
    const second = encode(records.slice(30, 60));
    const merged: Batch = {
      manifest: { incarnation: NODE_A, schema: 1, segments: [one.next(first), two.next(second)] },
      records: Buffer.concat([first, second]),
    };
    assert.equal((await loader.load(merged)).kind, 'loaded');
    assert.equal((await loader.load(two.batch(records.slice(60)))).kind, 'loaded');
    await assertHolds(store, records);
  });

  test('a segment of a header alone counts as loaded', async (t) => {
    const { loader, store, offsets } = await testAnalytics(t);
    const batch = new Segment().batch([]);
    assert.deepEqual(await loader.load(batch), { kind: 'loaded', records: 0 });
    assert.deepEqual(await loader.load(batch), { kind: 'already' });
    assert.equal((await offsets.read(NODE_A, 'money')).offsets.get('money-1.ndjson'), 150);
    await assertHolds(store, []);
  });

  test('the largest batch is one block in each table', async (t) => {
    const { loader, store } = await testAnalytics(t);
    const records = makeRecords('large', 5000, NOON_MS);
    let bytes = 0;
    const fitting = records.filter((record) => {
      bytes += Buffer.byteLength(JSON.stringify(record)) + 1;
      return bytes <= BATCH_BYTES_MAX;
    });
    assert.ok(bytes > BATCH_BYTES_MAX);
    assert.equal((await loader.load(new Segment().batch(fitting))).kind, 'loaded');
    const blocks = await store.query(
      `SELECT table, max(max_block_number) - min(min_block_number) + 1 AS blocks FROM system.parts
       WHERE database = currentDatabase() AND table != 'migrations'
       GROUP BY table ORDER BY table`,
    );
    assert.deepEqual(
      blocks.map(({ table, blocks: count }) => [table, Number(count)]),
      [
        ['bid_reasons_daily', 1],
        ['billed_by_expiry', 1],
        ['call_reasons_daily', 1],
        ['demand_daily', 1],
        ['inventory_hourly', 1],
        ['lineitem_daily', 1],
        ['money', 1],
        ['rollup_steps', 1],
        ['supply_daily', 1],
        ['traffic_10s', 1],
      ],
    );
    await assertHolds(store, fitting);
  });

  test('texts arrive as they were written', async (t) => {
    const { loader, store } = await testAnalytics(t);
    const records = makeRecords('texts', 200, NOON_MS);
    await loader.load(new Segment().batch(records));
    const texts = (column: string): Promise<unknown> =>
      store
        .query(`SELECT arraySort(groupUniqArray(${column})) AS texts FROM money ARRAY JOIN bids`)
        .then(([row]) => row?.['texts']);
    const bids = auctionsAmong(records).flatMap((auction) => auction.bids);
    const sent = [...new Set(bids.map(({ crid }) => crid))];
    assert.deepEqual(
      await texts('bids.crid'),
      sent.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
    );
  });
});

/** What does not expire by the day of its records. */
const LASTING = [
  'money',
  'demand_daily',
  'supply_daily',
  'lineitem_daily',
  'call_reasons_daily',
  'bid_reasons_daily',
] as const;

describe('a batch that comes again', () => {
  test('is not loaded twice', async (t) => {
    const { loader, store } = await testAnalytics(t);
    const records = makeRecords('again', 100, NOON_MS);
    const batch = new Segment().batch(records);
    assert.equal((await loader.load(batch)).kind, 'loaded');
    assert.equal((await loader.load(batch)).kind, 'already');
    await assertHolds(store, records);
  });

  test('is not loaded twice although its first load was never acknowledged', async (t) => {
    let acknowledge = false;
    const { loader, store } = await testAnalytics(t, (parts) => ({
      ...parts,
      offsets: {
        ...parts.offsets,
        commit: (...args) =>
          acknowledge ? parts.offsets.commit(...args) : Promise.reject(new Error('no answer')),
      },
    }));
    // Two months in one batch: two partitions, each of which has to know its part again.
    const records = makeRecords('unacknowledged', 500, MONTH_END_MS);
    const batch = new Segment().batch(records);
    await assert.rejects(loader.load(batch), /no answer/);
    await assertHolds(store, records, ['money']);
    acknowledge = true;
    assert.equal((await loader.load(batch)).kind, 'already');
    await assertHolds(store, records);
  });

  test('at the same time as itself and as others is loaded once', async (t) => {
    const { loader, store } = await testAnalytics(t);
    const records = makeRecords('concurrent', 300, MONTH_END_MS, 5);
    const [a, b] = [new Segment('a.ndjson', NODE_A), new Segment('a.ndjson', NODE_B)];
    const batches = [
      a.batch(records.slice(0, 100)),
      a.batch(records.slice(100, 200)),
      b.batch(records.slice(200)),
    ];
    const results = await Promise.all([...batches, ...batches].map((batch) => loader.load(batch)));
    const kinds = results.map(({ kind }) => kind);
    assert.deepEqual(kinds, ['loaded', 'loaded', 'loaded', 'already', 'already', 'already']);
    await assertHolds(store, records);
  });

  test('in part, with a gap, or from before what was loaded is refused whole', async (t) => {
    const { loader, store } = await testAnalytics(t);
    const records = makeRecords('overlap', 30, NOON_MS);
    const segment = new Segment();
    const first = segment.batch(records.slice(0, 10));
    await loader.load(first);
    const second = segment.batch(records.slice(10, 20));
    const third = segment.batch(records.slice(20));
    const across: Batch = {
      manifest: {
        ...first.manifest,
        segments: [{ segment: segment.name, start: 0, end: second.manifest.segments[0]?.end ?? 0 }],
      },
      records: Buffer.concat([first.records, second.records]),
    };
    const offsets = { [segment.name]: first.manifest.segments[0]?.end ?? 0 };
    for (const batch of [across, third]) {
      assert.deepEqual(await loader.load(batch), { kind: 'conflict', offsets, pending: null });
    }
    await loader.load(second);
    await loader.load(third);
    await assertHolds(store, records);
  });
});

describe('a store that fails', () => {
  /** Fails so many INSERTs, before or after they did their work. */
  function failing(store: AnalyticsStore, times: number, when: 'before' | 'after'): AnalyticsStore {
    let left = times;
    return {
      command: (sql) => store.command(sql),
      query: (sql, parameters) => store.query(sql, parameters),
      stream: (sql) => store.stream(sql),
      recover: () => store.recover(),
      close: () => store.close(),
      insert: async (sql, records) => {
        left -= 1;
        if (left < 0 || when === 'after') await store.insert(sql, records);
        if (left >= 0) throw new AnalyticsStoreError('memory limit exceeded', 241);
      },
    };
  }

  for (const when of ['before', 'after'] as const) {
    test(`${when} it did its work is asked what is there, and again for what is not`, async (t) => {
      const { loader, store } = await testAnalytics(t, (parts) => ({
        ...parts,
        store: failing(parts.store, 2, when),
      }));
      const records = makeRecords(when, 100, MONTH_END_MS, 5);
      assert.equal((await loader.load(new Segment().batch(records))).kind, 'loaded');
      assert.equal(loader.counters.money.retries, when === 'before' ? 2 : 0);
      await assertHolds(store, records);
    });
  }

  test('for long makes the same batch come next, and no other', async (t) => {
    const { loader, store, offsets } = await testAnalytics(t, (parts) => ({
      ...parts,
      store: failing(parts.store, 3, 'before'),
    }));
    const records = makeRecords('long', 40, NOON_MS);
    const batch = new Segment().batch(records);
    assert.deepEqual(await loader.load(batch), { kind: 'failed', reason: 'memory limit exceeded' });
    const [pending] = await offsets.pending();
    assert.deepEqual(pending?.manifest, batch.manifest);

    // The same lines in another cut: what was refused of them is known by the batch.
    const cut = new Segment().batch(records.slice(0, 20));
    assert.deepEqual(await loader.load(cut), {
      kind: 'conflict',
      offsets: { 'money-1.ndjson': 0 },
      pending: batch.manifest,
    });
    assert.equal((await loader.load(batch)).kind, 'loaded');
    assert.deepEqual(await offsets.pending(), []);
    await assertHolds(store, records);
  });
});

describe('a node that was set up anew', () => {
  test('has its segments loaded although one of that name was before', async (t) => {
    const { loader, store } = await testAnalytics(t);
    const records = makeRecords('rebuilt', 60, NOON_MS);
    const before = new Segment('money-1.ndjson', NODE_A);
    const after = new Segment('money-1.ndjson', NODE_B);
    assert.equal((await loader.load(before.batch(records.slice(0, 30)))).kind, 'loaded');
    assert.equal((await loader.load(after.batch(records.slice(30)))).kind, 'loaded');
    await assertHolds(store, records);
  });

  test('has even the same lines loaded: they are other auctions of another node', async (t) => {
    const { loader, store } = await testAnalytics(t);
    const records = makeRecords('same', 20, NOON_MS);
    await loader.load(new Segment('money-1.ndjson', NODE_A).batch(records));
    await loader.load(new Segment('money-1.ndjson', NODE_B).batch(records));
    await assertHolds(store, [...records, ...records]);
  });
});

describe('history', () => {
  test('in one batch is counted, whose raw records stay until it is', async (t) => {
    const { loader, store } = await testAnalytics(t);
    const today = Date.now();
    const records = makeRecords('history', 240, today - 20 * DAY_MS, DAY_MS / 12);
    const batch = new Segment().batch(records);
    assert.equal((await loader.load(batch)).kind, 'loaded');
    const expected = expectTables(records);
    const actual = await readTables(store);
    for (const table of LASTING) {
      assert.deepEqual(actual[table], expected[table], table);
    }
  });
});

test('records of an older version may lack what came later', async (t) => {
  const { loader, store } = await testAnalytics(t);
  const auctions = makeAuctions('older', 20, NOON_MS);
  const segment = new Segment();
  // As the first version wrote them, and without one field inside.
  const lines = auctions.map(({ node: _, fd: __, notices: ___, ...rest }) => ({
    ...rest,
    imps: rest.imps.map(({ floor_micros: ____, ...imp }) => imp),
  }));
  const records = auctions.map((record) => ({ ...record, fd: 0 as const }));
  const batch = segment.batch(lines);
  const older = { ...batch, manifest: { ...batch.manifest, schema: MONEY_SCHEMA - 1 } };
  assert.equal((await loader.load(older)).kind, 'loaded');
  await assertHolds(store, records);
  assert.equal((await loader.load(segment.batch(lines))).kind, 'quarantined');
});

test('records of a newer version wait until this one is newer', async (t) => {
  const { loader, store } = await testAnalytics(t);
  const batch = new Segment().batch(makeRecords('newer', 3, NOON_MS));
  const newer = { ...batch, manifest: { ...batch.manifest, schema: 99 } };
  assert.equal((await loader.load(newer)).kind, 'failed');
  await assertHolds(store, []);
});

test('what is no batch is refused at once', async (t) => {
  const { loader } = await testAnalytics(t);
  const { manifest, records } = new Segment().batch(makeRecords('none', 2, NOON_MS));
  const [range] = manifest.segments;
  assert.ok(range !== undefined);
  const wrong: [Batch, RegExp][] = [
    [{ manifest, records: records.subarray(0, -1) }, /whole lines/],
    [{ manifest, records: Buffer.alloc(BATCH_BYTES_MAX + 1, '\n') }, /at most 4194304 bytes/],
    [{ manifest: { ...manifest, segments: [] }, records }, /one segment at least/],
    [{ manifest: { ...manifest, segments: [range, range] }, records }, /one range of each/],
    [{ manifest: { ...manifest, segments: [{ ...range, end: 9 }] }, records }, /shorter than/],
    [{ manifest: { ...manifest, segments: [{ ...range, start: range.end }] }, records }, /empty/],
  ];
  for (const [batch, reason] of wrong) await assert.rejects(loader.load(batch), reason);
});

test('work that excludes loading runs between two loads', async (t) => {
  const { loader, offsets } = await testAnalytics(t);
  const segment = new Segment();
  const first = loader.load(segment.batch(makeRecords('first', 50, NOON_MS)));
  const between = loader.exclusively(
    async () => (await offsets.read(NODE_A, 'money')).offsets.size,
  );
  const second = loader.load(
    new Segment('money-2.ndjson').batch(makeRecords('second', 50, NOON_MS)),
  );
  assert.equal(await between, 1);
  await Promise.all([first, second]);
  assert.equal((await offsets.read(NODE_A, 'money')).offsets.size, 2);
});
