import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';

import { auctionId } from './notice-fixture.ts';
import { LANE_CALLS_MAX, type NoticeLane } from './notice-lane.ts';
import { NoticeLanes, type Turn } from './notice-lanes.ts';
import type { DueNotice } from './notice.ts';

let lanes: NoticeLanes;
let nowMs: number;

beforeEach(() => {
  lanes = new NoticeLanes();
  nowMs = 1_000;
});

function loss(partnerId: number, host = 'a.example'): DueNotice {
  const url = `http://${host}/`;
  return {
    event: 'loss',
    auctionId: auctionId(1),
    imp: 0,
    bid: 0,
    partnerId,
    lineItemId: 1,
    dueMs: 0,
    url,
  };
}

/** Puts so many into a lane, which it gives back. */
function fill(partnerId: number, count: number, host?: string): NoticeLane {
  const lane = lanes.laneOf(loss(partnerId, host));
  assert.ok(lane !== null);
  for (let n = 0; n < count; n += 1) assert.ok(lanes.pushLoss(lane, loss(partnerId, host)));
  return lane;
}

/** All that may be called now. */
function take(): Turn[] {
  const turns: Turn[] = [];
  for (let turn = lanes.next(nowMs); turn !== null; turn = lanes.next(nowMs)) turns.push(turn);
  return turns;
}

describe('turns', () => {
  test('go around among partners, and among the destinations of each', () => {
    fill(1, 4, 'a.example');
    fill(1, 4, 'b.example');
    fill(2, 8);
    const order = take().map(({ lane }) => `${lane.partnerId} ${lane.destination.slice(7)}`);
    assert.equal(order.length, 16);
    for (let at = 0; at < 14; at += 2) assert.notEqual(order[at]?.[0], order[at + 1]?.[0]);
    const first = order.filter((each) => each.startsWith('1')).slice(0, 4);
    assert.deepEqual(new Set(first), new Set(['1 a.example', '1 b.example']));
  });

  test('leave room for others beside a partner that does not answer', () => {
    for (const host of ['a.example', 'b.example', 'c.example']) fill(1, 200, host);
    assert.equal(take().length, LANE_CALLS_MAX);
    fill(2, 10);
    assert.equal(take().length, 10);
    assert.equal(lanes.inFlight, LANE_CALLS_MAX + 10);
  });

  test('end where all partners together have as many calls under way as there may be', () => {
    for (let partner = 1; partner <= 6; partner += 1) fill(partner, LANE_CALLS_MAX);
    assert.equal(take().length, 4 * LANE_CALLS_MAX);
  });
});

describe('a lane', () => {
  test('drops losses beyond what it keeps, and all of them while it fails', () => {
    const lane = fill(1, 256);
    assert.equal(lanes.pushLoss(lane, loss(1)), false);
    for (let n = 0; n < 5; n += 1) lane.failed(nowMs, nowMs);
    assert.deepEqual(lane.spill(), { notices: [], losses: 256 });
    assert.equal(lanes.pushLoss(lane, loss(1)), false);
  });

  test('fails after five failures in a row, and is tried after growing pauses', () => {
    const lane = fill(1, 1);
    for (let n = 0; n < 4; n += 1) lane.failed(nowMs, nowMs);
    lane.answered();
    for (let n = 0; n < 5; n += 1) {
      assert.equal(lane.isFailing, false);
      lane.failed(nowMs, nowMs);
    }
    const pauses: number[] = [];
    for (let n = 0; n < 6; n += 1) {
      const sinceMs = nowMs;
      while (!lane.mayCall(nowMs)) nowMs += 100;
      pauses.push(nowMs - sinceMs);
      lane.failed(nowMs, nowMs);
    }
    assert.deepEqual(pauses, [1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
    lane.answered();
    assert.ok(!lane.isFailing && lane.mayCall(nowMs));
  });

  test('takes calls that were under way as it began to fail for nothing new', () => {
    const lane = fill(1, 1);
    for (let n = 0; n < 200; n += 1) lane.failed(nowMs - 1, nowMs);
    assert.equal(lane.mayCall(nowMs + 1_000), true);
  });

  test('asks a destination for as much as it takes, and for less when it does not answer', () => {
    const lane = fill(1, 100);
    const [, ...turned] = take();
    // All but one are told that it is busy.
    for (const turn of turned) lanes.putBack(turn, nowMs);
    assert.equal(lane.inFlight, 1);
    assert.equal(take().length, 0);
    lanes.ended(lane);
    lane.answered();
    assert.equal(take().length, 2);
    for (let n = 0; n < 2; n += 1) {
      lanes.ended(lane);
      lane.answered();
    }
    assert.equal(take().length, 4);
    lane.failed(nowMs, nowMs);
    for (let n = 0; n < 4; n += 1) lanes.ended(lane);
    assert.equal(take().length, 2);
  });

  test('whose destination is busy with the calls of others waits a moment', () => {
    const lane = fill(1, 1);
    const [turn] = take();
    assert.ok(turn !== undefined);
    lanes.putBack(turn, nowMs);
    assert.equal(lane.mayCall(nowMs), false);
    assert.equal(lane.mayCall(nowMs + 20), true);
  });
});

test('a partner has a bounded number of lanes; idle ones make room for new ones', () => {
  for (let n = 0; n < 64; n += 1) fill(1, 1, `${n}.example`);
  assert.equal(lanes.laneOf(loss(1, 'new.example'))?.destination, '*');
  assert.equal(lanes.laneOf(loss(2, 'new.example'))?.destination, 'http://new.example');
  for (const { lane } of take()) lanes.ended(lane);
  assert.equal(lanes.laneOf(loss(1, 'new.example'))?.destination, 'http://new.example');
  assert.ok([...lanes].filter(({ partnerId }) => partnerId === 1).length <= 65);
});
