import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byAdSpace, changeOf, ecpmOf, totalOf } from './report.ts';

const ROWS = [
  { zone_id: 1, impressions: 10, clicks: 1, payout: 0.5, requests: 20, filled_requests: 12 },
  { zone_id: 2, impressions: 5, clicks: 0, payout: 0.25 },
  { zone_id: 1, impressions: 2, clicks: 0, payout: 0.1, requests: 4, filled_requests: 3 },
];

test('rows add up, those without requests too', () => {
  assert.deepEqual(totalOf(ROWS), {
    impressions: 17,
    clicks: 1,
    payout: 0.85,
    requests: 24,
    filled_requests: 15,
  });
});

test('each ad space has its own sums', () => {
  const sums = byAdSpace(ROWS);
  assert.deepEqual([...sums.keys()], [1, 2]);
  assert.equal(sums.get(1)?.requests, 24);
});

test('no impressions have no price', () => {
  assert.equal(ecpmOf({ payout: 1, impressions: 0 }), null);
  assert.equal(ecpmOf({ payout: 1, impressions: 500 }), 2);
});

test('a change is in per cent, and none can be told of nothing', () => {
  assert.equal(changeOf(112, 100), '+12%');
  assert.equal(changeOf(88, 100), '−12%');
  assert.equal(changeOf(100, 100), '±0%');
  assert.equal(changeOf(100, 0), null);
});
