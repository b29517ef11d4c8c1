import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FAULTS, type Fault } from '../sim/faults.ts';
import type { AuctionRecord } from '../src/events/auction-record.ts';
import { bannerRequest, startExchange } from './support/exchange.ts';
import { assertInvariants } from './support/invariants.ts';

/** How each fault of a bidder has to end: the call's outcome and reason, and its bids' reason. */
const ENDINGS: Readonly<Record<Fault, readonly [outcome: string, reason: RegExp, bid?: number]>> = {
  late: ['timeout', /^$/],
  drip: ['timeout', /^$/],
  hang: ['timeout', /^$/],
  reset: ['error', /./],
  truncated: ['error', /./],
  status500: ['error', /^http_500$/],
  garbage: ['no_bid', /^malformed$/],
  empty200: ['no_bid', /^empty$/],
  bomb: ['no_bid', /^oversized$/],
  gzipBomb: ['no_bid', /^oversized$/],
  tenThousandBids: ['no_bid', /^(oversized|malformed)$/],
  wrongId: ['bid', /^$/, 5],
  infinitePrice: ['bid', /^$/, 3],
  negativePrice: ['bid', /^$/, 9],
  duplicateIds: ['bid', /^$/],
  unknownImp: ['bid', /^$/, 3],
  noMarkup: ['bid', /^$/, 7],
  foreignSeat: ['bid', /^$/, 104],
  foreignCurrency: ['bid', /^$/, 3],
};

test('each fault of one bidder is an outcome with a reason, and changes nothing for the other', async (t) => {
  const exchange = await startExchange({
    t,
    // The gzip bomb needs a bidder with whom gzip was agreed.
    edit: (yaml) => yaml.replace('gvl_id: 9001', 'gvl_id: 9001\n      gzip: true'),
    bolt: { price: { medianUsd: 2, spread: 0 } },
  });
  let seen = 0;
  for (const fault of FAULTS) {
    exchange.acme.respondWith(() => ({ fault }));
    const startMs = performance.now();
    const asked = await exchange.ask(bannerRequest({ id: fault }));
    assert.ok(performance.now() - startMs < 600, `${fault} held up the auction`);
    const records = await exchange.records();
    assert.equal(records.length, seen + 1, `${fault} has a record`);
    seen = records.length;
    const record = records.find((each) => each.request_id === fault);
    assert.ok(record !== undefined);
    assertEnding(record, fault);
    assert.equal(asked.status, 200, fault);
    assert.match(asked.text, /"seat":"1002"|"seat":"1001"/);
    const bolt = record.calls.find((call) => call.demand_partner_id === 1002);
    assert.equal(bolt?.outcome, 'bid', `${fault} disturbed the other bidder`);
  }
  assertInvariants(await exchange.records());
});

function assertEnding(record: AuctionRecord, fault: Fault): void {
  const [outcome, reason, bidReason] = ENDINGS[fault];
  const call = record.calls.find((each) => each.demand_partner_id === 1001);
  assert.equal(call?.outcome, outcome, `${fault}: ${JSON.stringify(call)}`);
  assert.match(call.reason, reason, fault);
  const bids = record.bids.filter((bid) => bid.demand_partner_id === 1001);
  if (bidReason === undefined) return;
  assert.ok(bids.length > 0, `${fault} has bids`);
  for (const bid of bids) assert.equal(bid.loss_reason, bidReason, fault);
}
