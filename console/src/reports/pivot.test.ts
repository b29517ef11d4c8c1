import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byDay, pivot } from './pivot.ts';

const ROWS = [
  { date: '2026-11-01', country_code: 'USA', rewarded: 0, gross_revenue: 0.1, impressions: 10 },
  { date: '2026-11-01', country_code: 'FRA', rewarded: 1, gross_revenue: 0.2, impressions: 20 },
  { date: '2026-11-03', country_code: 'USA', rewarded: 1, gross_revenue: 0.2, impressions: 30 },
];
const SUMMED = ['gross_revenue', 'impressions'];

test('groups add up what they hold, without the dust of binary fractions', () => {
  const { groups, total } = pivot(ROWS, { by: ['country_code'], where: {}, summed: SUMMED });
  assert.deepEqual(
    groups.map(({ values, sums }) => [values[0], sums['gross_revenue'], sums['impressions']]),
    [
      ['USA', 0.3, 40],
      ['FRA', 0.2, 20],
    ],
  );
  assert.deepEqual(total, { gross_revenue: 0.5, impressions: 60 });
});

test('a filter keeps the rows with this very value, also of numbers', () => {
  const wanted = { by: ['date'], where: { rewarded: '1' }, summed: SUMMED };
  const { groups, total } = pivot(ROWS, wanted);
  assert.deepEqual(
    groups.map(({ values }) => values[0]),
    ['2026-11-01', '2026-11-03'],
  );
  assert.equal(total['impressions'], 50);
});

test('every day has its sums, also one on which nothing was', () => {
  const { days, sums } = byDay(ROWS, {
    where: { country_code: 'USA' },
    summed: SUMMED,
    first: '2026-11-01',
    last: '2026-11-03',
  });
  assert.deepEqual(days, ['2026-11-01', '2026-11-02', '2026-11-03']);
  assert.deepEqual(
    sums.map(({ impressions }) => impressions),
    [10, 0, 30],
  );
});

test('what is not known is a group of its own', () => {
  const rows = [{ date: '2026-11-01', app_bundle: '', impressions: 1 }];
  const { groups } = pivot(rows, { by: ['app_bundle'], where: {}, summed: ['impressions'] });
  assert.deepEqual(groups[0]?.values, ['']);
});
