import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import { addDays, dateOf } from '../src/analytics/dates.ts';
import {
  DEMAND_DIMENSIONS,
  readDemandReport,
  readSupplyReport,
  SUPPLY_DIMENSIONS,
  type Report,
} from '../src/analytics/report.ts';
import { textOf } from '../src/reporting/report-text.ts';
import { openAnalytics, Segment } from '../test/stores/loader-fixture.ts';
import { makeRecords } from '../test/stores/loader-records.ts';
import { quantile } from './statistics.ts';

/**
 * Time of reports, from the question to their last byte, over rollups of four months: one account
 * has half of the rows, fifty have the rest. First every report by one dimension, then one of all
 * dimensions, for its rows a second and its memory; each alone, and while batches are loaded.
 *
 * Usage: node bench/reports.ts [ROWS], of each rollup; 10,000,000 by default.
 */
const ROWS = Number(process.argv[2] ?? 10_000_000);
const ROWS_AN_INSERT = 500_000;
const DAYS = 122;
const BIG_ACCOUNT = 1;
const SMALL_ACCOUNT = 7;
const WARM_UPS = 2;
const ROUNDS = 20;
/** As a busy node ships them: about a megabyte each second. */
const RECORDS_A_BATCH = 700;
const BATCH_EVERY_MS = 1_000;
const SAMPLE_MS = 50;

const COUNTRIES =
  'USA DEU GRC FRA GBR IND BRA JPN ESP ITA POL NLD SWE MEX CAN TUR KOR AUS IDN'.split(' ');

type Side = 'demand' | 'supply';

interface Timed {
  readonly report: string;
  readonly p50Ms: number;
  readonly p95Ms: number;
  /** Of one report, on all threads of the process: what a busy machine changes least. */
  readonly cpuMs: number;
}

interface Streamed {
  readonly rows: number;
  readonly megabytes: number;
  readonly seconds: number;
  readonly firstMs: number;
  /** Resident memory of the process with the engine, before, and the most in each tenth of the time. */
  readonly beforeMb: number;
  readonly tenthsMb: readonly number[];
}

const endDate = dateOf(Date.now());
const startDate = addDays(endDate, 1 - DAYS);
const directory = mkdtempSync(join(tmpdir(), 'rialto-bench-'));
const analytics = await openAnalytics(directory);
const { store, loader } = analytics;
try {
  await fill();
  const alone = await measure('alone');
  const loading = await whileLoading(() => measure('while loading'));
  const results = new URL('results/', import.meta.url);
  mkdirSync(results, { recursive: true });
  const result = { rows: ROWS, days: DAYS, alone, loading };
  writeFileSync(new URL('reports.json', results), `${JSON.stringify(result, null, 2)}\n`);
  const worst = Math.max(...[...alone.single, ...loading.single].map(({ p95Ms }) => p95Ms));
  console.log(`slowest report by one dimension: p95 ${worst.toFixed(0)} ms`);
} finally {
  await analytics.close();
  rmSync(directory, { recursive: true });
}

/** Rows as two busy exchanges would have them: few formats, some hundred apps with three spaces each. */
async function fill(): Promise<void> {
  const startMs = performance.now();
  for (let from = 0; from < ROWS; from += ROWS_AN_INSERT) {
    // What the machine has for one table is not shared with the other.
    // oxlint-disable no-await-in-loop
    await store.command(insertOf('demand_daily', from));
    await store.command(insertOf('supply_daily', from));
    // oxlint-enable no-await-in-loop
  }
  const [parts] = await store.query(
    `SELECT sum(rows) AS rows, sum(bytes_on_disk) AS bytes FROM system.parts
     WHERE active AND table IN ('demand_daily', 'supply_daily')`,
  );
  const seconds = (performance.now() - startMs) / 1_000;
  const megabytes = Number(parts?.['bytes']) / 1e6;
  console.log(
    `${Number(parts?.['rows'])} rows, ${megabytes.toFixed(0)} MB, filled in ${seconds.toFixed(0)} s`,
  );
}

function insertOf(table: 'demand_daily' | 'supply_daily', from: number): string {
  const supply = `['iOS', 'Android', ''][1 + bitShiftRight(draw, 32) % 3], app * 3 + draw % 3,`;
  return `INSERT INTO ${table} SETTINGS async_insert = 0
    SELECT
      toDate('${startDate}') + intDiv(n * ${DAYS}, ${ROWS}),
      account,
      ['banner', 'video', 'native'][1 + bitShiftRight(draw, 4) % 3],
      concat('com.example.app', toString(app)),
      concat('app', toString(app), '.example'),
      ['${COUNTRIES.join("', '")}'][1 + bitShiftRight(draw, 20) % ${COUNTRIES.length}],
      bitShiftRight(draw, 30) % 2,
      ['iOS', 'Android', 'Web'][1 + bitShiftRight(draw, 32) % 3],
      bitShiftRight(draw, 40) % 8 = 0,
      ${table === 'supply_daily' ? supply : ''}
      1 + draw % 1000, draw % 700, draw % 300, draw % 200, draw % 20, draw % 200 * 2500000
    FROM (
      SELECT
        number + ${from} AS n,
        cityHash64(n) AS draw,
        if(n % 2 = 0, ${BIG_ACCOUNT}, 2 + bitShiftRight(draw, 50) % 50) AS account,
        bitShiftRight(draw, 8) % if(account = ${BIG_ACCOUNT}, 400, 60) AS app
      FROM numbers(${Math.min(ROWS_AN_INSERT, ROWS - from)}))`;
}

async function measure(
  when: string,
): Promise<{ readonly single: readonly Timed[]; readonly streamed: Streamed }> {
  const single: Timed[] = [];
  for (const [account, accountId] of [
    ['one of fifty accounts', SMALL_ACCOUNT],
    ['the big account', BIG_ACCOUNT],
  ] as const) {
    for (const [side, dimension] of choices()) {
      // oxlint-disable-next-line no-await-in-loop
      const timed = await time(`${side} by ${dimension}, ${account}`, () =>
        drain(reportOf(side, accountId, [dimension])),
      );
      single.push(timed);
      console.log(
        `${when}: ${timed.report}: p50 ${timed.p50Ms.toFixed(0)} ms, p95 ${timed.p95Ms.toFixed(0)} ms, CPU ${timed.cpuMs.toFixed(0)} ms`,
      );
    }
  }
  const streamed = await stream(reportOf('supply', BIG_ACCOUNT, SUPPLY_DIMENSIONS));
  const { rows, megabytes, seconds, firstMs, beforeMb, tenthsMb } = streamed;
  console.log(
    `${when}: all dimensions: ${rows} rows, ${megabytes.toFixed(0)} MB in ${seconds.toFixed(1)} s (${(rows / seconds).toFixed(0)} rows/s), first bytes after ${firstMs.toFixed(0)} ms`,
  );
  console.log(
    `${when}: memory ${beforeMb.toFixed(0)} MB before, most in each tenth: ${tenthsMb.map((mb) => mb.toFixed(0)).join(' ')} MB`,
  );
  return { single, streamed };
}

function* choices(): Generator<readonly [Side, (typeof SUPPLY_DIMENSIONS)[number]]> {
  for (const dimension of DEMAND_DIMENSIONS) yield ['demand', dimension];
  for (const dimension of SUPPLY_DIMENSIONS) yield ['supply', dimension];
}

function reportOf(
  side: Side,
  accountId: number,
  groupBy: readonly (typeof SUPPLY_DIMENSIONS)[number][],
): Report {
  const question = { accountId, startDate, endDate };
  if (side === 'supply') return readSupplyReport(store, { ...question, groupBy });
  const known = DEMAND_DIMENSIONS.filter((dimension) => groupBy.includes(dimension));
  return readDemandReport(store, { ...question, groupBy: known });
}

async function time(report: string, work: () => Promise<void>): Promise<Timed> {
  const times: number[] = [];
  let before = process.cpuUsage();
  for (let round = -WARM_UPS; round < ROUNDS; round += 1) {
    if (round === 0) before = process.cpuUsage();
    const startMs = performance.now();
    // oxlint-disable-next-line no-await-in-loop
    await work();
    if (round >= 0) times.push(performance.now() - startMs);
  }
  const { user, system } = process.cpuUsage(before);
  const cpuMs = (user + system) / 1_000 / ROUNDS;
  return { report, p50Ms: quantile(times, 0.5), p95Ms: quantile(times, 0.95), cpuMs };
}

async function drain(report: Report): Promise<void> {
  let length = 0;
  for await (const piece of textOf(report, 'json')) length += piece.length;
  if (length < 100) throw new Error('a report without rows');
}

async function stream(report: Report): Promise<Streamed> {
  const residentMb = (): number => process.memoryUsage.rss() / 1e6;
  const beforeMb = residentMb();
  const samples: number[] = [];
  const sampler = setInterval(() => samples.push(residentMb()), SAMPLE_MS);
  const startMs = performance.now();
  let firstMs = 0;
  let bytes = 0;
  let rows = 0;
  for await (const piece of textOf(report, 'csv')) {
    // The header comes before the first row was asked for.
    if (bytes > 0 && firstMs === 0) firstMs = performance.now() - startMs;
    bytes += Buffer.byteLength(piece);
    rows += piece.split('\r\n').length - 1;
    // As if a socket took it: the event loop turns.
    await setImmediate();
  }
  const seconds = (performance.now() - startMs) / 1_000;
  clearInterval(sampler);
  const tenthsMb = Array.from({ length: 10 }, (_, tenth) => {
    const [from, to] = [tenth, tenth + 1].map((at) => Math.floor((at * samples.length) / 10));
    return Math.max(...samples.slice(from, to));
  });
  return { rows: rows - 1, megabytes: bytes / 1e6, seconds, firstMs, beforeMb, tenthsMb };
}

async function whileLoading<T>(work: () => Promise<T>): Promise<T> {
  const segment = new Segment();
  const working = new AbortController();
  const load = async (): Promise<number> => {
    let batches = 0;
    for (; !working.signal.aborted; batches += 1) {
      const records = makeRecords(`load ${batches}`, RECORDS_A_BATCH, Date.now());
      // oxlint-disable-next-line no-await-in-loop
      const { kind } = await loader.load(segment.batch(records));
      if (kind !== 'loaded') throw new Error(`a batch was ${kind}`);
      // oxlint-disable-next-line no-await-in-loop
      await delay(BATCH_EVERY_MS);
    }
    return batches;
  };
  const loading = load();
  try {
    return await work();
  } finally {
    working.abort();
    console.log(`while loading: ${await loading} batches of ${RECORDS_A_BATCH} auctions`);
  }
}
