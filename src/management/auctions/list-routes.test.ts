import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { apiOf, openManagement } from '../../../test/support/management.ts';
import type { AuctionListQuestion } from '../../analytics/auction-conditions.ts';
import type { AuctionList } from '../../analytics/list-auctions.ts';
import {
  ACME,
  aBid,
  aBidTrace,
  aCallRecord,
  aCallTrace,
  aFound,
  AUCTION_ID,
  BOLT,
} from './fixtures.ts';
import { twoPartners } from './fixtures.ts';

const { auction } = aFound({
  calls: [
    [aCallRecord(), aCallTrace()],
    [aCallRecord({ demand_partner_id: BOLT, lineitem_ids: [601] }), aCallTrace()],
  ],
  bids: [
    [aBid(), aBidTrace()],
    [
      aBid({
        demand_partner_id: BOLT,
        lineitem_id: 601,
        bid_id: 'b2',
        crid: 'c2',
        price_micros: 3_100_000,
        loss_reason: 0,
        clearing_micros: 2_410_000,
        payout_micros: 1_928_000,
      }),
      aBidTrace(),
    ],
  ],
});
const HELD = aFound({
  auction: { auction_id: '019aa1b2c3d4e5f60718293a4b5c6d7f', test: 1 },
  calls: [
    [aCallRecord({ outcome: 'throttled', reason: 'bidder_qps', latency_us: 0 }), aCallTrace()],
  ],
}).auction;
const NEXT = { atMs: 1_763_640_000_000, auctionId: AUCTION_ID };

/** The API over a store with two auctions, that keeps what it was asked. */
async function openList(
  t: TestContext,
  list: AuctionList = { auctions: [auction, HELD], next: NEXT },
) {
  const asked: AuctionListQuestion[] = [];
  const server = await openManagement(t, undefined, {
    listAuctions: async (question) => {
      asked.push(question);
      return list;
    },
    presentSnapshot: async () => twoPartners(),
  });
  return { asked, server, partner: await apiOf(server, 'engineer@acme.example', ['read']) };
}

test('a demand partner is listed its own calls and bids, and nothing of anybody else', async (t) => {
  const { asked, partner } = await openList(t);
  const { status, body } = await partner('GET', '/auctions/');
  assert.equal(status, 200);
  assert.deepEqual([asked[0]?.demandPartnerId, asked[0]?.isForPartner], [ACME, true]);
  const text = JSON.stringify(body);
  for (const hidden of ['1002', 'Bolt', '601', '3.1', '2.41', '1.928', 'Planet']) {
    assert.ok(!text.includes(hidden), hidden);
  }
  const [first, held] = body;
  assert.equal(first.bids[0].loss_reason_text, 'Another bid was higher.');
  assert.deepEqual(first.ad_spaces, [{ id: 4001, name: null, ad_format: 'banner', filled: null }]);
  assert.deepEqual([first.country, first.platform, first.test], ['USA', 'Android', false]);
  // Who was sent nothing was told nothing of the person.
  assert.deepEqual([held.country, held.platform, held.os, held.test], [null, null, null, true]);
  assert.equal(held.calls[0].answered_after_ms, null);
});

test('an operator is listed the whole, with a link to what comes next', async (t) => {
  const { asked, server } = await openList(t);
  const operator = await apiOf(server, 'operator@example.com', ['read']);
  const query = 'from=2026-11-20T10:00:00Z&to=2026-11-20T11:00:00Z&filled=true&loss_reason=102';
  const { body, headers } = await operator('GET', `/auctions/?${query}&demand_partner_id=1002`);
  assert.deepEqual(
    body[0].bids.map((bid: { demand_partner: { name: string }; won: boolean }) => [
      bid.demand_partner.name,
      bid.won,
    ]),
    [
      ['Acme DSP', false],
      ['Bolt DSP', true],
    ],
  );
  const [question] = asked;
  const { demandPartnerId, isForPartner, filled, lossReason, limit, fromMs } =
    question ?? assert.fail();
  assert.deepEqual(
    [demandPartnerId, isForPartner, filled, lossReason, limit, fromMs],
    [1002, false, true, 102, 50, Date.UTC(2026, 10, 20, 10)],
  );
  const [, next = ''] = /^<\/api(.*)>; rel="next"$/.exec(String(headers['link'])) ?? [];
  await operator('GET', next);
  assert.deepEqual(asked[1], { ...question, before: NEXT });
});

test('what is wrong with the query of a list is told where it stands', async (t) => {
  const { asked, partner } = await openList(t, { auctions: [], next: null });
  const wrong = [
    ['demand_partner_id=1001', '/demand_partner_id', /for operators/],
    ['filled=true', '/filled', /for operators/],
    ['from=2026-11-20&to=2026-11-22', '/from', /24 hours/],
    ['from=2026-11-20T12:00:00Z&to=2026-11-20T11:00:00Z', '/from', /earlier first/],
    ['to=yesterday', '/to', /instant such as/],
    ['before=1', '/before', /where the next part begins/],
    ['limit=101', '/limit', /1 to 100/],
    ['outcome=lost', '/outcome', /no_bid/],
  ] as const;
  for (const [query, pointer, message] of wrong) {
    const { status, body } = await partner('GET', `/auctions/?${query}`);
    assert.deepEqual([status, body.errors[0].pointer], [400, pointer], query);
    assert.match(body.errors[0].message, message);
  }
  assert.deepEqual(asked, []);
  const nothing = await partner('GET', '/auctions/');
  assert.deepEqual([nothing.status, nothing.body, nothing.headers['link']], [200, [], undefined]);
});

test('a publisher may not list auctions, and without the store the answer is to come again', async (t) => {
  const { server } = await openList(t);
  const publisher = await apiOf(server, 'ads@planet.example');
  assert.equal((await publisher('GET', '/auctions/')).status, 403);
  const closed = await openManagement(t);
  const partner = await apiOf(closed, 'engineer@acme.example');
  assert.equal((await partner('GET', '/auctions/')).status, 503);
});
