import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { CountFacts, DayFacts } from '../../analytics/count-facts.ts';
import { addDays, eachDate, startOf } from '../../analytics/dates.ts';
import { NO_SUMS, type DaySums, type Sums } from '../../analytics/sums.ts';
import { compareCounts } from './compare-counts.ts';
import type { Comparison } from './schema.ts';
import { readCounts } from './uploaded-counts.ts';
import { runs } from '../../../test/support/effort.ts';
import { anyCharacter } from '../../../test/support/any-character.ts';

const SPAN = { first: '2026-11-10', last: '2026-11-12' };
const KEPT = { first: '2026-11-08', last: '2026-11-20' };
const HOUR_MS = 3_600_000;

const OURS: Sums = { impressions: 1_000, clicks: 10, wins: 1_200, cpmMicros: 2_000_000_000n };
const NO_NOTICES = { due: 0, delivered: 0, givenUp: 0, repeated: 0 };
const QUIET: DayFacts = {
  testImpressions: 0,
  testWins: 0,
  offeredWins: 0,
  confirmedWins: 0,
  fromDayBefore: NO_SUMS,
  onDayAfter: NO_SUMS,
  billing: { ...NO_NOTICES, due: 1_000, delivered: 1_000 },
  win: { ...NO_NOTICES, due: 1_200, delivered: 1_200 },
};

/** Compares a CSV with three days of the same figures. */
async function compared(
  csv: string,
  differs: { facts?: Partial<DayFacts>; hours?: CountFacts['hours']; side?: 'supply' } = {},
): Promise<Comparison> {
  const read = await readCounts(csv, SPAN);
  assert.ok(read.ok, JSON.stringify(read));
  const dates = eachDate(SPAN.first, SPAN.last);
  const ours: DaySums[] = dates.map((date) => Object.assign({ date }, OURS));
  return compareCounts({
    side: differs.side ?? 'demand',
    span: SPAN,
    metrics: read.metrics,
    theirs: read.days,
    ours,
    facts: {
      hours: differs.hours ?? new Map(),
      days: new Map(dates.map((date) => [date, { ...QUIET, ...differs.facts }])),
    },
    factDays: KEPT,
  });
}

/** The first cause of the first day. */
async function firstCause(...given: Parameters<typeof compared>): Promise<string | undefined> {
  const { days } = await compared(...given);
  return days[0]?.causes[0]?.code;
}

const same = (line: string): string =>
  eachDate(SPAN.first, SPAN.last)
    .map((date) => `${date},${line}\n`)
    .join('');

test('equal figures agree, in any order and form of the columns', async () => {
  const answer = await compared(`date,impressions,clicks,wins,revenue\n${same('1000,10,1200,2')}`);
  assert.deepEqual([answer.agrees, answer.days.length], [true, 3]);
  assert.ok(answer.days.every(({ causes }) => causes.length === 0));
  const other = `\ufeffSpend;line item;Imps;DAY\r\n${eachDate(SPAN.first, SPAN.last)
    .map((date) => `"1.5";"a;""b""";400;${date}\r\n0.50;x;600;${date}\r\n`)
    .join('')}`;
  assert.equal((await compared(other)).agrees, true);
});

test('a difference is told in numbers and percent of ours, a total as well', async () => {
  const { days, total } = await compared(`date,impressions\n2026-11-10,990\n2026-11-11,1000\n`);
  assert.deepEqual(days[0]?.differences, [
    { metric: 'impressions', ours: 1_000, theirs: 990, difference: -10, percent: -1 },
  ]);
  assert.deepEqual(total, [
    { metric: 'impressions', ours: 2_000, theirs: 1_990, difference: -10, percent: -0.5 },
  ]);
  assert.deepEqual(
    days.map(({ date, causes }) => [date, causes[0]?.code]),
    [
      ['2026-11-10', 'unknown'],
      ['2026-11-11', undefined],
      ['2026-11-12', 'day_missing'],
    ],
  );
});

test('each cause is found by the numbers that support it', async () => {
  const billing = { ...NO_NOTICES, due: 1_000, delivered: 970, givenUp: 20 };
  assert.equal(
    await firstCause('date,imps\n2026-11-10,970\n', { facts: { billing } }),
    'notices_not_delivered',
  );
  const few = { ...NO_NOTICES, due: 600, delivered: 600 };
  assert.equal(
    await firstCause('date,imps,spend\n2026-11-10,600,1.2\n', { facts: { billing: few } }),
    'no_billing_notice',
  );
  const repeated = { ...NO_NOTICES, due: 1_000, delivered: 1_000, repeated: 7 };
  assert.equal(
    await firstCause('date,imps\n2026-11-10,1007\n', { facts: { billing: repeated } }),
    'notices_repeated',
  );
  const fromDayBefore = { ...NO_SUMS, impressions: 30 };
  const onDayAfter = { ...NO_SUMS, impressions: 12 };
  assert.equal(
    await firstCause('date,imps\n2026-11-10,982\n', { facts: { fromDayBefore, onDayAfter } }),
    'auction_day',
  );
  assert.equal(
    await firstCause('date,imps\n2026-11-10,1005\n', { facts: { testImpressions: 5 } }),
    'test_traffic',
  );
  assert.equal(
    await firstCause('date,wins\n2026-11-10,1250\n', {
      facts: { offeredWins: 400, confirmedWins: 350 },
    }),
    'unconfirmed_wins',
  );
  assert.equal(await firstCause('date,imps\n2026-11-10,1199\n'), 'wins_as_impressions');
  assert.equal(await firstCause('date,imps,spend\n2026-11-10,1000,2.009\n'), 'rounding');
  assert.equal(
    await firstCause('date,imps\n2026-11-10,970\n', { facts: { billing }, side: 'supply' }),
    'unknown',
  );
});

test('the likeliest cause comes first, with its figures and sentence', async () => {
  const billing = { ...NO_NOTICES, due: 1_000, delivered: 970, givenUp: 20 };
  const { days } = await compared('date,imps\n2026-11-10,970\n', {
    facts: { billing, fromDayBefore: { ...NO_SUMS, impressions: 4 } },
  });
  const causes = days[0]?.causes ?? [];
  assert.deepEqual(
    causes.map(({ code }) => code),
    ['notices_not_delivered', 'auction_day'],
  );
  assert.deepEqual(causes[0]?.figures, {
    due: 1_000,
    delivered: 970,
    given_up: 20,
    pending: 10,
    repeated: 0,
  });
  assert.match(causes[0]?.sentence ?? '', /^Of 1000 billing notices of this day 20 were given up/);
});

test('days that begin at another midnight are found by their hours', async () => {
  const hours = new Map<number, Sums>();
  const first = startOf(addDays(SPAN.first, -1)) / HOUR_MS;
  for (let hour = 0; hour < 24 * 5; hour += 1) {
    const impressions = (hour * 37) % 101;
    hours.set(first + hour, { ...NO_SUMS, impressions });
  }
  const theirs = eachDate(SPAN.first, SPAN.last).map((date) => {
    // Their day of UTC+3 begins three hours earlier.
    const start = startOf(date) / HOUR_MS - 3;
    const sum = Array.from(
      { length: 24 },
      (_, index) => hours.get(start + index)?.impressions ?? 0,
    );
    return `${date},${sum.reduce((all, each) => all + each, 0)}\n`;
  });
  const answer = await compared(`date,impressions\n${theirs.join('')}`, { hours });
  assert.equal(answer.time_zone_hours, 3);
  assert.ok(answer.days.every(({ causes }) => causes[0]?.code === 'time_zone'));
  assert.match(answer.days[0]?.causes[0]?.sentence ?? '', /UTC\+3/);
});

test('of days whose records are gone it is said that no more can be told', async () => {
  const read = await readCounts('date,imps\n2026-11-10,970\n', SPAN);
  assert.ok(read.ok);
  const { days } = compareCounts({
    side: 'demand',
    span: SPAN,
    metrics: read.metrics,
    theirs: read.days,
    ours: [{ date: '2026-11-10', ...OURS }],
    facts: { hours: new Map(), days: new Map() },
    factDays: { first: '2026-11-15', last: '2026-11-20' },
  });
  assert.deepEqual(
    days[0]?.causes.map(({ code }) => code),
    ['records_expired'],
  );
});

test('whatever is uploaded is read or refused with its lines', async () => {
  const cell = fc.oneof(
    fc.constantFrom('date', 'imps', '2026-11-10', '12', '1.5', '"', 'a""b', '__proto__', '\u0000'),
    fc.string({ unit: anyCharacter, maxLength: 8 }),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(cell, { maxLength: 4 }), { maxLength: 6 }),
      fc.constantFrom(',', ';', '\t'),
      async (rows, comma) => {
        const read = await readCounts(rows.map((row) => row.join(comma)).join('\n'), SPAN);
        if (read.ok) assert.ok(read.metrics.length > 0);
        else assert.ok(read.findings.every(({ message }) => /^line \d+ /.test(message)));
      },
    ),
    { numRuns: runs(30) },
  );
});
