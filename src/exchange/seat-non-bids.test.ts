import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aPartner } from '../auction/eligibility-fixtures.ts';
import { aLineItem } from '../auction/fixtures.ts';
import { keyRingAt, type BeaconKey } from '../beacons/key-ring.ts';
import type { BidderReply } from '../ports/bidder-client.ts';
import type { Publisher } from '../snapshot/entities.ts';
import { Exchange } from './exchange.ts';
import {
  aBidder,
  aCaller,
  aMarket,
  anAdSpace,
  aPublisher,
  aRequest,
  someParts,
} from './fixtures.ts';
import { createSeatPseudonyms } from './seat-pseudonyms.ts';

const ASKING = { rialto: { seatnonbid: 1 } };

/** Partners 1001, 1002 and so on, each with the reply that its bidder gives. */
async function hold(
  replies: readonly ((id: string) => BidderReply)[],
  {
    ext = ASKING,
    seatNonBids = 'pseudonyms',
  }: { ext?: object; seatNonBids?: Publisher['seatNonBids'] } = {},
) {
  const entities = replies.flatMap((_, index) => [
    aPartner(1001 + index, { bidder: aBidder({ endpoint: `http://bidder.example/${index}` }) }),
    aLineItem({ id: 501 + index, demandPartnerId: 1001 + index, seat: `seat-${index}` }),
  ]);
  const exchange = new Exchange(
    someParts({
      client: {
        ask: (call, settle) => {
          const [, id = ''] = /^\{"id":"([^"]+)"/.exec(call.body) ?? [];
          const reply = replies[Number(call.endpoint.slice(-1))];
          queueMicrotask(() => settle(reply?.(id) ?? { kind: 'timeout' }));
        },
        inFlight: () => 0,
        close: () => Promise.resolve(),
      },
    }),
  );
  const space = anAdSpace({ floorMicros: 1_000_000 });
  exchange.useMarket(await aMarket(aPublisher({ seatNonBids }), space, ...entities));
  return exchange.hold(aRequest({ ext }), aCaller(), 1_000);
}

function bidding(...prices: readonly number[]) {
  return (id: string): BidderReply => {
    const bid = prices.map((price, index) => ({
      id: `b${index}`,
      impid: '1',
      price,
      adm: '<p>An ad</p>',
    }));
    return { kind: 'answer', status: 200, body: JSON.stringify({ id, seatbid: [{ bid }] }) };
  };
}

const answering =
  (status: number, body = '') =>
  (): BidderReply => ({ kind: 'answer', status, body });

test('a winner has the name that its lost bids have, also for who does not ask', async () => {
  const seatsOf = async (options: Parameters<typeof hold>[1]) => {
    const answer = await hold([bidding(5, 2)], options);
    assert.equal(answer.kind, 'filled');
    const lost: { seat: string }[] =
      Object(Object(answer.response.ext)['rialto'])['seatnonbid'] ?? [];
    return [answer.response.seatbid?.[0]?.seat, ...lost.map(({ seat }) => seat)];
  };
  const [winner, loser] = await seatsOf({});
  assert.equal(winner, 'seat 2001-1001');
  assert.equal(loser, winner);
  assert.deepEqual(await seatsOf({ ext: {} }), [winner]);
  assert.deepEqual(await seatsOf({ seatNonBids: 'seats' }), ['1001', '1001']);
  assert.deepEqual(await seatsOf({ seatNonBids: 'none' }), ['1001']);
});

test('an answer whose bids cannot be read is told as one', async () => {
  const answer = await hold([bidding(5), answering(200, '{"id":"1","seatbid":[{"bid":[7]}]}')]);
  assert.equal(answer.kind, 'filled');
  assert.match(JSON.stringify(answer.response.ext), /"statuscode":102/);
});

test('who asks and may is told each loss by its code, without prices', async () => {
  const answer = await hold([
    bidding(5),
    bidding(2, 0.5),
    answering(204),
    () => ({ kind: 'timeout' }),
    answering(200, '{"id":'),
    answering(500),
    () => ({ kind: 'error', code: 'ECONNREFUSED' }),
  ]);
  assert.equal(answer.kind, 'filled');
  const codes = [[501, 301], [0], [101], [102], [100], [103]];
  assert.deepEqual(answer.response.ext, {
    rialto: {
      seatnonbid: codes.map((each, index) => ({
        seat: `seat 2001-${1002 + index}`,
        nonbid: each.map((statuscode) => ({ impid: 'imp-1', statuscode })),
      })),
    },
  });
});

test('where nobody won, who asks gets an answer without bids', async () => {
  const answer = await hold([bidding(0.5)], { seatNonBids: 'seats' });
  assert.equal(answer.kind, 'unfilled');
  assert.deepEqual(answer.response, {
    id: 'request-1',
    seatbid: [],
    bidid: 'auction',
    cur: 'USD',
    ext: {
      rialto: { seatnonbid: [{ seat: '1001', nonbid: [{ impid: 'imp-1', statuscode: 301 }] }] },
    },
  });
});

test('who does not ask, or may not, is told nothing', async () => {
  for (const ext of [{}, { rialto: { seatnonbid: 0 } }, { rialto: null }]) {
    const answer = await hold([bidding(0.5)], { ext });
    assert.ok(answer.kind === 'unfilled' && answer.response === undefined);
  }
  const refused = await hold([bidding(0.5)], { seatNonBids: 'none' });
  assert.ok(refused.kind === 'unfilled' && refused.response === undefined);
});

test('a pseudonym is the same each time, another for every publisher, and stays while keys are added', () => {
  const keyAt = (sealsFromMs: number): BeaconKey => {
    return { id: sealsFromMs, secret: Buffer.alloc(32, sealsFromMs), sealsFromMs };
  };
  const nameWith = (...keys: BeaconKey[]) => createSeatPseudonyms(() => keyRingAt(keys, 10));
  const name = nameWith(keyAt(1));
  assert.match(name(2001, 1001), /^[0-9a-f]{24}$/);
  assert.equal(name(2001, 1001), name(2001, 1001));
  assert.equal(nameWith(keyAt(2), keyAt(1))(2001, 1001), name(2001, 1001));
  const others = [name(2002, 1001), name(2001, 1002), nameWith(keyAt(2))(2001, 1001)];
  assert.equal(new Set([name(2001, 1001), ...others]).size, 4);
});
