import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readMinutes, readRecordedPage } from '../../src/analytics/recorded-auctions.ts';
import {
  PAGE_AUCTIONS_MAX,
  WHOLE_PPM,
  type AuctionChoice,
  type PageQuestion,
  type RecordedAuction,
} from '../../src/analytics/recorded-wire.ts';
import type { AuctionRecord } from '../../src/events/auction-record.ts';
import type { AuctionTrace } from '../../src/events/trace-record.ts';
import type { AnalyticsStore } from '../../src/ports/analytics-store.ts';
import { testAnalytics } from './loader-fixture.ts';
import { auctionsAmong, encode, makeAuctions, makeRecords, ofLoad } from './loader-records.ts';

/** Raw records expire by the clock of the engine, so that the time has to be near: over a midnight. */
const MIDNIGHT_MS = Math.floor(Date.now() / 86_400_000) * 86_400_000;
const MINUTE_MS = 60_000;

/** A trace of which every value is another one, beside messages that nobody asks for. */
function traceOf({ auction_id, at_ms, publisher_id, imps, bids, calls }: AuctionRecord) {
  return {
    kind: 'trace',
    auction_id,
    at_ms,
    publisher_id,
    demand_partner_ids: [],
    tmax_ms: 100,
    duration_us: 1,
    revenue_share_bps: 8_000,
    imps: imps.map((_, slot) => ({ formats: ['banner'], first_price: slot === 0 ? 1 : 0 })),
    calls: calls.map(() => ({
      request_id: 'r',
      imps: [0],
      deals: [],
      at: 2,
      sent_us: 1,
      tmax_ms: 1,
      status: 200,
      response_bytes: 2,
      detail: '',
      request: '{"imp":[]}',
      response: 'x'.repeat(100),
    })),
    bids: bids.map((_, index) => ({
      detail: 'why',
      floor_micros: 10 + index,
      lineitem_floor_micros: 20 + index,
      deal_type: index === 0 ? 'fixed_price' : '',
      group: index - 1,
      min_to_win_micros: index - 1,
      out: index === 1 ? 1 : 0,
    })),
  } satisfies AuctionTrace;
}

async function load(store: AnalyticsStore, table: string, records: readonly object[]) {
  await store.insert(
    `INSERT INTO ${table} SETTINGS async_insert = 0, input_format_skip_unknown_fields = 1
     FORMAT JSONEachRow`,
    encode(ofLoad(1, records)),
  );
}

async function loadTraces(store: AnalyticsStore, traces: readonly AuctionTrace[]) {
  const lines = traces.map((trace) => ({ line: JSON.stringify(trace) }));
  await store.insert(
    'INSERT INTO trace (line, load) SETTINGS async_insert = 0 FORMAT JSONEachRow',
    encode(ofLoad(1, lines)),
  );
}

function choose(differs: Partial<AuctionChoice> = {}): AuctionChoice {
  return {
    from_ms: MIDNIGHT_MS - 60 * MINUTE_MS,
    to_ms: MIDNIGHT_MS + 60 * MINUTE_MS,
    publisher_id: 0,
    zone_id: 0,
    demand_partner_id: 0,
    ...differs,
  };
}

async function readAll(
  store: AnalyticsStore,
  differs: Partial<PageQuestion> = {},
): Promise<RecordedAuction[]> {
  const auctions: RecordedAuction[] = [];
  let after: PageQuestion['after'] = null;
  do {
    const question = { ...choose(), sample_ppm: WHOLE_PPM, seed: '1', ...differs, after };
    const page = await readRecordedPage(store, question);
    auctions.push(...page.auctions);
    after = page.next;
  } while (after !== null);
  return auctions;
}

function idsOf(auctions: readonly { readonly auction_id: string }[]): string[] {
  return auctions.map(({ auction_id: id }) => id).toSorted();
}

test('auctions come as they were recorded, with their traces and what was billed, tests left out', async (t) => {
  const { store } = await testAnalytics(t);
  const records = makeRecords('pages', 400, MIDNIGHT_MS - 200 * 1_000, 1_000);
  const auctions = auctionsAmong(records);
  const counted = auctions.filter((auction) => auction.test === 0);
  await load(store, 'money', records);
  const traces = new Map(
    counted.flatMap((each, index) => {
      return index % 3 === 0 ? [] : [[each.auction_id, traceOf(each)] as const];
    }),
  );
  await loadTraces(store, [...traces.values()]);

  const billed = new Set(
    records.flatMap((record) =>
      record.kind === 'impression' ? [`${record.auction_id} ${record.imp}`] : [],
    ),
  );
  const found = await readAll(store);
  assert.deepEqual(idsOf(found), idsOf(counted));
  const times = found.map(({ at_ms }) => at_ms);
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
  );
  for (const auction of counted) {
    const read = found.find(({ auction_id: id }) => id === auction.auction_id);
    const trace = auction.bids.length === 0 ? undefined : traces.get(auction.auction_id);
    assert.deepEqual(read, {
      auction_id: auction.auction_id,
      publisher_id: auction.publisher_id,
      at_ms: auction.at_ms,
      imps: auction.imps.map(({ zone_id, floor_micros, filled }, slot) => ({
        zone_id,
        floor_micros,
        filled,
        billed: billed.has(`${auction.auction_id} ${slot}`) ? 1 : 0,
      })),
      bids: auction.bids.map(({ seat, lineitem_id, crid, adomain, ad_format, ...bid }) => bid),
      bids_dropped: 0,
      trace:
        trace === undefined
          ? null
          : {
              revenue_share_bps: 8_000,
              imps: trace.imps.map(({ first_price }) => ({ first_price })),
              bids: trace.bids.map(({ detail, ...bid }) => bid),
            },
    });
  }
});

test('a publisher, an ad space, a partner, a time and a sample choose among them', async (t) => {
  const { store } = await testAnalytics(t);
  const auctions = makeAuctions('chosen', 600, MIDNIGHT_MS - 300 * 1_000, 1_000).filter(
    (auction) => auction.test === 0,
  );
  await load(store, 'money', auctions);
  const cases: [Partial<AuctionChoice>, (auction: AuctionRecord) => boolean][] = [
    [{ publisher_id: 2 }, ({ publisher_id: id }) => id === 2],
    [{ zone_id: 5 }, ({ imps }) => imps.some(({ zone_id: id }) => id === 5)],
    [{ demand_partner_id: 2 }, ({ bids }) => bids.some((bid) => bid.demand_partner_id === 2)],
    [
      { from_ms: MIDNIGHT_MS - 9_000, to_ms: MIDNIGHT_MS + 1_000 },
      ({ at_ms: ms }) => ms >= MIDNIGHT_MS - 9_000 && ms < MIDNIGHT_MS + 1_000,
    ],
  ];
  for (const [choice, isChosen] of cases) {
    const expected = auctions.filter(isChosen);
    assert.ok(expected.length > 0);
    assert.deepEqual(idsOf(await readAll(store, choice)), idsOf(expected));
    const minutes = await readMinutes(store, choose(choice));
    const counts = Map.groupBy(expected, ({ at_ms }) => at_ms - (at_ms % MINUTE_MS));
    assert.deepEqual(
      minutes,
      [...counts].map(([at_ms, { length }]) => ({ at_ms, auctions: length })),
    );
  }
  const half = await readAll(store, { sample_ppm: WHOLE_PPM / 2 });
  assert.ok(half.length > 200 && half.length < 400, `${half.length}`);
  assert.deepEqual(await readAll(store, { sample_ppm: WHOLE_PPM / 2 }), half);
  const other = await readAll(store, { sample_ppm: WHOLE_PPM / 2, seed: '2' });
  assert.notDeepEqual(idsOf(other), idsOf(half));
});

test('more auctions than a page holds, also of one millisecond, come in several, each once', async (t) => {
  const { store } = await testAnalytics(t);
  const auctions = makeAuctions('many', PAGE_AUCTIONS_MAX + 700, MIDNIGHT_MS, 0).filter(
    (auction) => auction.test === 0,
  );
  await load(store, 'money', auctions);
  assert.ok(auctions.length > PAGE_AUCTIONS_MAX);
  assert.deepEqual(idsOf(await readAll(store)), idsOf(auctions));
});
