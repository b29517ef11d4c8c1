import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BidderReply } from '../ports/bidder-client.ts';
import { aCall, replied } from './fixtures.ts';

function read(reply: BidderReply): readonly [outcome: string, reason: string, detail: string] {
  const { outcome, reason, detail, answer } = replied(aCall(), 'r', reply);
  assert.equal(answer !== null, outcome === 'bid', 'an answer comes with bids alone');
  return [outcome, reason, detail];
}

const answer = (body: object | string, status = 200): BidderReply => ({
  kind: 'answer',
  status,
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

test('each reply is exactly one outcome with its reason', () => {
  const cases: readonly (readonly [BidderReply, string, string])[] = [
    [{ kind: 'timeout' }, 'timeout', ''],
    [{ kind: 'error', code: 'ECONNREFUSED' }, 'error', 'ECONNREFUSED'],
    [{ kind: 'busy', inFlightMax: 9 }, 'throttled', 'busy'],
    [{ kind: 'oversized', bytesMax: 9 }, 'no_bid', 'oversized'],
    [answer('', 204), 'no_bid', ''],
    [answer('', 500), 'error', 'http_500'],
    [answer('', 302), 'error', 'http_302'],
    [answer(' \n'), 'no_bid', 'empty'],
    [answer('{'), 'no_bid', 'malformed'],
    [answer('[]'), 'no_bid', 'malformed'],
    [answer({ seatbid: [5] }), 'no_bid', 'malformed'],
    [answer({}), 'no_bid', ''],
    [answer({ nbr: 2 }), 'no_bid', 'nbr_2'],
    [answer({ id: 'r' }), 'no_bid', ''],
    [answer({ id: 'r', seatbid: [{}] }), 'no_bid', ''],
    [answer({ id: 'r', seatbid: [] }), 'no_bid', ''],
    [answer({ id: 'r', nbr: 2 }), 'no_bid', 'nbr_2'],
    [answer({ id: 'r', seatbid: [{ bid: [{ id: 'b' }] }] }), 'bid', ''],
  ];
  for (const [reply, ...expected] of cases) assert.deepEqual(read(reply).slice(0, 2), expected);
});

test('a no-bid reason that no list names is counted with all others of that kind', () => {
  for (const nbr of [-1, 9, 4711]) {
    const [outcome, reason, detail] = read(answer({ id: 'r', nbr }));
    assert.deepEqual([outcome, reason], ['no_bid', 'nbr_other']);
    assert.match(detail, new RegExp(`No-bid reason ${nbr},`));
  }
});
