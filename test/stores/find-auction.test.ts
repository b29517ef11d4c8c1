import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';

import { findAuction } from '../../src/analytics/find-auction.ts';
import type { AuctionRecord } from '../../src/events/auction-record.ts';
import type { MoneyRecord } from '../../src/events/money-record.ts';
import { TRACE_SCHEMA, type AuctionTrace } from '../../src/events/trace-record.ts';
import type { AnalyticsStore } from '../../src/ports/analytics-store.ts';
import { NODE_A, Segment, testAnalytics } from './loader-fixture.ts';
import { auctionsAmong, encode, makeRecords } from './loader-records.ts';

const NOW_MS = Date.UTC(2026, 10, 20, 12);
const DAY_MS = 86_400_000;

/** Seeded auctions with all that follows from them. */
function recordsOf(startMs: number): MoneyRecord[] {
  const records = makeRecords(`find ${startMs}`, 60, startMs, 20);
  const ids = new Map(
    auctionsAmong(records).map(({ auction_id: id, at_ms: atMs }) => {
      return [id, `${atMs.toString(16).padStart(12, '0')}${id.slice(12)}`];
    }),
  );
  const text = JSON.stringify(records);
  return JSON.parse(
    text.replace(/"auction_id":"([0-9a-f]{32})"/g, (_, id: string) => {
      return `"auction_id":"${ids.get(id)}"`;
    }),
  );
}

async function loaded(
  t: TestContext,
  records: readonly MoneyRecord[],
  traces: readonly object[] = [],
): Promise<AnalyticsStore> {
  const { store, loader } = await testAnalytics(t);
  assert.equal((await loader.load(new Segment().batch(records))).kind, 'loaded');
  if (traces.length === 0) return store;
  const bytes = encode(traces);
  const segments = [new Segment('trace-1.ndjson').next(bytes)];
  const manifest = {
    incarnation: NODE_A,
    stream: 'trace',
    schema: TRACE_SCHEMA,
    segments,
  } as const;
  assert.equal((await loader.load({ manifest, records: bytes })).kind, 'loaded');
  return store;
}

function aTrace({ auction_id, at_ms, publisher_id, imps }: AuctionRecord): AuctionTrace {
  return {
    kind: 'trace',
    auction_id,
    at_ms,
    publisher_id,
    demand_partner_ids: [1],
    tmax_ms: 300,
    duration_us: 45_600,
    revenue_share_bps: 8_000,
    imps: imps.map(() => ({ formats: ['banner'], first_price: 0 })),
    calls: [],
    bids: [],
  };
}

/** The auctions that more than one beacon and delivery is about. */
function busyOnes(records: readonly MoneyRecord[]): AuctionRecord[] {
  return auctionsAmong(records).filter(
    ({ auction_id: id }) => beaconsOf(records, id).length > 1 && deliveriesOf(records, id) > 1,
  );
}

function beaconsOf(records: readonly MoneyRecord[], id: string): MoneyRecord[] {
  return records.filter(
    (record) => record.kind !== 'auction' && record.kind !== 'delivery' && record.auction_id === id,
  );
}

function deliveriesOf(records: readonly MoneyRecord[], id: string): number {
  return records
    .flatMap((record) => (record.kind === 'delivery' ? record.deliveries : []))
    .filter((delivery) => delivery.auction_id === id).length;
}

describe('an auction is found by its id', () => {
  test("with its beacons and deliveries and nobody else's", async (t) => {
    const records = recordsOf(NOW_MS - DAY_MS);
    const store = await loaded(t, records);
    const [busy] = busyOnes(records);
    assert.ok(busy !== undefined);
    const found = await findAuction(store, busy.auction_id, NOW_MS);
    assert.ok(found !== null);
    assert.deepEqual(found.auction, busy);
    assert.equal(found.trace, null);
    const byTime = (a: { at_ms: number }, b: { at_ms: number }) => a.at_ms - b.at_ms;
    assert.deepEqual(found.beacons, beaconsOf(records, busy.auction_id).toSorted(byTime));
    assert.equal(found.deliveries.length, deliveriesOf(records, busy.auction_id));
    assert.ok(found.deliveries.every(({ auction_id: id }) => id === busy.auction_id));
    assert.ok(found.deliveries.every(({ at_ms: atMs }) => atMs >= busy.at_ms));
  });

  test('with its trace, if that is there and of a version that is read', async (t) => {
    const records = recordsOf(NOW_MS - DAY_MS);
    const [first, second, third] = auctionsAmong(records);
    assert.ok(first !== undefined && second !== undefined && third !== undefined);
    const { demand_partner_ids: _, ...older } = aTrace(second);
    const store = await loaded(t, records, [aTrace(first), older]);
    const traceOf = async ({ auction_id: id }: AuctionRecord) =>
      (await findAuction(store, id, NOW_MS))?.trace;
    assert.deepEqual(await traceOf(first), aTrace(first));
    assert.equal(await traceOf(second), null);
    assert.equal(await traceOf(third), null);
  });

  test('over midnight, where its beacons are of the next day', async (t) => {
    const records = recordsOf(Date.UTC(2026, 10, 19) - 100);
    const store = await loaded(t, records);
    const [first] = busyOnes(records);
    assert.ok(first !== undefined && first.at_ms < Date.UTC(2026, 10, 19) + 10_000);
    const found = await findAuction(store, first.auction_id, NOW_MS);
    assert.equal(found?.beacons.length, beaconsOf(records, first.auction_id).length);
  });
});

test('what is no id, of no auction, or of one that has expired finds nothing', async (t) => {
  const records = recordsOf(NOW_MS - DAY_MS);
  const store = await loaded(t, records);
  const [first] = auctionsAmong(records);
  assert.ok(first !== undefined);
  const { auction_id: id } = first;
  const untimed = `0123456789ab${id.slice(12)}`;
  const wrong = [
    '',
    'x',
    id.toUpperCase(),
    `${id}-1`,
    `${id.slice(0, -1)}'`,
    'f'.repeat(32),
    untimed,
  ];
  const other = `${id.slice(0, 31)}${id.endsWith('0') ? '1' : '0'}`;
  for (const each of [...wrong, other]) {
    assert.equal(await findAuction(store, each, NOW_MS), null, each);
  }
  assert.ok((await findAuction(store, id, NOW_MS)) !== null);
  // As the second bid request that a partner gets of one auction is called.
  assert.ok((await findAuction(store, `${id}2`, NOW_MS)) !== null);
  assert.equal(await findAuction(store, id, NOW_MS + 16 * DAY_MS), null);
});
