import assert from 'node:assert/strict';
import { test } from 'node:test';

import { eachDate } from '../src/analytics/dates.ts';
import { readKpis } from '../src/analytics/kpi.ts';
import {
  DEMAND_DIMENSIONS,
  readDemandReport,
  readSupplyReport,
  SUPPLY_DIMENSIONS,
  type Report,
} from '../src/analytics/report.ts';
import type { AnalyticsStore } from '../src/ports/analytics-store.ts';
import { Segment, testAnalytics } from './loader-fixture.ts';
import { makeRecords, MONTH_END_MS } from './loader-records.ts';

const QUESTION = { accountId: 1, startDate: '2026-11-01', endDate: '2026-12-31' };
const records = makeRecords('report', 500, MONTH_END_MS);

/** What a test auction holds is counted nowhere. */
const counted = records.filter(({ test: isTest }) => isTest === 0);

/** Impressions, clicks and money, as the beacons' records will bring them. */
async function addBilling(store: AnalyticsStore): Promise<void> {
  const rest = `'', '', 'USA', 0, 'iOS', 0`;
  await store.command(
    `INSERT INTO demand_daily (date, demand_partner_id, ad_format, app_bundle, app_site_domain,
       country_code, interstitial, platform, rewarded, impressions, clicks, gross_cpm_micros)
     SETTINGS async_insert = 0
     VALUES ('2026-11-30', 1, 'banner', ${rest}, 3, 1, 7500001),
       ('2026-12-01', 1, 'banner', ${rest}, 1, 0, 9007199254740993000)`,
  );
}

test('the demand report by date has all metrics, money divided once', async (t) => {
  const { loader, store } = await testAnalytics(t);
  await loader.load(new Segment().batch(records));
  await addBilling(store);
  const sumOf = (date: string, of: 'calls' | 'bids' | 'wins'): number => {
    const day = counted.filter(({ at_ms }) => new Date(at_ms).toISOString().startsWith(date));
    if (of === 'calls') {
      const calls = day.flatMap((record) => record.calls);
      return calls.filter((c) => c.demand_partner_id === 1 && c.outcome !== 'throttled').length;
    }
    const bids = day.flatMap((record) => record.bids).filter((b) => b.demand_partner_id === 1);
    return bids.filter(({ loss_reason }) => of === 'bids' || loss_reason === 0).length;
  };
  const row = (date: string, money: object): object => ({
    date,
    ...money,
    bids: sumOf(date, 'bids'),
    dsp_requests: sumOf(date, 'calls'),
    wins: sumOf(date, 'wins'),
  });
  const { columns, rows } = await readDemandReport(store, { ...QUESTION, groupBy: ['date'] });
  assert.deepEqual(rows, [
    row('2026-11-30', { gross_revenue: 0.007500001, impressions: 3, clicks: 1 }),
    row('2026-12-01', { gross_revenue: 9007199254.740993, impressions: 1, clicks: 0 }),
  ]);
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
  const { rows: laterRows } = await readDemandReport(store, later);
  assert.deepEqual(
    laterRows.map(({ date }) => date),
    ['2026-12-01'],
  );
  const none = await readDemandReport(store, { ...later, accountId: 99 });
  assert.deepEqual(none, { columns, rows: [] });
});

test('every grouping adds up to the same sums, typed as the reporting API has them', async (t) => {
  const { loader, store } = await testAnalytics(t);
  await loader.load(new Segment().batch(records));
  await addBilling(store);
  const total = ({ rows }: Report, metric: string): number =>
    rows.reduce((sum, row) => sum + Number(row[metric]), 0);
  const byDate = await readDemandReport(store, { ...QUESTION, groupBy: ['date'] });
  for (const dimension of DEMAND_DIMENSIONS) {
    const report = await readDemandReport(store, { ...QUESTION, groupBy: [dimension] });
    for (const metric of ['impressions', 'bids', 'clicks', 'dsp_requests', 'wins']) {
      assert.equal(total(report, metric), total(byDate, metric), `${metric} by ${dimension}`);
    }
  }
  const typed = { interstitial: 'number', zone_id: 'number', rewarded: 'boolean' };
  const all = await readSupplyReport(store, { ...QUESTION, groupBy: SUPPLY_DIMENSIONS });
  for (const name of SUPPLY_DIMENSIONS) {
    const type =
      name in typed ? Object.entries(typed).find(([key]) => key === name)?.[1] : 'string';
    assert.ok(all.rows.length > 0 && all.rows.every((row) => typeof row[name] === type), name);
  }
  assert.equal(
    total(all, 'requests'),
    counted.filter((r) => r.publisher_id === 1).flatMap((r) => r.imps).length,
  );
});

test('the supply report has its reduced columns without a date', async (t) => {
  const { loader, store } = await testAnalytics(t);
  await loader.load(new Segment().batch(records));
  const columns = async (...groupBy: (typeof SUPPLY_DIMENSIONS)[number][]): Promise<string[]> =>
    Object.keys((await readSupplyReport(store, { ...QUESTION, groupBy })).rows[0] ?? {});
  const reduced = ['impressions', 'payout', 'clicks'];
  const whole = [...reduced, 'filled_requests', 'requests', 'supply_wins'];
  assert.deepEqual(await columns('date'), ['date', ...whole]);
  assert.deepEqual(await columns('os', 'date'), ['os', 'date', ...whole]);
  assert.deepEqual(await columns('zone_id'), ['zone_id', ...reduced]);
  assert.deepEqual(await columns('zone_id', 'os'), ['zone_id', 'os', ...reduced]);
});

test('rows are ordered by date, then by the other dimensions', async (t) => {
  const { loader, store } = await testAnalytics(t);
  await loader.load(new Segment().batch(records));
  const question = { ...QUESTION, groupBy: ['platform', 'date'] as const };
  const { rows } = await readDemandReport(store, question);
  const places = rows.map(({ date, platform }) => `${String(date)} ${String(platform)}`);
  assert.ok(new Set(places).size > 3);
  assert.deepEqual(places, places.toSorted());
});

test('a dimension that is not allowed never reaches the store', async (t) => {
  const { store } = await testAnalytics(t);
  for (const groupBy of [[], ['os'], ['date', 'date'], ['date; DROP TABLE money']]) {
    const question = { ...QUESTION, groupBy };
    const asked: unknown = Reflect.apply(readDemandReport, undefined, [store, question]);
    await assert.rejects(Promise.resolve(asked), /is not grouped by/);
  }
  const quoted = { ...QUESTION, startDate: `2026-11-01' OR 1=1 --`, groupBy: ['date'] as const };
  await assert.rejects(readDemandReport(store, quoted));
});

test('KPIs have a row for every line item and day, zeros included', async (t) => {
  const { loader, store } = await testAnalytics(t);
  await loader.load(new Segment().batch(records));
  const question = { demandPartnerId: 1, startDate: '2026-11-29', endDate: '2026-12-01' };
  const rows = await readKpis(store, { ...question, lineItemIds: [12, 10, 99] });
  assert.deepEqual(
    rows.map(({ date, lineitem_id }) => `${date} ${lineitem_id}`),
    eachDate('2026-11-29', '2026-12-01').flatMap((date) =>
      [10, 12, 99].map((id) => `${date} ${id}`),
    ),
  );
  const calls = counted
    .flatMap((record) => record.calls)
    .filter((call) => call.lineitem_ids.includes(12));
  const sum = (name: 'dsp_requests' | 'responses' | 'throttled'): number =>
    rows.filter(({ lineitem_id }) => lineitem_id === 12).reduce((all, row) => all + row[name], 0);
  assert.equal(sum('dsp_requests'), calls.filter((c) => c.outcome !== 'throttled').length);
  assert.equal(sum('responses'), calls.filter((c) => c.outcome === 'bid').length);
  assert.equal(sum('throttled'), calls.filter((c) => c.outcome === 'throttled').length);
  for (const row of rows) {
    assert.equal(row.dsp_requests, row.responses + row.no_bids + row.timeouts + row.errors);
    assert.ok(row.bids >= row.bids_in_auction && row.bids_in_auction >= row.wins);
  }
  assert.deepEqual(await readKpis(store, { ...question, lineItemIds: [] }), []);
  const foreign = await readKpis(store, { ...question, demandPartnerId: 2, lineItemIds: [10] });
  assert.ok(foreign.every(({ dsp_requests, bids }) => dsp_requests === 0 && bids === 0));
});
