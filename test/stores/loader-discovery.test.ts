import assert from 'node:assert/strict';
import { test } from 'node:test';

import fc from 'fast-check';
import countries from 'i18n-iso-countries';

import { dateOf } from '../../src/analytics/dates.ts';
import { readDiscovery } from '../../src/analytics/discovery.ts';
import { FORMAT_BANNER, FORMAT_NATIVE, FORMAT_VIDEO } from '../../src/auction/formats.ts';
import { compileTargeting } from '../../src/auction/targeting.ts';
import type { ImpTraits } from '../../src/auction/targeting-traits.ts';
import type { AuctionRecord, ImpRecord } from '../../src/events/auction-record.ts';
import type { AnalyticsStore } from '../../src/ports/analytics-store.ts';
import type { Targeting } from '../../src/resources/targeting.ts';
import { Segment, testAnalytics } from './loader-fixture.ts';
import { makeAuctions } from './loader-records.ts';
import { runs } from '../support/effort.ts';

const DAY_MS = 86_400_000;
/** Inventory expires by the clock of the engine, so that these days have to be near. */
const NOW_MS = Date.now();
const FORMATS = { banner: FORMAT_BANNER, video: FORMAT_VIDEO, native: FORMAT_NATIVE };

function makeWeek(): AuctionRecord[] {
  const records = makeAuctions('week', 600, NOW_MS - 6 * DAY_MS, (6 * DAY_MS) / 600);
  for (const record of records) {
    record.platform_demand = record.os === '' ? 'Web' : record.os;
    for (const imp of record.imps) {
      // Native ads have no sizes.
      if (imp.ad_format === 'native') imp.sizes = [];
      if (imp.zone_id % 3 === 0) record.app_site_domain = 'WWW.News.Example.org';
    }
  }
  return records;
}

/** The impression as eligibility would have seen it. */
function traitsOf(record: AuctionRecord, imp: ImpRecord): ImpTraits {
  const sizes = imp.sizes.map((size) => {
    const [w = 0, h = 0] = size.split('x').map(Number);
    return { w, h };
  });
  return {
    adSpaceId: imp.zone_id,
    publisherId: record.publisher_id,
    bundle: record.app_bundle === '' ? null : record.app_bundle,
    domain: record.app_site_domain,
    categories: record.categories,
    formats: FORMATS[imp.ad_format],
    bannerSizes: sizes,
    videoSize: sizes[0] ?? null,
    interstitial: imp.interstitial === 1,
    rewarded: imp.rewarded === 1,
    country: countries.alpha3ToAlpha2(record.country_code) ?? null,
    hasLocation: record.has_location === 1,
    platform: record.platform_demand === 'Web' ? 'Web' : platformOf(record.platform_demand),
    os: record.os === '' ? null : record.os,
    language: record.language === '' ? null : record.language,
    connectiontype: record.connectiontype,
    secure: imp.secure === 1,
  };
}

function platformOf(text: string): 'iOS' | 'Android' | '' {
  return text === 'iOS' || text === 'Android' ? text : '';
}

/** A list of some of these codes, white or black, empty ones included. */
function listOf(...codes: string[]): fc.Arbitrary<NonNullable<Targeting['os']>> {
  return fc.record({
    identifiers: fc.subarray(codes).map((some) => some.map((code) => ({ code }))),
    is_whitelist: fc.boolean(),
  });
}

const targetings: fc.Arbitrary<Targeting> = fc.record(
  {
    geo: fc.record(
      { is_geo_data_required: fc.boolean(), countries: listOf('US', 'DE', 'FR') },
      { requiredKeys: [] },
    ),
    ad_formats: listOf('banner', 'video', 'native'),
    platforms: listOf('iOS', 'Android', 'Web'),
    os: listOf('ios', 'Android', 'Windows'),
    sizes: listOf('320x50', '300x250', '1x1'),
    app_bundles: listOf('com.example.app1', 'com.example.app2', `it's`),
    app_site_domains: listOf('example', 'app3.example', 'news.example.org', 'example.org'),
    publishers: listOf('1', '02', '77'),
    ad_spaces: listOf('1', '2', '3', '4', '0005'),
    categories: listOf('IAB1', 'IAB1-1', 'IAB9-30', 'IAB9'),
    languages: listOf('en', 'el'),
    connection_types: listOf('0', '1', '6'),
    interstitial: fc.boolean(),
    rewarded: fc.boolean(),
    secure: fc.boolean(),
  },
  { requiredKeys: [] },
);

test('discovery counts exactly what a line item of the same targeting would match', async (t) => {
  const { loader, store } = await testAnalytics(t);
  const records = makeWeek();
  // Several batches of the same days, of which parts are merged: projections are merged with them.
  const segment = new Segment();
  for (let start = 0; start < records.length; start += 200) {
    await loader.load(segment.batch(records.slice(start, start + 200)));
    if (start === 200) await store.command('OPTIMIZE TABLE inventory_hourly FINAL');
  }
  const imps = records
    .filter(({ test: isTest }) => isTest === 0)
    .flatMap((record) => record.imps.map((imp) => ({ record, imp })));
  const assertLikeMatcher = async (targeting: Targeting): Promise<void> => {
    const matcher = compileTargeting(targeting);
    const expected = imps.filter(({ record, imp }) =>
      matcher.matches(traitsOf(record, imp), FORMATS[imp.ad_format]),
    );
    const { total } = await readDiscovery(store, targeting, NOW_MS);
    assert.equal(total.ad_requests, expected.length, JSON.stringify(targeting));
  };
  await assertLikeMatcher({});
  await fc.assert(fc.asyncProperty(targetings, assertLikeMatcher), { numRuns: runs(6) });
});

test('discovery reads a projection that has all columns of the question, or else the table', async (t) => {
  const { loader, store } = await testAnalytics(t);
  await loader.load(new Segment().batch(makeWeek()));
  const plans: string[] = [];
  const explaining: AnalyticsStore = {
    command: (sql) => store.command(sql),
    stream: (sql) => store.stream(sql),
    insert: (sql, records) => store.insert(sql, records),
    recover: () => store.recover(),
    close: () => store.close(),
    query: async (sql, parameters) => {
      const rows = await store.query(`EXPLAIN ${sql}`, parameters);
      plans.push(rows.map(({ explain }) => String(explain)).join('\n'));
      return [];
    },
  };
  const codes = (code: string) => ({ identifiers: [{ code }], is_whitelist: false });
  for (const [targeting, projection] of [
    [{}, /by_(place|device)/],
    [{ geo: { countries: codes('US') }, sizes: codes('1x1'), os: codes('ios') }, /by_place/],
    [{ languages: codes('en'), platforms: codes('iOS'), secure: true }, /by_device/],
    [{ languages: codes('en'), sizes: codes('1x1') }, null],
  ] as const) {
    await readDiscovery(explaining, targeting, NOW_MS);
    const plan = plans.at(-1) ?? '';
    // The different sizes may well be looked up in a projection; what is counted is the first.
    const [read = ''] = /ReadFromMergeTree.*/.exec(plan) ?? [];
    if (projection === null) assert.match(read, /inventory_hourly/);
    else assert.match(read, projection);
  }
});

test('discovery has seven days, today incomplete, averages and the busiest hour', async (t) => {
  const { loader, store } = await testAnalytics(t);
  const noonMs = Date.parse(`${dateOf(NOW_MS)}T12:00:00Z`);
  // 36 ad requests in one hour of the day before yesterday, 12 in another; 18 today before noon.
  const at = (startMs: number, count: number): AuctionRecord[] =>
    makeAuctions(startMs, count, startMs).map((record) => {
      const [imp] = record.imps;
      if (imp === undefined) throw new Error('an auction without an impression');
      return { ...record, test: 0, imps: [imp], calls: [], bids: [], notices: [] };
    });
  const twoDaysMs = noonMs - 2 * DAY_MS;
  const records = [
    ...at(twoDaysMs, 36),
    ...at(twoDaysMs + 3_600_000, 12),
    ...at(noonMs - 1000, 18),
    ...at(noonMs - 8 * DAY_MS, 5),
  ];
  await loader.load(new Segment().batch(records));
  const { days, total } = await readDiscovery(store, {}, noonMs);
  assert.deepEqual(
    days.map(({ date, complete }) => [date, complete]),
    [6, 5, 4, 3, 2, 1, 0].map((back) => [dateOf(noonMs - back * DAY_MS), back > 0]),
  );
  const none = { ad_requests: 0, qps_avg: 0, qps_peak: 0 };
  const counts = days.map(({ date: _, complete: __, ...traffic }) => traffic);
  assert.deepEqual(counts, [
    none,
    none,
    none,
    none,
    { ad_requests: 48, qps_avg: 48 / 86_400, qps_peak: 0.01 },
    none,
    { ad_requests: 18, qps_avg: 18 / 43_200, qps_peak: 0.005 },
  ]);
  assert.deepEqual(total, { ad_requests: 66, qps_avg: 66 / (6.5 * 86_400), qps_peak: 0.01 });
});
