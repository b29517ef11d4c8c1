import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anImp, anOffer } from '../auction/fixtures.ts';
import { aCall, replied } from './fixtures.ts';
import { Settlement, type SettledBid } from './settle.ts';

const REQUEST = 'request';

interface Answer {
  readonly partner?: number;
  readonly response: object;
}

/** Settles what some partners answered to requests for two impressions. */
function settled(...answers: readonly Answer[]): readonly SettledBid[] {
  const offers = [anOffer(), anOffer({ imp: anImp({ slot: 1, id: '2' }) })];
  const results = answers.map(({ partner = 1001, response }) => {
    const body = JSON.stringify({ id: REQUEST, ...response });
    return replied(aCall({ offers }, partner), REQUEST, { kind: 'answer', status: 200, body });
  });
  const settlement = new Settlement('auction', results, true);
  settlement.decide();
  return settlement.bids;
}

const bid = (id: string, price: number, more: object = {}): object => ({
  id,
  impid: '1',
  price,
  adm: '<p>An ad</p>',
  ...more,
});

const outcome = (bids: readonly SettledBid[]): unknown[] =>
  bids.map(({ bidId, reason, clearingMicros }) => [bidId, reason, clearingMicros]);

test('of two bids with one id the first competes and the second is refused', () => {
  const bids = settled({ response: { seatbid: [{ bid: [bid('b', 1), bid('b', 2)] }] } });
  assert.deepEqual(outcome(bids), [
    ['b', 0, 10_000],
    ['b', 3, 0],
  ]);
  assert.match(bids[1]?.detail ?? '', /twice/);
});

test('two partners may use the same bid id', () => {
  const response = { seatbid: [{ bid: [bid('b', 1)] }] };
  const bids = settled({ response }, { partner: 1002, response });
  assert.deepEqual(
    bids.map(({ reason }) => reason).sort((a, b) => a - b),
    [0, 102],
  );
});

test('a malformed bid is refused with its impression and seat, and spoils no other', () => {
  const [sound, malformed] = settled({
    response: { seatbid: [{ seat: 'seat-1', bid: [bid('m', 1, { price: '1' }), bid('s', 1)] }] },
  });
  assert.deepEqual([sound?.bidId, sound?.reason], ['s', 0]);
  assert.deepEqual([malformed?.bidId, malformed?.reason, malformed?.seat], ['m', 3, 'seat-1']);
  assert.equal(malformed?.imp?.id, '1');
  assert.match(malformed.detail, /^\/seatbid\/0\/bid\/0\/price: /);
});

test('a bid on an impression that was not offered names none', () => {
  const [lost] = settled({ response: { seatbid: [{ bid: [bid('b', 1, { impid: '9' })] }] } });
  assert.deepEqual([lost?.reason, lost?.imp], [3, null]);
});

test('an answer under another id or in another currency has no winner', () => {
  const seatbid = [{ bid: [bid('b', 1)] }];
  assert.deepEqual(outcome(settled({ response: { id: 'other', seatbid } })), [['b', 5, 0]]);
  assert.deepEqual(outcome(settled({ response: { cur: 'EUR', seatbid } })), [['b', 3, 0]]);
  assert.deepEqual(outcome(settled({ response: { cur: 'USD', seatbid } })), [['b', 0, 10_000]]);
});

test('where one bid of a group is refused or malformed the others cannot win', () => {
  for (const broken of [{ adm: '' }, { price: 'x' }, { impid: '9' }]) {
    const group = [bid('b1', 5), bid('b2', 5, { impid: '2', ...broken })];
    const bids = settled(
      { response: { seatbid: [{ group: 1, bid: group }] } },
      { partner: 1002, response: { seatbid: [{ bid: [bid('c1', 1)] }] } },
    );
    const reasons = new Map(bids.map(({ bidId, reason }) => [bidId, reason]));
    assert.equal(reasons.get('b1'), 200, JSON.stringify(broken));
    assert.equal(reasons.get('c1'), 0);
  }
});

test('groups of two answers are two groups', () => {
  const seatbid = [{ group: 1, bid: [bid('b1', 1), bid('b2', 1, { impid: '2' })] }];
  const higher = [{ group: 1, bid: [bid('c1', 2), bid('c2', 2, { impid: '2' })] }];
  const bids = settled({ response: { seatbid } }, { partner: 1002, response: { seatbid: higher } });
  assert.deepEqual(
    bids.map(({ reason, group }) => [reason, group]),
    [
      [102, 0],
      [102, 0],
      [0, 1],
      [0, 1],
    ],
  );
});
