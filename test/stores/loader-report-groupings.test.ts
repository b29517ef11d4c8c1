import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';

import { parse } from 'csv-parse/sync';
import { fastify, type FastifyInstance } from 'fastify';

import { createRandom, type Random } from '../../sim/random.ts';
import {
  DEMAND_DIMENSIONS,
  readDemandReport,
  readSupplyReport,
  SUPPLY_DIMENSIONS,
  type ReportRow,
} from '../../src/analytics/report.ts';
import type { MoneyRecord } from '../../src/events/money-record.ts';
import { registerReporting } from '../../src/reporting/routes.ts';
import { allOf, Segment, testAnalytics, type Analytics } from './loader-fixture.ts';
import { expectReportRows } from './loader-oracle.ts';
import { makeRecords } from './loader-records.ts';
import { runs } from '../support/effort.ts';

/** Two days and two hours over the end of a month, one auction every ten minutes. */
const START_MS = Date.UTC(2026, 10, 29, 12);
const STEP_MS = 900_000;
const AUCTIONS = 200;
const NOW_MS = Date.UTC(2026, 11, 1, 20);
const ACCOUNT = 1;

/** What a publisher may send for the bundle or domain of an app, and spreadsheets may run. */
const HOSTILE = [
  '=HYPERLINK("https://evil.example","x")',
  '+1;-1',
  '-2,"3"',
  '@SUM(A1)',
  '＝1+1',
  ' \u200b=cmd|x',
  '\r=1',
  '€ 𝄞 é 漢\n"line"',
  "'; DROP TABLE demand_daily --",
];
const PLATFORMS = ['iOS', 'Android', 'CTV', 'Web', 'Mobile Web'];

/** A report's metrics, by the oracle's columns, as the reporting API orders and names them. */
interface Side {
  readonly dimensions: readonly string[];
  /** Of the oracle's rows, whose second column is the account. */
  readonly columns: readonly string[];
  readonly metrics: Readonly<Record<string, number>>;
  readonly money: string;
  readonly byDateOnly: readonly string[];
}

const SIDES: Readonly<Record<'demand' | 'supply', Side>> = {
  demand: {
    dimensions: DEMAND_DIMENSIONS,
    columns:
      'date account ad_format app_bundle app_site_domain country_code interstitial platform rewarded'.split(
        ' ',
      ),
    metrics: { gross_revenue: 5, impressions: 3, bids: 1, clicks: 4, dsp_requests: 0, wins: 2 },
    money: 'gross_revenue',
    byDateOnly: [],
  },
  supply: {
    dimensions: SUPPLY_DIMENSIONS,
    columns:
      'date account ad_format app_bundle app_site_domain country_code interstitial platform rewarded os zone_id'.split(
        ' ',
      ),
    metrics: {
      impressions: 3,
      payout: 5,
      clicks: 4,
      filled_requests: 1,
      requests: 0,
      supply_wins: 2,
    },
    money: 'payout',
    byDateOnly: ['filled_requests', 'requests', 'supply_wins'],
  },
};

const records = makeRecords('groupings', AUCTIONS, START_MS, STEP_MS).map(disguise);
const rollups = expectReportRows(records);

/** Hostile texts in place of an app's names, the same in an auction and its beacons. */
function disguise(record: MoneyRecord): MoneyRecord {
  if (record.kind === 'delivery') return record;
  const place = Number(/\d+/.exec(record.app_site_domain)?.[0] ?? 0);
  const hostile = HOSTILE[place % HOSTILE.length] ?? '';
  const platform = PLATFORMS[place % PLATFORMS.length] ?? '';
  return {
    ...record,
    app_bundle: record.app_bundle === '' ? '' : hostile,
    app_site_domain: place === 9 ? hostile : record.app_site_domain,
    platform_supply: record.platform_supply === '' ? '' : platform,
  };
}

/** The report that these groups should have, worked out from the records alone. */
function expected(name: 'demand' | 'supply', groupBy: readonly string[]): ReportRow[] {
  const { columns, metrics, money, byDateOnly } = SIDES[name];
  const shown = Object.entries(metrics).filter(
    ([metric]) => groupBy.includes('date') || !byDateOnly.includes(metric),
  );
  const groups = new Map<string, { cells: (string | number)[]; sums: number[] }>();
  for (const { dimensions, amounts } of rollups[name]) {
    if (dimensions[columns.indexOf('account')] !== ACCOUNT) continue;
    const cells = groupBy.map((dimension) => dimensions[columns.indexOf(dimension)] ?? '');
    const key = JSON.stringify(cells);
    const group = groups.get(key) ?? { cells, sums: shown.map(() => 0) };
    groups.set(key, group);
    for (const [index, [, at]] of shown.entries()) {
      group.sums[index] = (group.sums[index] ?? 0) + (amounts[at] ?? 0);
    }
  }
  const order = [...groupBy].sort((a, b) => Number(b === 'date') - Number(a === 'date'));
  return [...groups.values()]
    .map(({ cells, sums }) => {
      const row: Record<string, string | number | boolean> = {};
      for (const [at, dimension] of groupBy.entries()) row[dimension] = typed(dimension, cells[at]);
      for (const [at, [metric]] of shown.entries()) {
        const sum = sums[at] ?? 0;
        // Far below 2^53 in this test: one division is exact to the last digit that is shown.
        row[metric] = metric === money ? Number((sum / 1e9).toFixed(9)) : sum;
      }
      return row;
    })
    .sort((a, b) => compare(a, b, order));
}

function typed(dimension: string, value: string | number | undefined): string | number | boolean {
  return dimension === 'rewarded' ? value === 1 : (value ?? '');
}

/** Texts in the order of their bytes. */
function compare(a: ReportRow, b: ReportRow, order: readonly string[]): number {
  for (const name of order) {
    const [x, y] = [a[name], b[name]];
    if (typeof x === 'string' && typeof y === 'string') {
      const difference = Buffer.compare(Buffer.from(x), Buffer.from(y));
      if (difference !== 0) return difference;
    } else if (x !== y) return Number(x) - Number(y);
  }
  return 0;
}

/** So many in a hundred of the choices of dimensions are tried in the gate, others each time. */
const SHARE = runs(10);

/** Choices of dimensions, each in some order: all in soak; in the gate each by itself, all of them, and a share. */
function* groupings(dimensions: readonly string[], random: Random): Generator<string[]> {
  for (let choice = 1; choice < 1 << dimensions.length; choice += 1) {
    const chosen = dimensions.filter((_, index) => (choice >> index) & 1);
    const isTried = chosen.length === 1 || chosen.length === dimensions.length;
    if (!isTried && random.integer(0, 99) >= SHARE) continue;
    yield chosen
      .map((name) => ({ name, at: random.integer(0, 1_000_000) }))
      .sort((a, b) => a.at - b.at)
      .map(({ name }) => name);
  }
}

test('a report by one dimension reads the sums that are kept for it', async (t) => {
  const { store, loader } = await testAnalytics(t);
  await loader.load(new Segment().batch(records));
  const question = { accountId: ACCOUNT, startDate: '2026-11-29', endDate: '2026-12-01' };
  // The engine refuses then to answer from anything else.
  const forced = {
    stream: (sql: string) =>
      store.stream(sql.replace('SETTINGS', 'SETTINGS force_optimize_projection = 1,')),
  };
  for (const dimension of DEMAND_DIMENSIONS) {
    const asked = { ...question, groupBy: [dimension] };
    const { rows } = await allOf(readDemandReport(forced, asked));
    assert.deepEqual(rows, expected('demand', [dimension]));
  }
  for (const dimension of SUPPLY_DIMENSIONS) {
    const asked = { ...question, groupBy: [dimension] };
    const { rows } = await allOf(readSupplyReport(forced, asked));
    assert.deepEqual(rows, expected('supply', [dimension]));
  }
});

/** Reports over HTTP. Each is read from the store once, however many formats it is asked for in. */
function reportsOf({ store }: Analytics): FastifyInstance {
  const read = new Map<string, ReturnType<typeof allOf>>();
  const once = (key: string, report: () => Parameters<typeof allOf>[0]) => {
    const made = report();
    const rows = read.get(key) ?? allOf(made);
    read.set(key, rows);
    return {
      columns: made.columns,
      rows: (async function* () {
        yield (await rows).rows;
      })(),
    };
  };
  const app = fastify();
  registerReporting(app, {
    findAccount: async (token) =>
      token === 'demand'
        ? { demandPartnerId: ACCOUNT, publisherId: null }
        : { demandPartnerId: null, publisherId: ACCOUNT },
    demandReport: (accountId, query) =>
      once(`demand ${query.groupBy.join()}`, () =>
        readDemandReport(store, { ...query, accountId }),
      ),
    supplyReport: (accountId, query) =>
      once(`supply ${query.groupBy.join()}`, () =>
        readSupplyReport(store, { ...query, accountId }),
      ),
    takeReport: async () => ({
      isAllowed: true,
      limit: 100,
      windowSeconds: 3_600,
      remaining: 99,
      moreInSeconds: 3_600,
    }),
    onCutOff: (error) => assert.fail(error),
    now: () => NOW_MS,
  });
  return app;
}

async function ask(app: FastifyInstance, side: string, query: string): Promise<string> {
  const dates = 'start_date=2026-11-29&end_date=2026-12-01';
  const url = `/reporting/brand/${side}?account_auth_token=${side}&${dates}&${query}`;
  const answer = await app.inject({ url });
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.body;
}

/** What a reader of the CSV has, its quotes before formulas taken away. */
function readCsv(text: string, columns: readonly string[]): unknown[] {
  const [header, ...lines]: string[][] = parse(text, { record_delimiter: '\r\n' });
  assert.deepEqual(header, columns);
  for (const cell of lines.flat()) {
    assert.doesNotMatch(cell, /^[\s\p{Cf}]*[=+\-@＝＋－＠]/u, 'a spreadsheet would run it');
  }
  const harmless = new Map(HOSTILE.map((each) => [`'${each}`, each]));
  return lines.map((cells) => cells.map((cell) => harmless.get(cell) ?? cell));
}

async function checkSide(t: TestContext, side: 'demand' | 'supply'): Promise<void> {
  const analytics = await testAnalytics(t);
  await analytics.loader.load(new Segment().batch(records));
  const app = reportsOf(analytics);
  let rowsCompared = 0;
  const check = async (groupBy: readonly string[], query: string): Promise<void> => {
    const rows = expected(side, groupBy);
    const envelope = { status: 'success', data: rows, result_count: rows.length };
    // As text, so that the order of the keys is compared too.
    const text = JSON.stringify(envelope);
    assert.equal(await ask(app, side, query), text, `${side} by ${groupBy.join()}`);
    const columns = Object.keys(rows[0] ?? {});
    assert.deepEqual(
      readCsv(await ask(app, side, `${query}&format=csv`), columns),
      rows.map((row) => columns.map((column) => String(row[column]))),
      `${side} by ${groupBy.join()} as CSV`,
    );
    rowsCompared += rows.length;
  };
  await check(['date'], '');
  const seed = process.env['LOADER_SEED'] ?? String(Date.now());
  t.diagnostic(`LOADER_SEED=${seed}`);
  const waiting = groupings(SIDES[side].dimensions, createRandom(seed));
  // A few at a time, as accounts ask.
  const asker = async (): Promise<void> => {
    for (const groupBy of waiting) await check(groupBy, `group_by=${groupBy.join()}`);
  };
  await Promise.all([asker(), asker(), asker()]);
  t.diagnostic(`${rowsCompared} rows`);
}

test('every demand report is what its events say, in any grouping, as JSON and as CSV', (t) =>
  checkSide(t, 'demand'));

test('every supply report is what its events say, in any grouping, as JSON and as CSV', (t) =>
  checkSide(t, 'supply'));
