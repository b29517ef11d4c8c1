import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addDays } from '../analytics/dates.ts';
import { DEMAND_DIMENSIONS, SUPPLY_DIMENSIONS } from '../analytics/report.ts';
import { readReportQuery, type ReportQuery } from './parameters.ts';

const NOW = Date.UTC(2026, 10, 20, 23, 59);
const DATES = { start_date: '2026-11-01', end_date: '2026-11-20' };

function read(query: Record<string, unknown>): ReportQuery<string> {
  const checked = readReportQuery(query, DEMAND_DIMENSIONS, NOW);
  assert.ok(checked.ok, JSON.stringify(checked));
  return checked.value;
}

function refused(query: Record<string, unknown>, now = NOW): string[] {
  const checked = readReportQuery(query, DEMAND_DIMENSIONS, now);
  assert.ok(!checked.ok);
  return checked.problems.map(({ pointer, message }) => `${pointer} ${message}`);
}

test('a report without more than its dates is JSON by date', () => {
  assert.deepEqual(read(DATES), {
    startDate: '2026-11-01',
    endDate: '2026-11-20',
    format: 'json',
    groupBy: ['date'],
  });
});

test('dimensions keep the order in which they were asked for', () => {
  assert.deepEqual(read({ ...DATES, group_by: 'platform,date' }).groupBy, ['platform', 'date']);
});

test('everything that is wrong is told at once, with what would be right', () => {
  assert.deepEqual(
    refused({ start_date: '2026-02-30', format: 'xml', group_by: 'os,date,date,', page: '2' }),
    [
      'start_date is "2026-02-30"; give a day as YYYY-MM-DD',
      'end_date is missing; give a day as YYYY-MM-DD',
      'format is "xml"; use json or csv',
      ...['"os"', '"date" twice', 'an empty entry'].map(
        (what) =>
          `group_by has ${what}; use one or several of ${DEMAND_DIMENSIONS.join(', ')}, with commas between them`,
      ),
      'page is no parameter; use account_auth_token, start_date, end_date, format, group_by',
    ],
  );
});

test('days outside the current month and the four before it are refused with the days to be had', () => {
  const allowed = 'days from 2026-07-01 to 2026-11-30 can be had';
  assert.deepEqual(refused({ start_date: '2026-06-30', end_date: '2026-12-01' }), [
    `start_date is 2026-06-30; ${allowed}`,
    `end_date is 2026-12-01; ${allowed}`,
  ]);
  assert.equal(read({ start_date: '2026-07-01', end_date: '2026-11-30' }).startDate, '2026-07-01');
});

test('the window turns with the month, and over the year', () => {
  const january = Date.UTC(2027, 0, 1);
  const checked = readReportQuery(
    { start_date: '2026-09-01', end_date: '2027-01-31' },
    DEMAND_DIMENSIONS,
    january,
  );
  assert.ok(checked.ok);
  assert.match(
    refused({ start_date: '2026-08-31', end_date: '2026-09-01' }, january).join(),
    /from 2026-09-01 to 2027-01-31/,
  );
});

test('on every day of a month, also its last and a leap day, the window is of five whole months', () => {
  const windows = [
    ['2027-01-31T23:59:59.999Z', '2026-09-01', '2027-01-31'],
    ['2027-02-01T00:00:00.000Z', '2026-10-01', '2027-02-28'],
    ['2027-03-01T00:00:00.000Z', '2026-11-01', '2027-03-31'],
    ['2028-02-29T12:00:00.000Z', '2027-10-01', '2028-02-29'],
    ['2028-03-31T23:59:59.999Z', '2027-11-01', '2028-03-31'],
    // The same instant in other zones: UTC alone decides.
    ['2026-07-31T20:00:00.000-04:00', '2026-04-01', '2026-08-31'],
    ['2026-08-01T09:00:00.000+10:00', '2026-03-01', '2026-07-31'],
  ] as const;
  for (const [now, first, last] of windows) {
    const nowMs = Date.parse(now);
    const whole = { start_date: first, end_date: last };
    assert.ok(readReportQuery(whole, DEMAND_DIMENSIONS, nowMs).ok, now);
    const [before, after] = [addDays(first, -1), addDays(last, 1)];
    assert.deepEqual(
      refused({ start_date: before, end_date: after }, nowMs),
      [`start_date is ${before}`, `end_date is ${after}`].map(
        (what) => `${what}; days from ${first} to ${last} can be had`,
      ),
    );
  }
  const noLeapDay = { start_date: '2027-02-29', end_date: '2027-02-29' };
  assert.match(refused(noLeapDay, Date.parse('2027-03-01')).join(), /is "2027-02-29"; give a day/);
});

test('a start after its end is refused', () => {
  assert.deepEqual(refused({ start_date: '2026-11-02', end_date: '2026-11-01' }), [
    'start_date is 2026-11-02, after end_date 2026-11-01; give the earlier day first',
  ]);
});

test('supply reports know os and zone_id as well', () => {
  const checked = readReportQuery({ ...DATES, group_by: 'os,zone_id' }, SUPPLY_DIMENSIONS, NOW);
  assert.ok(checked.ok);
});

test('whatever is asked, the answer is a query or what is wrong with it', () => {
  const value = fc.oneof(fc.string(), fc.array(fc.string()), fc.constant(undefined));
  fc.assert(
    fc.property(fc.dictionary(fc.string(), value), value, value, (others, start, end) => {
      const query = { ...others, start_date: start, end_date: end };
      const checked = readReportQuery(query, DEMAND_DIMENSIONS, NOW);
      if (!checked.ok) assert.ok(checked.problems.length > 0);
    }),
  );
});
