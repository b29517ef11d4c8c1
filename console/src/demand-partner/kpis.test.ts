import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Kpi } from '../../../src/management/kpi/schema.ts';
import { cpmOf, matchedOf, sumKpis, sumKpisBy } from './kpis.ts';

function kpi(lineitem_id: number, date: string, sums: Partial<Kpi>): Kpi {
  return { ...sumKpis([]), lineitem_id, date, ...sums };
}

const ROWS = [
  kpi(1, '2026-11-20', { dsp_requests: 10, throttled: 2, impressions: 2, gross_revenue: 0.5 }),
  kpi(2, '2026-11-20', { dsp_requests: 5 }),
  kpi(1, '2026-11-21', { dsp_requests: 1, impressions: 3, gross_revenue: 1 }),
];

test('rows are summed figure by figure', () => {
  const sums = sumKpis(ROWS);
  assert.equal(sums.dsp_requests, 16);
  assert.equal(sums.gross_revenue, 1.5);
  assert.equal(sums.clicks, 0);
  assert.equal('date' in sums, false);
});

test('rows are summed by line item and by day', () => {
  assert.equal(sumKpisBy(ROWS, 'lineitem_id').get(1)?.impressions, 5);
  assert.equal(sumKpisBy(ROWS, 'date').get('2026-11-20')?.dsp_requests, 15);
});

test('a price needs impressions, and what is matched is sent or held back', () => {
  assert.equal(cpmOf(sumKpis(ROWS)), 300);
  assert.equal(cpmOf(sumKpis([])), null);
  assert.equal(matchedOf(sumKpis(ROWS)), 18);
});
