import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aPartner } from '../auction/eligibility-fixtures.ts';
import { aLineItem } from '../auction/fixtures.ts';
import type { Capping } from '../resources/line-item.ts';
import type { DemandPartner, LineItem, Status } from '../snapshot/entities.ts';
import { leaseCaps } from './lease-caps.ts';

function lineItem(id: number, differs: Partial<Capping>, status: Status = 'ACTIVE'): LineItem {
  const { capping, ...others } = aLineItem({ id, status });
  return { ...others, capping: { ...capping, ...differs } };
}

function partner(id: number, maxQps: number | null, status: Status = 'ACTIVE'): DemandPartner {
  const { bidder, ...others } = aPartner(id, { status });
  if (bidder === null) throw new Error('a partner has a bidder');
  return { ...others, bidder: { ...bidder, maxQps } };
}

test('limits per second are those of active partners and line items', () => {
  const { rates, budgets } = leaseCaps([
    partner(1001, 50),
    partner(1002, null),
    partner(1003, 50, 'PAUSED'),
    { ...partner(1004, 50), bidder: null },
    lineItem(501, { maxQps: 7 }),
    lineItem(502, {}),
    lineItem(503, { maxQps: 7 }, 'PAUSED'),
  ]);
  assert.deepEqual(Object.fromEntries(rates), { 'partner 1001': 50, 'line item 501': 7 });
  assert.equal(budgets.size, 0);
});

test('daily limits go on while a line item is paused, and end when it is archived', () => {
  const { budgets } = leaseCaps([
    lineItem(501, { maxDailyImpressions: 20 }),
    lineItem(502, { maxDailySpendMicros: 1_500_000 }, 'PAUSED'),
    lineItem(503, { maxDailyImpressions: 20, maxDailySpendMicros: 1 }, 'ARCHIVED'),
  ]);
  assert.deepEqual(Object.fromEntries(budgets), {
    501: { impressions: 20, micros: null },
    // A dollar and a half a day is the sum of CPM prices of 1,500 dollars.
    502: { impressions: null, micros: 1_500_000_000 },
  });
});

test('a daily spend of more than can be summed up is the most that can', () => {
  const { budgets } = leaseCaps([lineItem(501, { maxDailySpendMicros: 10 ** 15 })]);
  assert.equal(budgets.get(501)?.micros, Number.MAX_SAFE_INTEGER);
});
