import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FAULTS, type Fault } from '../../sim/faults.ts';
import type { AuctionRecord, BidRecord } from '../../src/events/auction-record.ts';
import { assertWithin, effort } from '../support/effort.ts';
import { bannerRequest, startExchange } from '../support/exchange.ts';
import { assertInvariants } from '../support/invariants.ts';

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

/** Faults after which the bidder still has a bid that competes. */
const STILL_BIDDING: ReadonlySet<Fault> = new Set(['duplicateIds']);

const TMAX_MS = effort(1_000, 400);

test('each fault of one bidder is an outcome with a reason, and changes nothing for the other', async (t) => {
  const exchange = await startExchange({
    t,
    // The gzip bomb needs a bidder with whom gzip was agreed.
    edit: (yaml) => yaml.replace('gvl_id: 9001', 'gvl_id: 9001\n      gzip: true'),
    acme: { price: { medianUsd: 5, spread: 0 } },
    bolt: { price: { medianUsd: 2, spread: 0 } },
  });
  const { acme } = exchange;
  const hold = async (id: string): Promise<AuctionRecord> => {
    const startMs = performance.now();
    const asked = await exchange.ask(bannerRequest({ id, tmax: TMAX_MS }));
    assertWithin(performance.now() - startMs, TMAX_MS + 200);
    assert.equal(asked.status, 200, id);
    const record = (await exchange.records()).find((each) => each.request_id === id);
    assert.ok(record !== undefined, `${id} has a record`);
    return record;
  };
  acme.respondWith(() => ({ status: 204 }));
  const alone = bidOf(await hold('without the other'), 1002);
  assert.ok(alone?.loss_reason === 0 && alone.clearing_micros > 0);

  for (const fault of FAULTS) {
    acme.respondWith(() => ({ fault }));
    const record = await hold(fault);
    assertEnding(record, fault);
    const bolt = record.calls.find((call) => call.demand_partner_id === 1002);
    assert.equal(bolt?.outcome, 'bid', `${fault} disturbed the other bidder`);
    const bid = bidOf(record, 1002);
    assert.equal(bid?.price_micros, alone.price_micros, fault);
    if (!STILL_BIDDING.has(fault)) {
      const { loss_reason: reason, clearing_micros: clearing } = bid;
      assert.deepEqual([reason, clearing], [0, alone.clearing_micros], `${fault}: not its price`);
    }
    // One that only ever fails would not be called any more.
    acme.respondWith(() => ({ status: 204 }));
    await hold(`after ${fault}`);
  }
  const records = await exchange.records();
  assert.equal(records.length, 1 + 2 * FAULTS.length);
  assertInvariants(records);
});

function bidOf({ bids }: AuctionRecord, partner: number): BidRecord | undefined {
  return bids.find((bid) => bid.demand_partner_id === partner);
}

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
