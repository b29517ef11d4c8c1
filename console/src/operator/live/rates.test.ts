import assert from 'node:assert/strict';
import test from 'node:test';
import { completePoints, ratesOf, secondsOf } from './rates.ts';

const TRAFFIC = {
  from: '2026-11-20T10:00:00.000Z',
  to: '2026-11-20T10:00:30.000Z',
  step_seconds: 10 as const,
  complete_until: '2026-11-20T10:00:24.000Z',
  points: [
    { at: '2026-11-20T10:00:00.000Z', ad_requests: 100 },
    { at: '2026-11-20T10:00:10.000Z', ad_requests: 100 },
    { at: '2026-11-20T10:00:20.000Z', ad_requests: 40 },
  ],
  total: { ad_requests: 240 },
};

test('a step that is still under way is not shown as a fall', () => {
  assert.deepEqual(
    completePoints(TRAFFIC).map(({ ad_requests: requests }) => requests),
    [100, 100],
  );
});

test('figures are of the time of which all is counted', () => {
  assert.equal(secondsOf(TRAFFIC), 24);
  assert.equal(ratesOf(TRAFFIC.total, secondsOf(TRAFFIC)).requestsPerSecond, 10);
});

test('rates are by the second and by the hour, and shares of what they are part of', () => {
  const rates = ratesOf(
    {
      ad_requests: 200,
      filled_requests: 50,
      bid_requests: 400,
      bids: 300,
      timeouts: 20,
      payout: 1,
    },
    60,
  );
  assert.equal(rates.fillRate, 0.25);
  assert.equal(rates.bidsPerAuction, 1.5);
  assert.equal(rates.timeoutShare, 0.05);
  assert.equal(rates.payoutPerHour, 60);
});

test('shares of nothing are unknown, not zero', () => {
  const { fillRate, timeoutShare } = ratesOf({}, 60);
  assert.deepEqual([fillRate, timeoutShare], [null, null]);
});
