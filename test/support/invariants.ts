import assert from 'node:assert/strict';
import type { AuctionRecord } from '../../src/events/auction-record.ts';

/** What publishers' answers add up to, by status. */
export interface Answers {
  readonly filled: number;
  readonly unfilled: number;
}

/**
 * What must hold of the records after every whole-process test: each auction ended once, each
 * planned call in one outcome, each bid with one reason, each price between its floor and its bid.
 */
export function assertInvariants(records: readonly AuctionRecord[], answers?: Answers): void {
  assert.equal(new Set(records.map((each) => each.auction_id)).size, records.length, 'an id twice');
  for (const record of records) assertAuction(record);
  if (answers === undefined) return;
  const filled = records.filter((record) => record.imps.some((imp) => imp.filled === 1)).length;
  assert.equal(filled, answers.filled, 'filled in the journal = answered with a winner');
  assert.equal(records.length - filled, answers.unfilled, 'unfilled in the journal = answered 204');
}

function assertAuction(record: AuctionRecord): void {
  const winners = record.bids.filter((bid) => bid.loss_reason === 0);
  const filled = record.imps.filter((imp) => imp.filled === 1);
  assert.equal(winners.length, filled.length, 'one winner for each impression that is filled');
  for (const bid of record.bids) {
    const call = record.calls.find((each) => each.demand_partner_id === bid.demand_partner_id);
    assert.ok(call !== undefined, 'a bid of a partner that was not asked');
    if (bid.loss_reason !== 0) {
      assert.equal(bid.clearing_micros + bid.payout_micros, 0, 'only winners pay');
      continue;
    }
    const imp = record.imps[bid.imp];
    assert.ok(imp?.filled === 1, 'a winner of an impression that is not filled');
    assert.ok(bid.clearing_micros <= bid.price_micros, 'price ≤ bid');
    assert.ok(bid.payout_micros <= bid.clearing_micros, 'payout ≤ price');
    if (bid.dealid === '') assert.ok(bid.clearing_micros >= imp.floor_micros, 'floor ≤ price');
  }
  for (const call of record.calls) {
    const bids = record.bids.filter((bid) => bid.demand_partner_id === call.demand_partner_id);
    const asked = record.calls.filter((each) => each.demand_partner_id === call.demand_partner_id);
    if (asked.length === 1) assert.equal(bids.length > 0, call.outcome === 'bid', 'bids = outcome');
  }
}
