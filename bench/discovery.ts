import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openChdb } from '../src/adapters/chdb.ts';
import { addDays, dateOf, startOf } from '../src/analytics/dates.ts';
import { readDiscovery } from '../src/analytics/discovery.ts';
import { migrateAnalytics } from '../src/analytics/migrate.ts';
import type { AnalyticsStore } from '../src/ports/analytics-store.ts';
import type { Targeting } from '../src/resources/targeting.ts';
import { median } from './statistics.ts';

/**
 * How long discovery takes over a week at a thousand ad requests a second: 604,800,000 of 200 ad
 * spaces, 60 countries, 25 languages, six kinds of devices and five of connections, drawn anew from a
 * fixed seed, so that 1.9 million combinations are met on a day, most of them seldom. Run it as
 * `npm run bench` is run: `node bin/node.js bench/discovery.ts [RATE]`.
 *
 * The day is drawn once and stands for all seven: drawing takes half a minute.
 */
const DAYS = 7;
const RATE = Number(process.argv[2] ?? 1_000);
const REQUESTS_A_DAY = RATE * 86_400;
const ROUNDS = 7;

const codes = (list: readonly string[], is_whitelist = true) => ({
  identifiers: list.map((code) => ({ code })),
  is_whitelist,
});

const QUESTIONS: Readonly<Record<string, Targeting>> = {
  'no key': {},
  'a country': { geo: { countries: codes(['US']) } },
  'all but a country': { geo: { countries: codes(['US'], false) } },
  'with a location': { geo: { is_geo_data_required: true } },
  domains: { app_site_domains: codes(['example.com']) },
  categories: { categories: codes(['IAB1', 'IAB17-2']) },
  sizes: { sizes: codes(['320x50']) },
  'a publisher': { publishers: codes(['7']) },
  'four keys, narrow': {
    geo: { countries: codes(['US']) },
    platforms: codes(['iOS']),
    connection_types: codes(['2']),
    languages: codes(['en', 'de']),
  },
  'four keys': {
    geo: { countries: codes(['US', 'DE', 'FR']) },
    platforms: codes(['iOS', 'Android']),
    ad_formats: codes(['banner']),
    categories: codes(['IAB1']),
  },
  'four keys, broad': {
    geo: { countries: codes(['FR'], false) },
    platforms: codes(['iOS'], false),
    os: codes(['Linux'], false),
    connection_types: codes(['2', '5', '6']),
  },
  'both sides, broad': {
    geo: { countries: codes(['FR'], false) },
    ad_spaces: codes(['5'], false),
    languages: codes(['el'], false),
    connection_types: codes(['2', '5', '6']),
  },
  'eight keys': {
    geo: { is_geo_data_required: true, countries: codes(['US', 'DE', 'FR', 'GB']) },
    platforms: codes(['iOS', 'Android']),
    ad_formats: codes(['banner', 'video']),
    sizes: codes(['640x480', '320x50']),
    app_site_domains: codes(['app3.example.com'], false),
    categories: codes(['IAB3'], false),
    languages: codes(['en', 'fr']),
  },
};

/** A number from 0 to 1 by the `n`th ad request, each `salt` another one. */
const unit = (salt: number) => `((cityHash64(n, ${salt}) % 1000003) / 1000003)`;
/** A place among so many of which the first are the most frequent: Zipf's law. */
const often = (salt: number, count: number) =>
  `toUInt32(floor(pow(${count + 1}, ${unit(salt)}))) - 1`;

/** Every combination of a day, with how often it is met in each hour. */
const DRAWN = `
  SELECT zone, country, has_location, device, language, connectiontype, count() AS requests,
    sumMap([hour_of_day], [toUInt32(1)]) AS hours
  FROM (
    SELECT n, toUInt8(cityHash64(n, 9) % 24) AS hour_of_day,
      ${often(1, 200)} AS zone,
      ${often(2, 60)} AS country,
      cityHash64(n, 3) % 100 < 30 AS has_location,
      if(zone % 3 = 2, 2 + cityHash64(n, 4) % 4, zone % 3) AS device,
      if(cityHash64(n, 5) % 100 < 90, country % 25, ${often(6, 25)}) AS language,
      [2, 2, 2, 6, 6, 5, 0, 3][1 + cityHash64(n, 7) % 8] AS connectiontype
    FROM (SELECT number AS n FROM numbers(${REQUESTS_A_DAY}))
  )
  GROUP BY ALL`;

const LANGUAGES = 'en de fr es it pt nl el pl tr ru uk ja ko zh ar he hi sv no da fi cs hu ro';
const list = (texts: string) => `['${texts.split(' ').join("', '")}']`;

/** In the order of the table's columns. */
const columnsOf = (date: string) => `
  ${momentOf(date)} AS hour, 1 + zone % 40, 1 + zone,
  if(zone % 3 = 2, '', concat('com.example.app', toString(intDiv(zone, 3)))),
  concat('www.app', toString(intDiv(zone, 3)), '.example.com'),
  ['IAB1', 'IAB1-1 IAB9-30', 'IAB3', 'IAB17-2 IAB17', ''][1 + intDiv(zone, 3) % 5],
  ['banner', 'banner', 'video', 'native'][1 + zone % 4],
  ['320x50', '300x250 320x50', '640x480', ''][1 + zone % 4],
  zone % 10 = 3, zone % 12 = 6,
  if(country < 4, ${list('USA DEU FRA GBR')}[1 + country], concat('C', toString(country))),
  has_location, ${list('iOS Android Web Web Web Web')}[1 + device],
  ${list('iOS Android Windows macOS Linux iOS')}[1 + device],
  ${list(LANGUAGES)}[1 + language], connectiontype, 1, requests, hours.1, hours.2`;

const directory = mkdtempSync(join(tmpdir(), 'rialto-bench-'));
const store = await openChdb({ directory: join(directory, 'analytics') });
try {
  await migrateAnalytics(store);
  const nowMs = Date.now();
  await fill(store, dateOf(nowMs));
  const [rows] = await store.query('SELECT toString(count()) AS count FROM inventory_hourly');
  console.log(`${DAYS * REQUESTS_A_DAY} ad requests in ${String(rows?.['count'])} rows`);
  for (const [name, targeting] of Object.entries(QUESTIONS)) {
    const times: number[] = [];
    let requests = 0;
    // The first answer reads from the disk, and is not counted.
    for (let round = 0; round <= ROUNDS; round += 1) {
      const startMs = performance.now();
      const { total } = await readDiscovery(store, targeting, nowMs);
      if (round > 0) times.push(performance.now() - startMs);
      requests = total.ad_requests;
    }
    const share = `${((100 * requests) / (DAYS * REQUESTS_A_DAY)).toFixed(1)} %`;
    const range = `${Math.round(Math.min(...times))} to ${Math.round(Math.max(...times))} ms`;
    console.log(`${name} (${share}): median ${Math.round(median(times))} ms, ${range}`);
  }
} finally {
  await store.close();
  rmSync(directory, { recursive: true });
}

/** The last day is drawn by hashes, which are the same in every run; the others are copies. */
async function fill(to: AnalyticsStore, today: string): Promise<void> {
  await to.command(`INSERT INTO inventory_hourly SELECT ${columnsOf(today)} FROM (${DRAWN})`);
  await to.command(`OPTIMIZE TABLE inventory_hourly PARTITION '${today}' FINAL`);
  for (let back = 1; back < DAYS; back += 1) {
    const date = addDays(today, -back);
    await to.command(
      `INSERT INTO inventory_hourly SELECT * REPLACE (${momentOf(date)} AS hour)
       FROM (SELECT * FROM inventory_hourly WHERE toDate(hour) = '${today}')`,
    );
    await to.command(`OPTIMIZE TABLE inventory_hourly PARTITION '${date}' FINAL`);
  }
}

function momentOf(date: string): string {
  return `toDateTime(${startOf(date) / 1000}, 'UTC')`;
}
