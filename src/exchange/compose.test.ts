import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aDeal } from '../auction/fixtures.ts';
import { Composer } from './compose.ts';
import { gatherFacts } from './facts.ts';
import { aCall, aCaller, aMarket, aRequest, NO_ENRICHMENT } from './fixtures.ts';
import type { PlannedCall } from './plan.ts';
import { findSlots } from './slots.ts';

const HALF = 'a\ud800';

async function aComposer(): Promise<Composer> {
  const market = await aMarket();
  const request = aRequest({
    site: { keywords: HALF },
    user: { keywords: HALF, ext: { prebid: { buyeruids: { 1001: HALF } } } },
    source: {
      ext: { schain: { ver: '1.0', complete: 1, nodes: [{ asi: HALF, sid: '1', hp: 1 }] } },
    },
  });
  const found = findSlots(request, market, { secure: true, country: null });
  assert.ok(found.ok);
  const [slot] = found.value;
  assert.ok(slot !== undefined);
  return new Composer({
    request,
    slots: [slot],
    facts: gatherFacts(request, aCaller(), NO_ENRICHMENT),
    exchange: market.snapshot.exchange,
    publisherDecides: false,
  });
}

/** To a seat and with a deal whose names hold half a surrogate pair too. */
function aHalvedCall(): PlannedCall {
  const call = aCall();
  const deals = [aDeal({ seats: [HALF] })];
  return { ...call, wseat: [HALF], offers: call.offers.map((offer) => ({ ...offer, deals })) };
}

test('half a surrogate pair does not leave, in what all bidders get alike or in what one gets', async () => {
  const body = (await aComposer()).compose(aHalvedCall(), 'id', 100);
  assert.equal(body.split('a\ufffd').length - 1, 6, body);
  assert.ok(!body.includes('\\ud'), body);
});

test('what bidders get alike is rid of half surrogate pairs once, however many are asked', async (t) => {
  const composer = await aComposer();
  const [halved, other] = [aHalvedCall(), aCall()];
  const { mock } = t.mock.method(JSON, 'parse');
  const lengthsRead = (): number => {
    const read = mock.calls.reduce((sum, call) => sum + call.arguments[0].length, 0);
    mock.resetCalls();
    return read;
  };
  composer.compose(halved, 'first', 100);
  assert.ok(lengthsRead() > 0);
  composer.compose(other, 'second', 100);
  assert.equal(lengthsRead(), 0);
});
