import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { LogLine } from '../../src/analytics/log-lines.ts';
import type { LogOwner } from '../../src/analytics/log-rows.ts';
import { readLog } from '../../src/analytics/read-log.ts';
import { readDemandReport, readSupplyReport } from '../../src/analytics/report.ts';
import { timeOfAuctionId } from '../../src/events/auction-id.ts';
import type { MoneyRecord } from '../../src/events/money-record.ts';
import type { AnalyticsStore } from '../../src/ports/analytics-store.ts';
import { allOf, testAnalytics, Segment } from './loader-fixture.ts';
import { auctionsAmong, encode, makeAuctions, makeRecords, ofLoad } from './loader-records.ts';

/** Raw records expire by the clock of the engine, so that the time has to be near: over a midnight. */
const MIDNIGHT_MS = Math.floor(Date.now() / 86_400_000) * 86_400_000;
const DAY_MS = 86_400_000;
const TODAY = { from_ms: MIDNIGHT_MS, to_ms: MIDNIGHT_MS + DAY_MS };
const YESTERDAY = { from_ms: MIDNIGHT_MS - DAY_MS, to_ms: MIDNIGHT_MS };
const PARTNER: LogOwner = { side: 'demand', id: 1 };

/** Auctions with ids as the exchange makes them: they begin with their time. */
function timedRecords(seed: string, count: number, stepMs: number): MoneyRecord[] {
  const records = makeRecords(seed, count, MIDNIGHT_MS - (count / 2) * stepMs, stepMs);
  const ids = new Map(
    auctionsAmong(records).map(({ auction_id: id, at_ms: atMs }) => {
      return [id, `${atMs.toString(16).padStart(12, '0')}${id.slice(12)}`] as const;
    }),
  );
  return records.map((record): MoneyRecord => {
    const idOf = (id: string): string => ids.get(id) ?? id;
    if (record.kind !== 'delivery') return { ...record, auction_id: idOf(record.auction_id) };
    const deliveries = record.deliveries.map((each) => ({
      ...each,
      auction_id: idOf(each.auction_id),
    }));
    return { ...record, deliveries };
  });
}

async function linesOf(
  store: AnalyticsStore,
  owner: LogOwner,
  window: { readonly from_ms: number; readonly to_ms: number },
): Promise<LogLine[]> {
  const lines: LogLine[] = [];
  for await (const page of readLog(store, owner, window)) lines.push(...page);
  return lines;
}

test('the log of a partner has what the report counts, in order, and nothing of others', async (t) => {
  const { loader, store } = await testAnalytics(t);
  const records = timedRecords('log', 600, 1_000);
  await loader.load(new Segment().batch(records));
  const lines = [
    ...(await linesOf(store, PARTNER, YESTERDAY)),
    ...(await linesOf(store, PARTNER, TODAY)),
  ];
  const times = lines.map(({ at }) => String(at));
  assert.deepEqual(times, times.toSorted());

  const dates = [YESTERDAY, TODAY].map(({ from_ms: ms }) =>
    new Date(ms).toISOString().slice(0, 10),
  );
  const [startDate = '', endDate = ''] = dates;
  const report = readDemandReport(store, {
    accountId: 1,
    startDate,
    endDate,
    groupBy: ['date'],
  });
  const { rows } = await allOf(report);
  for (const row of rows) {
    const counted = (type: string): LogLine[] =>
      lines.filter((line) => {
        return (
          line['type'] === type &&
          line['test'] === false &&
          String(line['at']).startsWith(String(row['date']))
        );
      });
    assert.equal(counted('request').length, row['dsp_requests']);
    assert.equal(counted('bid').length, row['bids']);
    assert.equal(counted('win').length, row['wins']);
    assert.equal(counted('impression').length, row['impressions']);
    assert.equal(counted('click').length, row['clicks']);
    const dollars = counted('impression').reduce(
      (sum, { clearing_cpm: cpm }) => sum + Number(cpm),
      0,
    );
    assert.ok(Math.abs(dollars / 1_000 - Number(row['gross_revenue'])) < 1e-6);
  }

  const own = auctionsAmong(records).flatMap((auction) =>
    auction.bids.filter((bid) => bid.demand_partner_id === 1).map((bid) => ({ ...bid, auction })),
  );
  const bids = lines.filter(({ type }) => type === 'bid');
  assert.equal(bids.length, own.length);
  for (const { clearing_cpm: cpm, loss_reason: reason } of bids)
    assert.equal(cpm === null, reason !== 0);
  const text = JSON.stringify(lines);
  for (const word of ['payout', 'demand_partner', 'floor', 'filled', '"ifa"', '"ip"']) {
    assert.ok(!text.includes(word), word);
  }
});

test('ids are those of the bid requests, and lead from an impression or notice to its bid', async (t) => {
  const { loader, store } = await testAnalytics(t);
  const records = timedRecords('ids', 400, 1_000);
  await loader.load(new Segment().batch(records));
  const lines = await linesOf(store, PARTNER, { ...YESTERDAY, to_ms: TODAY.to_ms });
  const auctions = new Map(auctionsAmong(records).map((auction) => [auction.auction_id, auction]));
  const types = new Set<string>();
  for (const line of lines) {
    const id = String(line['auction_id']);
    assert.ok(timeOfAuctionId(id) !== null && auctions.has(id));
    assert.equal(line['request_id'], id);
    types.add(String(line['type']));
    if (!('bid_id' in line) || line['type'] === 'bid') continue;
    const won = auctions
      .get(id)
      ?.bids.find((bid) => bid.imp === line['imp'] && bid.loss_reason === 0);
    assert.equal(won?.demand_partner_id, 1);
    assert.equal(line['bid_id'], won?.bid_id);
  }
  assert.deepEqual(
    [...types].toSorted((a, b) => (a < b ? -1 : 1)),
    ['bid', 'billing_notice', 'click', 'impression', 'request', 'view', 'win', 'win_notice'],
  );
});

test('a second bid request of an auction has a number behind its id, its trace says what was offered', async (t) => {
  const { store } = await testAnalytics(t);
  const [auction] = makeAuctions('twice', 1, MIDNIGHT_MS, 0);
  assert.ok(auction !== undefined);
  const [imp] = auction.imps;
  assert.ok(imp !== undefined);
  const call = { demand_partner_id: 1, imp: 0, lineitem_ids: [10], reason: '', latency_us: 1_500 };
  const bid = {
    demand_partner_id: 1,
    lineitem_id: 10,
    imp: 1,
    bid_id: 'b',
    seat: '',
    dealid: '',
    crid: 'c',
    adomain: 'a.example',
    ad_format: 'banner',
    price_micros: 1_000_000,
    loss_reason: 102,
    in_auction: 1,
    clearing_micros: 0,
    payout_micros: 0,
  };
  const record = {
    ...auction,
    test: 0,
    imps: [imp, { ...imp, zone_id: 77 }],
    calls: [
      { ...call, demand_partner_id: 2, outcome: 'bid' },
      { ...call, outcome: 'no_bid' },
      { ...call, imp: 1, outcome: 'bid' },
      { ...call, outcome: 'throttled' },
    ],
    bids: [{ ...bid, demand_partner_id: 2, price_micros: 9_000_000 }, bid],
    notices: [],
  };
  const insert = (table: string, rows: readonly object[]) =>
    store.insert(
      `INSERT INTO ${table} SETTINGS async_insert = 0, input_format_skip_unknown_fields = 1 FORMAT JSONEachRow`,
      encode(ofLoad(1, rows)),
    );
  await insert('money', [record]);
  const bare = await linesOf(store, PARTNER, TODAY);
  assert.deepEqual(
    bare.map(({ type, request_id, imps_known, imps }) => [
      type,
      request_id,
      imps_known,
      JSON.stringify(imps)?.match(/"imp":\d/g),
    ]),
    [
      ['request', auction.auction_id, 'first', ['"imp":0']],
      ['request', `${auction.auction_id}2`, 'first', ['"imp":1']],
      ['bid', `${auction.auction_id}2`, undefined, undefined],
    ],
  );
  const line = JSON.stringify({
    kind: 'trace',
    auction_id: auction.auction_id,
    at_ms: auction.at_ms,
    publisher_id: auction.publisher_id,
    calls: [{ imps: [0] }, { imps: [0] }, { imps: [0, 1, 1] }, { imps: [0] }],
    bids: [{ min_to_win_micros: -1 }, { min_to_win_micros: 9_010_000 }],
  });
  await store.insert(
    'INSERT INTO trace (line, load) SETTINGS async_insert = 0 FORMAT JSONEachRow',
    encode(ofLoad(1, [{ line }])),
  );
  const [, second, lost] = await linesOf(store, PARTNER, TODAY);
  assert.equal(second?.['imps_known'], 'all');
  assert.match(JSON.stringify(second?.['imps']), /"imp":0,.*"imp":1,"ad_space_id":77/);
  assert.equal(lost?.['min_to_win_cpm'], 9.01);
});

test('a publisher has the impressions that it sold, with its payout and no buyer', async (t) => {
  const { loader, store } = await testAnalytics(t);
  await loader.load(new Segment().batch(timedRecords('sold', 400, 1_000)));
  const lines = await linesOf(
    store,
    { side: 'supply', id: 1 },
    { ...YESTERDAY, to_ms: TODAY.to_ms },
  );
  const report = readSupplyReport(store, {
    accountId: 1,
    startDate: '2024-01-01',
    endDate: '2100-01-01',
    groupBy: ['rewarded'],
  });
  const { rows } = await allOf(report);
  const shown = lines.filter((line) => line['type'] === 'impression' && line['test'] === false);
  const sum = (name: string): number => rows.reduce((all, row) => all + Number(row[name]), 0);
  assert.equal(shown.length, sum('impressions'));
  const payout = shown.reduce((all, line) => all + Number(line['payout_cpm']), 0) / 1_000;
  assert.ok(shown.length > 20 && Math.abs(payout - sum('payout')) < 1e-6);
  assert.ok(lines.every((line) => line['publisher_id'] === 1));
  assert.doesNotMatch(JSON.stringify(lines), /clearing|bid_|lineitem|demand|deal/);
});

test('more records than a page holds, also of one millisecond, come in several, each once', async (t) => {
  const { store } = await testAnalytics(t);
  const auctions = [
    ...makeAuctions('burst', 6_000, MIDNIGHT_MS + 1_000, 0),
    ...makeAuctions('spread', 6_000, MIDNIGHT_MS + 2_000, 1),
  ];
  await store.insert(
    'INSERT INTO money SETTINGS async_insert = 0 FORMAT JSONEachRow',
    encode(ofLoad(1, auctions)),
  );
  const seen = new Set<unknown>();
  let largest = 0;
  let requests = 0;
  for await (const page of readLog(store, PARTNER, TODAY)) {
    largest = Math.max(largest, page.length);
    for (const line of page) {
      if (line['type'] !== 'request') continue;
      requests += 1;
      seen.add(line['request_id']);
    }
  }
  const sent = auctions.filter(({ calls }) =>
    calls.some((call) => call.demand_partner_id === 1 && call.outcome !== 'throttled'),
  );
  assert.ok(sent.length > 4_000);
  assert.deepEqual([requests, seen.size], [sent.length, sent.length]);
  assert.ok(largest < 12_000, `${largest}`);
});

test('nobody reads on when nobody takes it', async (t) => {
  const { store } = await testAnalytics(t);
  const auctions = makeAuctions('stop', 9_000, MIDNIGHT_MS, 10);
  await store.insert(
    'INSERT INTO money SETTINGS async_insert = 0 FORMAT JSONEachRow',
    encode(ofLoad(1, auctions)),
  );
  let queries = 0;
  const counting: AnalyticsStore = {
    command: (sql) => store.command(sql),
    query: (sql, parameters) => {
      queries += 1;
      return store.query(sql, parameters);
    },
    stream: (sql) => store.stream(sql),
    insert: (sql, bytes) => store.insert(sql, bytes),
    recover: () => store.recover(),
    close: () => store.close(),
  };
  const pages = readLog(counting, PARTNER, TODAY);
  await pages.next();
  const atFirst = queries;
  await pages.return();
  assert.deepEqual([atFirst, queries], [3, 3]);
});
