import assert from 'node:assert/strict';
import { test } from 'node:test';
import { privacyFor } from '../privacy/effects.ts';
import { readSignals, type SignalSources } from '../privacy/signals.ts';
import type { CallResult } from './call.ts';
import { aCall, replied } from './fixtures.ts';
import { keepsakesOf } from './keepsakes.ts';

function answering(customdata: string, sources: SignalSources = {}, partnerId = 1001): CallResult {
  const call = aCall({ effects: privacyFor(readSignals(sources), null) }, partnerId);
  const bid = { id: '1', impid: '1', price: 1 };
  const body = JSON.stringify({ id: 'r', customdata, seatbid: [{ bid: [bid] }] });
  return replied(call, 'r', { kind: 'answer', status: 200, body });
}

test('of each partner the later answer is kept', () => {
  assert.deepEqual(keepsakesOf([answering('a'), answering('b', {}, 1002), answering('c')]), [
    { demandPartnerId: 1001, customdata: 'c' },
    { demandPartnerId: 1002, customdata: 'b' },
  ]);
});

test('nothing is kept of who may not know the user, and nothing too long', () => {
  for (const sources of [{ regs: { coppa: 1 } }, { device: { lmt: 1 } }, { optedOut: true }]) {
    assert.deepEqual(keepsakesOf([answering('a', sources)]), []);
  }
  assert.deepEqual(keepsakesOf([answering('x'.repeat(257)), answering('')]), []);
});
