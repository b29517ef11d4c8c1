import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_TRAFFIC, type BidderSums } from '../../analytics/traffic.ts';
import type { BidderState } from '../../configuration/stopped-bidders.ts';
import { judge } from './judge.ts';

const FROM_S = 1_763_626_500;
const TIME = { fromS: FROM_S, toS: FROM_S + 300 };
const ACME: BidderState = {
  demandPartnerId: 1001,
  name: 'Acme',
  status: 'ACTIVE',
  endpoint: 'https://bidder.acme.example/',
  stop: null,
};

function sums(differs: Partial<BidderSums>): BidderSums {
  return { ...NO_TRAFFIC, reasons: new Map(), ...differs };
}

/** A bidder's steps, by how many seconds before the end they begin. */
function steps(...of: readonly (readonly [number, Partial<BidderSums>])[]) {
  return new Map(of.map(([beforeS, differs]) => [TIME.toS - beforeS, sums(differs)]));
}

const GOOD = { bid_requests: 100, responses: 60, no_bids: 40 };
const BAD = { bid_requests: 100, responses: 40, timeouts: 60 };
const HELD = { bid_requests: 10, timeouts: 10, reasons: new Map([['throttled unhealthy', 90]]) };

test('a bidder fails from the share on at which the exchange thins calls out', () => {
  const half = { bid_requests: 100, responses: 50, timeouts: 50 };
  assert.equal(judge(ACME, steps([20, half]), TIME).state, 'unreliable');
  assert.equal(judge(ACME, steps([20, BAD]), TIME).state, 'failing');
  const spoiled = { bid_requests: 10, no_bids: 10, reasons: new Map([['no_bid malformed', 6]]) };
  assert.equal(judge(ACME, steps([20, spoiled]), TIME).state, 'failing');
  const honest = { bid_requests: 10, no_bids: 10, reasons: new Map([['no_bid nbr_2', 10]]) };
  assert.equal(judge(ACME, steps([20, honest]), TIME).state, 'healthy');
});

test('a bidder is unreliable while a tenth of fifty calls or more are lost', () => {
  const tenth = { bid_requests: 50, responses: 45, timeouts: 5 };
  assert.equal(judge(ACME, steps([200, tenth], [20, tenth]), TIME).state, 'unreliable');
  const less = { bid_requests: 50, responses: 46, timeouts: 4 };
  assert.equal(judge(ACME, steps([200, less], [20, less]), TIME).state, 'healthy');
  const few = { bid_requests: 49, responses: 40, timeouts: 9 };
  assert.equal(judge(ACME, steps([20, few]), TIME).state, 'healthy');
});

test('what it does now counts, and since when it does', () => {
  const recovered = steps([200, BAD], [100, BAD], [20, GOOD]);
  assert.deepEqual(judge(ACME, recovered, TIME), { state: 'healthy', sinceMs: null });
  const failing = steps([200, GOOD], [100, BAD], [20, BAD]);
  const sinceMs = (TIME.toS - 100) * 1_000;
  assert.deepEqual(judge(ACME, failing, TIME), { state: 'failing', sinceMs });
  const always = steps([300, BAD], [20, BAD]);
  assert.deepEqual(judge(ACME, always, TIME), { state: 'failing', sinceMs: null });
});

test('it is held back while most calls are kept from it, whatever the few probes come to', () => {
  assert.equal(judge(ACME, steps([200, BAD], [20, HELD]), TIME).state, 'held_back');
  const thinned = { ...BAD, reasons: new Map([['throttled unhealthy', 50]]) };
  assert.equal(judge(ACME, steps([20, thinned]), TIME).state, 'failing');
  const limited = { ...GOOD, reasons: new Map([['throttled bidder_qps', 900]]) };
  assert.equal(judge(ACME, steps([20, limited]), TIME).state, 'healthy');
});

test('few calls say something only if all of them fail', () => {
  const one = { bid_requests: 4, timeouts: 3, responses: 1 };
  assert.equal(judge(ACME, steps([20, one]), TIME).state, 'healthy');
  assert.equal(judge(ACME, steps([20, { bid_requests: 4, errors: 4 }]), TIME).state, 'failing');
});

test('what was decided about it comes first, and without calls it is idle', () => {
  assert.equal(judge({ ...ACME, endpoint: null }, steps([20, BAD]), TIME).state, 'not_set_up');
  const stop = { reason: 'broken', atMs: 7 };
  assert.deepEqual(judge({ ...ACME, stop }, steps([20, BAD]), TIME), {
    state: 'stopped',
    sinceMs: 7,
  });
  assert.deepEqual(judge(ACME, new Map(), TIME), { state: 'idle', sinceMs: null });
});
