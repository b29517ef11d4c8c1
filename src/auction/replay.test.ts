import assert from 'node:assert/strict';
import { test } from 'node:test';

import { disagreement, objectToRecords } from './replay-compare.ts';
import { aRecordedAuction, type RecordedBid } from './replay-fixtures.ts';
import {
  replay,
  UNCHANGED,
  whyUndecidable,
  type ReplayAuction,
  type ReplayChange,
  type Rules,
} from './replay.ts';

/** Two bids as they were recorded: 2 USD wins at a cent above 1.50. */
const WON: RecordedBid = {
  price_micros: 2_000_000,
  clearing_micros: 1_510_000,
  payout_micros: 1_208_000,
  min_to_win_micros: 1_510_000,
};
const LOST: RecordedBid = {
  price_micros: 1_500_000,
  loss_reason: 102,
  min_to_win_micros: 2_010_000,
};

function rules(change: Partial<ReplayChange>, admitsUnchecked = false): Rules {
  return {
    change: { floorMicros: null, firstPrice: null, zoneId: null, ...change },
    admitsUnchecked,
  };
}

/** Reason, price and payout of each bid. */
function outcome(auction: ReplayAuction, how: Rules): number[][] {
  return replay(auction, how).map(({ reason, clearingMicros, payoutMicros }) => [
    reason,
    clearingMicros,
    payoutMicros,
  ]);
}

test('what was decided is decided again, to the micro-dollar, with what would have won', () => {
  const auction = aRecordedAuction([WON, LOST]);
  assert.equal(disagreement(auction, replay(auction, UNCHANGED)), null);
});

test('one micro-dollar, another reason or another minimum in a record is told', () => {
  const said = (won: RecordedBid, differs: Partial<ReplayAuction> = {}): string | null => {
    const auction = aRecordedAuction([{ ...WON, ...won }, LOST], differs);
    return disagreement(auction, replay(auction, UNCHANGED));
  };
  assert.equal(
    said({ clearing_micros: 1_510_001 }),
    'bid 0 of partner 1001: price recorded as 1510001, decided as 1510000',
  );
  assert.match(said({ payout_micros: 1_207_999 }) ?? '', /: payout recorded as 1207999/);
  assert.match(said({ loss_reason: 102, in_auction: 1 }) ?? '', /: reason recorded as 102/);
  assert.match(said({ min_to_win_micros: -1 }) ?? '', /: minimum to win recorded as -1/);
  assert.match(said({ in_auction: 0 }) ?? '', /: reason recorded as 0, decided as 1$/);
  const imps = [{ zone_id: 4001, floor_micros: 0, filled: 0 as const }];
  assert.equal(said({}, { imps }), 'impression 0: recorded as empty, decided as filled');
});

test('records that do not belong together are not decided', () => {
  const auction = aRecordedAuction([WON, LOST]);
  const { trace } = auction;
  assert.ok(trace !== null);
  assert.equal(objectToRecords(auction), null);
  const short = { ...auction, trace: { ...trace, bids: trace.bids.slice(1) } };
  assert.equal(objectToRecords(short), 'the record has 2 bids, its trace 1');
  assert.match(objectToRecords({ ...auction, imps: [] }) ?? '', /0 impressions, its trace 1$/);
  const astray = aRecordedAuction([{ ...WON, imp: -1 }]);
  assert.equal(objectToRecords(astray), 'bid 0 is for impression -1, which is none');
});

test('a higher floor of the publisher refuses bids below it and raises the price above them', () => {
  const auction = aRecordedAuction([WON, LOST]);
  assert.deepEqual(outcome(auction, rules({ floorMicros: 1_800_000 })), [
    [0, 1_800_000, 1_440_000],
    [100, 0, 0],
  ]);
  assert.deepEqual(outcome(auction, rules({ floorMicros: 2_000_001 })), [
    [100, 0, 0],
    [100, 0, 0],
  ]);
});

test("a lower floor of the publisher leaves the line item's own", () => {
  const alone = aRecordedAuction([{ ...WON, floor_micros: 900_000 }]);
  assert.deepEqual(outcome(alone, rules({ floorMicros: 0 })), [[0, 10_000, 8_000]]);
  const own = aRecordedAuction([{ ...WON, floor_micros: 900_000, lineitem_floor_micros: 400_000 }]);
  assert.deepEqual(outcome(own, rules({ floorMicros: 0 })), [[0, 400_000, 320_000]]);
});

test('a bid that was refused at the floor enters below it only where unchecked ones may', () => {
  const refused = { price_micros: 50_000, loss_reason: 100 };
  const auction = aRecordedAuction([refused]);
  const change = { floorMicros: 20_000 };
  assert.deepEqual(outcome(auction, rules(change)), [[100, 0, 0]]);
  assert.deepEqual(outcome(auction, rules(change, true)), [[0, 20_000, 16_000]]);
  assert.deepEqual(outcome(auction, rules({}, true)), [[100, 0, 0]], 'not at the same floor');
  assert.equal(replay(auction, rules(change, true))[0]?.isUnchecked, true);
  const strict = aRecordedAuction([{ ...refused, lineitem_floor_micros: 60_000 }]);
  assert.deepEqual(outcome(strict, rules(change, true)), [[100, 0, 0]]);
});

test('a bid whose format had a floor of its own keeps it where the floor is not changed', () => {
  const video = { price_micros: 400_000, floor_micros: 500_000, loss_reason: 100 };
  const auction = aRecordedAuction([video, { price_micros: 300_000 }]);
  assert.deepEqual(outcome(auction, rules({ zoneId: 1, floorMicros: 0 }, true)), [
    [100, 0, 0],
    [0, 100_000, 80_000],
  ]);
  // A new floor is one for all formats.
  assert.deepEqual(outcome(auction, rules({ floorMicros: 350_000 }, true)), [
    [0, 350_000, 280_000],
    [100, 0, 0],
  ]);
});

test('a group that one low bid had broken is whole again when that enters', () => {
  const group = { group: 3 };
  const auction = aRecordedAuction(
    [
      { ...group, price_micros: 50_000, loss_reason: 100 },
      { ...group, imp: 1, loss_reason: 200 },
    ],
    {
      imps: [
        { zone_id: 4001, floor_micros: 100_000, filled: 0 },
        { zone_id: 4002, floor_micros: 100_000, filled: 0 },
      ],
    },
  );
  const { trace } = auction;
  assert.ok(trace !== null);
  const traced = { ...auction, trace: { ...trace, imps: [...trace.imps, ...trace.imps] } };
  assert.deepEqual(outcome(traced, rules({ floorMicros: 30_000 }, true)), [
    [0, 30_000, 24_000],
    [0, 30_000, 24_000],
  ]);
  // One of its bids stays below: neither wins.
  const other = rules({ floorMicros: 50_001 }, true);
  assert.deepEqual(outcome(traced, other), [
    [100, 0, 0],
    [200, 0, 0],
  ]);
});

test('at first price open bids pay what they bid, and deals what they had agreed', () => {
  const auction = aRecordedAuction([WON, LOST]);
  assert.deepEqual(outcome(auction, rules({ firstPrice: true })), [
    [0, 2_000_000, 1_600_000],
    [102, 0, 0],
  ]);
  const deal = aRecordedAuction([
    { ...WON, dealid: 'd', deal_type: 'second_price', floor_micros: 700_000 },
    { ...LOST, loss_reason: 103, in_auction: 1 },
  ]);
  const both = rules({ firstPrice: true, floorMicros: 5_000_000 });
  assert.deepEqual(outcome(deal, both), [
    [0, 700_000, 560_000],
    [100, 0, 0],
  ]);
});

test('a change for one ad space leaves the others', () => {
  const auction = aRecordedAuction([WON, LOST]);
  const elsewhere = rules({ floorMicros: 5_000_000, firstPrice: true, zoneId: 4002 });
  assert.deepEqual(outcome(auction, elsewhere), outcome(auction, UNCHANGED));
  assert.equal(outcome(auction, rules({ floorMicros: 5_000_000, zoneId: 4001 }))[0]?.[0], 100);
});

test('what stayed out on the way to the decision stays out', () => {
  const auction = aRecordedAuction([
    { price_micros: 9_000_000, loss_reason: 102, out: 1, group: 0 },
    { price_micros: 8_000_000, loss_reason: 7 },
    { price_micros: 7_000_000, loss_reason: 1 },
    { ...WON, clearing_micros: 100_000, payout_micros: 80_000, min_to_win_micros: 100_000 },
  ]);
  assert.equal(disagreement(auction, replay(auction, UNCHANGED)), null);
  const reasons = replay(auction, rules({ floorMicros: 0 }, true)).map(({ reason }) => reason);
  assert.deepEqual(reasons, [102, 7, 1, 0]);
});

test('an auction is decided without a trace only where there is nothing to decide', () => {
  const without = { trace: null, imps: [{ zone_id: 4001, floor_micros: 0, filled: 0 as const }] };
  const low = aRecordedAuction([{ loss_reason: 100 }], without);
  assert.equal(whyUndecidable(low, UNCHANGED.change), null);
  assert.equal(disagreement(low, replay(low, UNCHANGED)), null);
  assert.equal(whyUndecidable(low, rules({ floorMicros: 0 }).change), 'no_trace');
  const contested = aRecordedAuction([WON], { trace: null });
  assert.equal(whyUndecidable(contested, UNCHANGED.change), 'no_trace');
  assert.throws(() => replay(contested, UNCHANGED), /auction has no trace of bid 0/);
  const cut = aRecordedAuction([WON], { bids_dropped: 1 });
  assert.equal(whyUndecidable(cut, UNCHANGED.change), 'bids_dropped');
});
