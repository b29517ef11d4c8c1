import assert from 'node:assert/strict';
import { test } from 'node:test';

import { fastify } from 'fastify';

import { eachDate } from '../../src/analytics/dates.ts';
import { readKpis } from '../../src/analytics/kpi.ts';
import { readDemandReport, readSupplyReport } from '../../src/analytics/report.ts';
import { dollarsOf } from '../../src/analytics/revenue.ts';
import type { BeaconRecord } from '../../src/events/beacon-record.ts';
import type { MoneyRecord } from '../../src/events/money-record.ts';
import type { AnalyticsStore } from '../../src/ports/analytics-store.ts';
import { registerReporting } from '../../src/reporting/routes.ts';
import { allOf, Segment, testAnalytics } from './loader-fixture.ts';
import { auctionsAmong, makeRecords, MONTH_END_MS } from './loader-records.ts';

const QUESTION = { accountId: 1, startDate: '2026-11-01', endDate: '2026-12-31' };
const records = makeRecords('report', 500, MONTH_END_MS);

/** What a test auction holds is counted nowhere. */
const auctions = auctionsAmong(records).filter(({ test: isTest }) => isTest === 0);
const beacons = records.filter(isBeacon).filter(({ test: isTest }) => isTest === 0);

function isBeacon(record: MoneyRecord): record is BeaconRecord {
  return record.kind !== 'auction' && record.kind !== 'delivery';
}

function isOn(date: string, { at_ms: atMs }: MoneyRecord): boolean {
  return new Date(atMs).toISOString().startsWith(date);
}

/** The metrics of demand partner 1 on one day, worked out from the records. */
function demandOn(date: string): Record<string, number> {
  const own = ({ demand_partner_id: id }: { demand_partner_id: number }): boolean => id === 1;
  const day = auctions.filter((record) => isOn(date, record));
  const bids = day.flatMap(({ bids: all, fd }) => all.filter(own).map((bid) => ({ ...bid, fd })));
  const calls = day.flatMap((record) => record.calls).filter(own);
  const after = beacons.filter((record) => own(record) && isOn(date, record));
  const impressions = after.filter(({ kind }) => kind === 'impression');
  const confirmed = after.filter(({ kind, fd }) => kind === 'win' && fd === 1);
  const micros = impressions.reduce((sum, each) => sum + BigInt(each.clearing_micros), 0n);
  return {
    gross_revenue: dollarsOf(micros),
    impressions: impressions.length,
    bids: bids.length,
    clicks: after.filter(({ kind }) => kind === 'click').length,
    dsp_requests: calls.filter(({ outcome }) => outcome !== 'throttled').length,
    wins: bids.filter((b) => b.loss_reason === 0 && b.fd === 0).length + confirmed.length,
  };
}

/** The metrics of publisher 1 on one day. */
function supplyOn(date: string): Record<string, number> {
  const own = ({ publisher_id: id }: { publisher_id: number }): boolean => id === 1;
  const day = auctions.filter((record) => own(record) && isOn(date, record));
  const imps = day.flatMap(({ imps: all, fd }) => all.map((imp) => ({ ...imp, fd })));
  const filled = imps.filter((imp) => imp.filled === 1);
  const after = beacons.filter((record) => own(record) && isOn(date, record));
  const impressions = after.filter(({ kind }) => kind === 'impression');
  const confirmed = after.filter(({ kind, fd }) => kind === 'win' && fd === 1);
  const micros = impressions.reduce((sum, each) => sum + BigInt(each.payout_micros), 0n);
  return {
    impressions: impressions.length,
    payout: dollarsOf(micros),
    clicks: after.filter(({ kind }) => kind === 'click').length,
    filled_requests: filled.length,
    requests: imps.length,
    supply_wins: filled.filter(({ fd }) => fd === 0).length + confirmed.length,
  };
}

/** The reports as their accounts get them, over HTTP. */
function reportsOf(store: AnalyticsStore): (url: string) => Promise<string> {
  const app = fastify();
  registerReporting(app, {
    findAccount: async (token) => {
      if (token === 'demand') return { demandPartnerId: 1, publisherId: null };
      return token === 'supply' ? { demandPartnerId: null, publisherId: 1 } : null;
    },
    demandReport: (accountId, query) => readDemandReport(store, { ...query, accountId }),
    supplyReport: (accountId, query) => readSupplyReport(store, { ...query, accountId }),
    takeReport: async () => ({
      isAllowed: true,
      limit: 100,
      windowSeconds: 3_600,
      remaining: 99,
      moreInSeconds: 3_600,
    }),
    onCutOff: (error) => assert.fail(error),
    now: () => MONTH_END_MS,
  });
  return async (url) => {
    const dates = 'start_date=2026-11-29&end_date=2026-11-30';
    const answer = await app.inject({ url: `/reporting/brand/${url}&${dates}` });
    assert.equal(answer.statusCode, 200, answer.body);
    return answer.body;
  };
}

test('impressions, clicks, revenue and payout reach the reports to the micro-dollar', async (t) => {
  const { loader, store } = await testAnalytics(t);
  // Everything is before midnight: a report ends with the current month.
  const early = { demand: demandOn('2026-11-30'), supply: supplyOn('2026-11-30') };
  assert.ok(Number(early.demand['gross_revenue']) > 0 && Number(early.supply['payout']) > 0);
  await loader.load(new Segment().batch(records));
  const get = reportsOf(store);
  const demand = { date: '2026-11-30', ...early.demand };
  const supply = { date: '2026-11-30', ...early.supply };
  const json = async (url: string): Promise<unknown> => JSON.parse(await get(url)).data;
  assert.deepEqual(await json('demand?account_auth_token=demand'), [demand]);
  assert.deepEqual(await json('supply?account_auth_token=supply'), [supply]);
  for (const [side, row] of Object.entries({ demand, supply })) {
    assert.equal(
      await get(`${side}?account_auth_token=${side}&format=csv`),
      [Object.keys(row), Object.values(row)].map((cells) => `${cells.join(',')}\r\n`).join(''),
    );
  }
});

test('a beacon counts on its own day, also when its auction was on the day before', async (t) => {
  const { loader, store } = await testAnalytics(t);
  await loader.load(new Segment().batch(records));
  const late = beacons.filter((beacon) => {
    const auction = auctions.find((each) => each.auction_id === beacon.auction_id);
    return auction !== undefined && isOn('2026-11-30', auction) && isOn('2026-12-01', beacon);
  });
  assert.ok(late.length > 0);
  const { rows } = await allOf(readDemandReport(store, { ...QUESTION, groupBy: ['date'] }));
  assert.deepEqual(
    rows,
    ['2026-11-30', '2026-12-01'].map((date) => ({ date, ...demandOn(date) })),
  );
});

test('sums of money beyond the integers of a double keep every digit of a report', async (t) => {
  const { store } = await testAnalytics(t);
  await store.command(
    `INSERT INTO demand_daily (date, demand_partner_id, impressions, gross_cpm_micros)
     SETTINGS async_insert = 0
     VALUES ('2026-11-30', 1, 3, 7500001), ('2026-12-01', 1, 1, 9007199254740993000)`,
  );
  const { rows } = await allOf(readDemandReport(store, { ...QUESTION, groupBy: ['date'] }));
  assert.deepEqual(
    rows.map(({ gross_revenue }) => gross_revenue),
    [0.007500001, 9007199254.740993],
  );
});

test('the demand report by date has its columns in order, for its account and days', async (t) => {
  const { loader, store } = await testAnalytics(t);
  await loader.load(new Segment().batch(records));
  const { columns, rows } = await allOf(
    readDemandReport(store, { ...QUESTION, groupBy: ['date'] }),
  );
  assert.deepEqual(columns, Object.keys(rows[0] ?? {}));
  assert.deepEqual(columns, [
    'date',
    'gross_revenue',
    'impressions',
    'bids',
    'clicks',
    'dsp_requests',
    'wins',
  ]);
  const later = { ...QUESTION, startDate: '2026-12-01', groupBy: ['date'] as const };
  const { rows: laterRows } = await allOf(readDemandReport(store, later));
  assert.deepEqual(
    laterRows.map(({ date }) => date),
    ['2026-12-01'],
  );
  const none = await allOf(readDemandReport(store, { ...later, accountId: 99 }));
  assert.deepEqual(none, { columns, rows: [] });
});

test('rows are ordered by date, then by the other dimensions', async (t) => {
  const { loader, store } = await testAnalytics(t);
  await loader.load(new Segment().batch(records));
  const question = { ...QUESTION, groupBy: ['platform', 'date'] as const };
  const { rows } = await allOf(readDemandReport(store, question));
  const places = rows.map(({ date, platform }) => `${String(date)} ${String(platform)}`);
  assert.ok(new Set(places).size > 3);
  assert.deepEqual(places, places.toSorted());
});

test('a dimension that is not allowed never reaches the store', async (t) => {
  const { store } = await testAnalytics(t);
  for (const groupBy of [[], ['os'], ['date', 'date'], ['date; DROP TABLE money']]) {
    const question = { ...QUESTION, groupBy };
    const ask = (): unknown => Reflect.apply(readDemandReport, undefined, [store, question]);
    assert.throws(ask, /is not grouped by/);
  }
  const quoted = { ...QUESTION, startDate: `2026-11-01' OR 1=1 --`, groupBy: ['date'] as const };
  assert.throws(() => readDemandReport(store, quoted), /is no date/);
  const unsafe = { ...QUESTION, accountId: Number.NaN, groupBy: ['date'] as const };
  assert.throws(() => readDemandReport(store, unsafe), /is no account/);
});

test('KPIs have a row for every line item and day, zeros included', async (t) => {
  const { loader, store } = await testAnalytics(t);
  await loader.load(new Segment().batch(records));
  const question = { demandPartnerId: 1, startDate: '2026-11-29', endDate: '2026-12-01' };
  const rows = (
    await Array.fromAsync(readKpis(store, { ...question, lineItemIds: [12, 10, 99] }))
  ).flat();
  assert.deepEqual(
    rows.map(({ date, lineitem_id }) => `${date} ${lineitem_id}`),
    eachDate('2026-11-29', '2026-12-01').flatMap((date) =>
      [10, 12, 99].map((id) => `${date} ${id}`),
    ),
  );
  const calls = auctions
    .flatMap((record) => record.calls)
    .filter((call) => call.lineitem_ids.includes(12));
  const sum = (name: 'dsp_requests' | 'responses' | 'throttled'): number =>
    rows.filter(({ lineitem_id }) => lineitem_id === 12).reduce((all, row) => all + row[name], 0);
  assert.equal(sum('dsp_requests'), calls.filter((c) => c.outcome !== 'throttled').length);
  assert.equal(sum('responses'), calls.filter((c) => c.outcome === 'bid').length);
  assert.equal(sum('throttled'), calls.filter((c) => c.outcome === 'throttled').length);
  const shown = beacons.filter((b) => b.kind === 'impression' && b.lineitem_id === 10);
  const ofTen = rows.filter(({ lineitem_id: id }) => id === 10);
  const sumOfTen = (name: 'impressions' | 'clicks' | 'gross_revenue'): number =>
    ofTen.reduce((all, row) => all + row[name], 0);
  const clicked = beacons.filter((b) => b.kind === 'click' && b.lineitem_id === 10);
  const micros = shown.reduce((all, each) => all + BigInt(each.clearing_micros), 0n);
  assert.ok(shown.length > 0 && clicked.length > 0);
  assert.equal(sumOfTen('impressions'), shown.length);
  assert.equal(sumOfTen('clicks'), clicked.length);
  assert.ok(Math.abs(sumOfTen('gross_revenue') - dollarsOf(micros)) < 1e-9);
  for (const row of rows) {
    assert.equal(row.dsp_requests, row.responses + row.no_bids + row.timeouts + row.errors);
    assert.ok(row.bids >= row.bids_in_auction && row.bids_in_auction >= row.wins);
  }
  assert.deepEqual(await Array.fromAsync(readKpis(store, { ...question, lineItemIds: [] })), []);
  const foreign = (
    await Array.fromAsync(readKpis(store, { ...question, demandPartnerId: 2, lineItemIds: [10] }))
  ).flat();
  assert.equal(foreign.length, 3);
  assert.ok(foreign.every(({ dsp_requests, bids }) => dsp_requests === 0 && bids === 0));
});
