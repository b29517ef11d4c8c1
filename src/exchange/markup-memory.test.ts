import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anOffer } from '../auction/fixtures.ts';
import { readReply } from './call.ts';
import { aCall } from './fixtures.ts';
import { MarkupMemory } from './markup-memory.ts';
import { Settlement } from './settle.ts';

const TEN_MINUTES_MS = 600_000;

/** What a partner answered with: one bid, with or without its markup. */
function answered(partnerId: number, bid: object): Settlement {
  const response = { id: 'r', seatbid: [{ bid: [{ id: 'b', impid: '1', price: 1, ...bid }] }] };
  const reply = { kind: 'answer', status: 200, body: JSON.stringify(response) } as const;
  const call = aCall({ offers: [anOffer()] }, partnerId);
  return new Settlement('auction', [readReply(call, 'r', reply, 0)], true);
}

test('time is kept back only where a partner is asked that lately left its markup to the notice', () => {
  let nowMs = 0;
  const memory = new MarkupMemory(() => nowMs);
  const calls = [aCall({}, 1001), aCall({}, 1002)];
  memory.remember(answered(1001, { adm: '<p>', nurl: 'http://b.example/' }).bids);
  assert.equal(memory.reserveMs(calls, 300), 0);
  memory.remember(answered(1002, { nurl: 'http://b.example/' }).bids);
  assert.equal(memory.reserveMs(calls, 300), 100);
  assert.equal(memory.reserveMs(calls, 150), 50);
  assert.equal(memory.reserveMs(calls, 2_000), 100);
  assert.equal(memory.reserveMs([aCall({}, 1001)], 300), 0);
  nowMs = TEN_MINUTES_MS;
  assert.equal(memory.reserveMs(calls, 300), 0);
});
