import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aPartner } from '../auction/eligibility-fixtures.ts';
import { aBid, aLineItem, anImp, anOffer } from '../auction/fixtures.ts';
import { FORMAT_BANNER } from '../auction/formats.ts';
import { validateBid } from '../auction/validate-bid.ts';
import { LossReason } from '../openrtb/loss-reason.ts';
import { aRequest } from './fixtures.ts';
import { narrowSeats, seatRulesOf } from './seats.ts';

const matches = [
  { partner: aPartner(1001), lineItems: ['a', 'b', null].map(matchOf) },
  { partner: aPartner(1002), lineItems: ['c'].map(matchOf) },
];

function matchOf(seat: string | null) {
  const lineItem = aLineItem({ id: 501, seat });
  return { lineItem, formats: FORMAT_BANNER, requiresLocation: false };
}

function soldFor(said: Parameters<typeof aRequest>[0]) {
  return narrowSeats(matches, seatRulesOf(aRequest(said))).map(({ partner, lineItems }) => [
    partner.id,
    ...lineItems.map(({ lineItem }) => lineItem.seat),
  ]);
}

test('seats that a request allows or blocks narrow the line items that match', () => {
  const all = [
    [1001, 'a', 'b', null],
    [1002, 'c'],
  ];
  assert.deepEqual(soldFor({}), all);
  assert.deepEqual(soldFor({ wseat: [], bseat: [] }), all);
  assert.deepEqual(soldFor({ wseat: ['a', 'x'] }), [[1001, 'a']]);
  assert.deepEqual(soldFor({ wseat: ['x'] }), []);
  assert.deepEqual(soldFor({ bseat: ['a', 'c'] }), [[1001, 'b', null]]);
  assert.deepEqual(soldFor({ wseat: ['a', 'c'], bseat: ['c'] }), [[1001, 'a']]);
});

test('a bid of a blocked seat loses where a line item without a seat takes those of any', () => {
  const lineItems = [matchOf(null)];
  const judge = (seat: string, blockedSeats: readonly string[]) => {
    const offer = anOffer({ imp: anImp({ blockedSeats }), lineItems });
    const submitted = { bid: aBid(), demandPartnerId: 1001, seat, group: null };
    const verdict = validateBid(submitted, new Map([['1', offer]]), true);
    return verdict.ok ? LossReason.Won : verdict.refusal.reason;
  };
  assert.equal(judge('a', []), LossReason.Won);
  assert.equal(judge('a', ['a']), LossReason.SeatBlocked);
  assert.equal(judge('b', ['a']), LossReason.Won);
});
