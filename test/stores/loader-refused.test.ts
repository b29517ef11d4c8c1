import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';

import { batchToken } from '../../src/analytics/batch-token.ts';
import { heldIdOf } from '../../src/analytics/held.ts';
import type { CallRecord, NoticeRecord } from '../../src/events/auction-record.ts';
import { MONEY_SCHEMA, type MoneyRecord } from '../../src/events/money-record.ts';
import { AnalyticsStoreError } from '../../src/ports/analytics-store.ts';
import { assertHolds, NODE_A, Segment, testAnalytics } from './loader-fixture.ts';
import { encode, makeAuctions, makeRecords } from './loader-records.ts';

const NOON_MS = Date.UTC(2026, 10, 20, 12);

describe('a batch that the schema refuses', () => {
  const [good] = makeAuctions('good', 1, NOON_MS);
  const aCall: CallRecord = {
    demand_partner_id: 1,
    imp: 0,
    lineitem_ids: [10],
    outcome: 'no_bid',
    reason: '',
    latency_us: 0,
  };
  const aNotice: NoticeRecord = {
    event: 'win',
    bid: 0,
    imp: 0,
    demand_partner_id: 1,
    lineitem_id: 10,
    unless_won_by_ms: 0,
    url: '',
  };
  const after = makeRecords('good', 60, NOON_MS);
  const impression = after.find(({ kind }) => kind === 'impression');
  const delivery = after.find((record) => record.kind === 'delivery');
  const [bid] = makeAuctions('bids', 50, NOON_MS).flatMap(({ bids }) => bids);
  const refused: [string, RegExp, object][] = [
    ['has an unknown field', /colour/, { ...good, colour: 'red' }],
    ['has an unknown field inside', /imps/, { ...good, imps: [{ ...good?.imps[0], x: 1 }] }],
    ['lacks a field inside', /imps/, { ...good, imps: [{ zone_id: 1 }] }],
    ['has a text for a number', /at_ms/, { ...good, at_ms: 'now' }],
    ['has a number for a text', /os/, { ...good, os: 5 }],
    ['has a negative number', /bids_dropped/, { ...good, bids_dropped: -1 }],
    ['has a fraction', /expected ','/, { ...good, at_ms: NOON_MS + 0.5 }],
    ['has seconds for milliseconds', /time_is_plausible/, { ...good, at_ms: NOON_MS / 1000 }],
    ['is of an unknown kind', /kind_is_known/, { ...good, kind: 'sale' }],
    ['has no auction id', /identity_is_there/, { ...good, auction_id: '' }],
    ['has a call on no impression', /calls_name_imps/, { ...good, calls: [{ ...aCall, imp: 2 }] }],
    ['has a bid on no impression', /bids_name_imps/, { ...good, bids: [{ ...bid, imp: 2 }] }],
    ['has a notice of no bid', /notices_name_bids/, withNotice({ bid: 1 })],
    ['has a notice of no impression', /notices_name_bids/, withNotice({ imp: 2 })],
    ['has an unknown notice', /notices_name_bids/, withNotice({ event: 'sale' })],
    ['is a beacon of no auction', /identity_is_there/, { ...impression, auction_id: '' }],
    ['is a beacon of no partner', /identity_is_there/, { ...impression, demand_partner_id: 0 }],
    ['is a beacon of no ad space', /identity_is_there/, { ...impression, zone_id: 0 }],
    ['is a beacon with a negative price', /payout/, { ...impression, payout_micros: -1 }],
    ['delivers what is no notice', /deliveries_name_notices/, withDelivery({ event: 'loss' })],
    ['delivers to no auction', /deliveries_name_notices/, withDelivery({ auction_id: '' })],
    ['has an unknown outcome', /deliveries_name_notices/, withDelivery({ outcome: 'lost' })],
  ];

  /** An auction of two impressions and one bid. */
  function withNotice(differs: object): object {
    const imps = [good?.imps[0], good?.imps[0]];
    const bids = [{ ...bid, imp: 0 }];
    return { ...good, imps, calls: [], bids, notices: [{ ...aNotice, ...differs }] };
  }

  function withDelivery(differs: object): object {
    return { ...delivery, deliveries: [{ ...delivery?.deliveries[0], ...differs }] };
  }

  test('is held with its reason, and all records around it are loaded', async (t) => {
    const { loader, store, quarantine, directory } = await testAnalytics(t);
    const loaded: MoneyRecord[] = [];
    const segment = new Segment();
    for (const [what, why, record] of refused) {
      const around = makeRecords(what, 5, NOON_MS);
      loaded.push(...around);
      const batch = segment.batch([...around.slice(0, 2), record, ...around.slice(2)]);
      const result = await loader.load(batch);
      assert.ok(result.kind === 'quarantined', what);
      assert.deepEqual(
        [result.records, result.refused, result.missing],
        [around.length, 1, 0],
        what,
      );
      assert.match(result.reason, why, what);
      assert.equal((await loader.load(batch)).kind, 'already', what);
      const id = heldIdOf(batchToken(batch));
      const line = encode([record]);
      const [range] = batch.manifest.segments;
      const start = (range?.from ?? 0) + encode(around.slice(0, 2)).length;
      const entry = (await quarantine.find(id)) ?? assert.fail();
      assert.deepEqual(await quarantine.read(entry), line);
      const { at, ...held } = entry;
      assert.ok(Math.abs(Date.parse(at) - Date.now()) < 60_000);
      assert.deepEqual(held, {
        id,
        token: batchToken(batch),
        node: NODE_A,
        stream: 'money',
        schema: MONEY_SCHEMA,
        parts: [
          {
            cause: 'refused',
            reason: result.reason,
            segment: segment.name,
            start,
            end: start + line.length,
            records: 1,
            missing: 0,
            bytes: line.length,
          },
        ],
        tries: 0,
        trying: null,
      });
    }
    await assertHolds(store, loaded);
    const { entries, refused: held } = await quarantine.figures();
    assert.deepEqual([entries, held], [refused.length, refused.length]);
    assert.equal(loader.counters.money.batches.quarantined, refused.length);
    const left = await readdir(join(directory, 'quarantine'));
    assert.deepEqual(
      left.filter((name) => name.endsWith('.draft')),
      [],
    );
    const tables = await store.query(
      `SELECT name FROM system.tables WHERE name = 'refused_records'`,
    );
    assert.deepEqual(tables, []);
  });

  test('is told from the others however many there are, and side by side they are held as one', async (t) => {
    const { loader, store, quarantine } = await testAnalytics(t);
    const records = makeRecords('many', 120, NOON_MS);
    const isBad = (index: number): boolean => index % 37 === 5 || (index >= 60 && index < 70);
    const lines = records.map((record, index) =>
      isBad(index) ? { ...record, colour: 'red' } : record,
    );
    const result = await loader.load(new Segment().batch(lines));
    assert.equal(result.kind, 'quarantined');
    await assertHolds(
      store,
      records.filter((_, index) => !isBad(index)),
    );
    const [held] = await quarantine.list();
    const bad = records.filter((_, index) => isBad(index)).length;
    assert.equal((await quarantine.figures()).refused, bad);
    assert.ok(held !== undefined && held.parts.some((part) => part.records === 10));
    const text = (await quarantine.read(held)).toString();
    assert.equal(text.split('\n').length - 1, bad);
  });

  test('leaves out the same records when it is repeated, also for a version that takes them', async (t) => {
    let acknowledge = false;
    let refuses = true;
    const { loader, store, quarantine } = await testAnalytics(t, (parts) => ({
      store: {
        command: (sql) => parts.store.command(sql),
        query: (sql, parameters) => parts.store.query(sql, parameters),
        stream: (sql) => parts.store.stream(sql),
        recover: () => parts.store.recover(),
        close: () => parts.store.close(),
        insert: async (sql: string, bytes: Uint8Array) => {
          const text = Buffer.from(bytes).toString();
          if (refuses && text.includes('"request_id":"new"')) {
            throw new AnalyticsStoreError('no such column', 117);
          }
          return parts.store.insert(sql, bytes);
        },
      },
      offsets: {
        ...parts.offsets,
        commit: (...args) =>
          acknowledge ? parts.offsets.commit(...args) : Promise.reject(new Error('no answer')),
      },
    }));
    const records = makeAuctions('newer', 30, NOON_MS);
    const last = records[29] ?? assert.fail();
    last.request_id = 'new';
    const batch = new Segment().batch(records);
    await assert.rejects(loader.load(batch), /no answer/);
    refuses = false;
    acknowledge = true;
    assert.equal((await loader.load(batch)).kind, 'already');
    await assertHolds(store, records.slice(0, 29));
    assert.equal((await quarantine.figures()).refused, 1);
  });

  test('is one that is no JSON, is torn, or is no UTF-8', async (t) => {
    const { loader, store } = await testAnalytics(t);
    const segment = new Segment();
    const [record] = makeRecords('line', 1, NOON_MS);
    const line = encode([record]);
    const wrong = [
      Buffer.from('garbage\n'),
      Buffer.from('\0\0\0\0\n'),
      Buffer.concat([line.subarray(0, 40), Buffer.from('\n')]),
      Buffer.concat([Buffer.from(`{"kind":"auction","os":"`), Buffer.of(0xff, 0x0a)]),
    ];
    for (const bytes of wrong) {
      assert.equal((await loader.load(segment.batchOf(bytes))).kind, 'quarantined');
    }
    const among = Buffer.concat([...wrong, line, ...wrong]);
    const result = await loader.load(segment.batchOf(among));
    assert.ok(result.kind === 'quarantined');
    assert.deepEqual([result.records, result.refused], [1, 2 * wrong.length]);
    await assertHolds(store, [record ?? assert.fail()]);
  });

  test('is not one with half a surrogate pair, which a bidder may send', async (t) => {
    const { loader, store } = await testAnalytics(t);
    const records = makeAuctions('half', 3, NOON_MS);
    for (const record of records) record.request_id = 'half \ud83d of a pair';
    assert.equal((await loader.load(new Segment().batch(records))).kind, 'loaded');
    await assertHolds(store, records);
  });
});
