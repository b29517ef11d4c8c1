import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startBidder, type BidderOptions, type SimBidder } from './bidder.ts';
import { NOTICE_FAULTS } from './notice-faults.ts';
import { NoticeLedger } from './notice-ledger.ts';
import { REQUEST, bidsIn, post } from './raw-post.ts';

async function bidderFor(context: TestContext, options: BidderOptions = {}): Promise<SimBidder> {
  const bidder = await startBidder(options);
  context.after(() => bidder.close());
  return bidder;
}

interface Called {
  readonly id?: string;
  readonly bid?: string;
  readonly price?: string;
  readonly giveUpMs?: number;
}

/** Calls a notice as an exchange does; the status, or the name of what went wrong. */
async function notify(bidder: SimBidder, kind: string, called: Called = {}) {
  const { id = 'n-1', bid = 'bid-1-1', price = '1.5', giveUpMs = 2000 } = called;
  const url = new URL(`/notice/${kind}?bid=${bid}&auction=a1&imp=2&price=${price}`, bidder.url);
  try {
    const { status } = await fetch(url, {
      headers: { 'x-notice-id': id },
      redirect: 'manual',
      signal: AbortSignal.timeout(giveUpMs),
    });
    return status;
  } catch (error) {
    return error instanceof Error ? error.name : 'UNKNOWN';
  }
}

test('every bid carries the addresses of its notices, with the macros of the auction', async (context) => {
  const bidder = await bidderFor(context);
  const [bid] = bidsIn(await post(bidder));
  const origin = bidder.url.replace('/bid', '');
  const told = ['AUCTION_ID', 'AUCTION_BID_ID', 'AUCTION_IMP_ID', 'AUCTION_PRICE'];
  for (const [url = '', path, macros] of [
    [bid?.nurl, 'win', ['AUCTION_MIN_TO_WIN']],
    [bid?.burl, 'billing', []],
    [bid?.lurl, 'loss', ['AUCTION_LOSS', 'AUCTION_MIN_TO_WIN']],
  ] as const) {
    assert.ok(url.startsWith(`${origin}/notice/${path}?bid=bid-1-1&`), url);
    for (const macro of [...told, ...macros]) assert.ok(url.includes(`=\${${macro}}`), macro);
  }
});

test('a notice counts once by its id, with its price, however often it comes', async (context) => {
  const bidder = await bidderFor(context);
  await notify(bidder, 'billing', { id: 'a', price: '2.51' });
  await notify(bidder, 'billing', { id: 'a', price: '2.51' });
  await notify(bidder, 'billing', { id: 'b', bid: 'bid-2-1', price: '0.000001' });
  await notify(bidder, 'loss', { id: 'c', price: '' });
  assert.deepEqual(bidder.noticeLedger.sum('billing'), {
    notices: 2,
    bids: 2,
    acknowledged: 2,
    repeats: 1,
    conflicts: 0,
    priceMicros: 2_510_001,
  });
  assert.deepEqual(bidder.noticeLedger.entries('loss'), [
    {
      id: 'c',
      kind: 'loss',
      bidId: 'bid-1-1',
      auctionId: 'a1',
      impId: '2',
      priceMicros: null,
      arrivals: 1,
      acknowledged: 1,
      conflicts: 0,
    },
  ]);
  assert.equal(bidder.noticeLedger.entries().length, 3);
});

test('an id for two notices, one bid under two ids and a notice without an id all show', async (context) => {
  const bidder = await bidderFor(context);
  await notify(bidder, 'billing', { id: 'a', price: '1' });
  await notify(bidder, 'billing', { id: 'a', price: '2' });
  await notify(bidder, 'billing', { id: 'b', price: '1' });
  await fetch(new URL('/notice/win?bid=x', bidder.url));
  await fetch(new URL('/notice/impression?bid=x&price=1', bidder.url));
  const { notices, bids, conflicts, priceMicros } = bidder.noticeLedger.sum('billing');
  assert.deepEqual([notices, bids, conflicts, priceMicros], [2, 1, 1, 2_000_000]);
  assert.equal(bidder.noticeLedger.withoutId, 1);
});

test('each fault of notices is on the wire what it says, and is no acknowledgement', async (context) => {
  const outcomes = {
    hang: 'TimeoutError',
    refuse: 'TypeError',
    status500: 500,
    slow: 'TimeoutError',
    redirect: 302,
  };
  for (const fault of NOTICE_FAULTS) {
    const bidder = await bidderFor(context);
    bidder.failNotices({ fault });
    const outcome = await notify(bidder, 'billing', { giveUpMs: 200 });
    assert.equal(outcome, outcomes[fault], fault);
    const { arrivals, acknowledged } = bidder.noticeLedger.entries()[0] ?? {};
    assert.deepEqual([arrivals, acknowledged], [1, 0], fault);
    assert.deepEqual(bidder.counts.noticeFaults, { [fault]: 1 });
    bidder.failNotices(undefined);
    assert.equal(await notify(bidder, 'billing'), 204);
    assert.equal(bidder.noticeLedger.sum('billing').acknowledged, 1);
  }
});

test('a slow answer that is waited for is an acknowledgement', async (context) => {
  const bidder = await bidderFor(context);
  bidder.failNotices({ fault: 'slow', slowMs: 60 });
  const startedAt = performance.now();
  assert.equal(await notify(bidder, 'win'), 204);
  assert.ok(performance.now() - startedAt >= 59);
  assert.equal(bidder.noticeLedger.sum('win').acknowledged, 1);
});

test('a fault can be for one kind alone, and bids go on meanwhile', async (context) => {
  const bidder = await bidderFor(context);
  bidder.failNotices({ fault: 'status500', kinds: ['billing'] });
  assert.equal(await notify(bidder, 'billing'), 500);
  assert.equal(await notify(bidder, 'win', { id: 'n-2' }), 204);
  assert.equal((await post(bidder)).status, 200);
});

test('whoever follows the redirect is counted', async (context) => {
  const bidder = await bidderFor(context);
  bidder.failNotices({ fault: 'redirect' });
  await notify(bidder, 'win');
  assert.equal(bidder.counts.redirectsFollowed, 0);
  await fetch(new URL('/notice/win?bid=x', bidder.url));
  assert.equal(bidder.counts.redirectsFollowed, 1);
});

test('notices meet faults as often as the rates say, the same ones for a seed', async (context) => {
  const profile = { noticeFaults: { status500: 0.3, redirect: 0.1 } };
  const run = async (): Promise<readonly (number | string)[]> => {
    const bidder = await bidderFor(context, { profile, seed: 4 });
    const outcomes = [];
    for (let index = 0; index < 100; index += 1) outcomes.push(await notify(bidder, 'win'));
    return outcomes;
  };
  const [first, second] = [await run(), await run()];
  assert.deepEqual(first, second);
  const count = (status: number): number => first.filter((outcome) => outcome === status).length;
  assert.ok(count(500) > 15 && count(500) < 45, String(count(500)));
  assert.ok(count(302) > 2 && count(302) < 20, String(count(302)));
  await assert.rejects(startBidder({ profile: { noticeFaults: { hang: 2 } } }), RangeError);
});

test('markup that a fault kept back comes with the next try', async (context) => {
  const bidder = await bidderFor(context, { profile: { markup: 'notice' } });
  const [bid] = bidsIn(await post(bidder, { body: JSON.stringify(REQUEST) }));
  assert.ok(bid?.nurl && bid.adm === undefined);
  bidder.failNotices({ fault: 'status500' });
  assert.equal((await fetch(bid.nurl)).status, 500);
  bidder.failNotices(undefined);
  assert.match(await (await fetch(bid.nurl)).text(), /^<div /);
});

test('a ledger that is full forgets the oldest, and says how many', () => {
  const ledger = new NoticeLedger(2);
  const url = new URL('http://127.0.0.1/notice/win?bid=1&price=1');
  for (const id of ['a', 'b', 'c', 'c']) ledger.arrived('win', id, url);
  assert.deepEqual(
    ledger.entries().map(({ id, arrivals }) => [id, arrivals]),
    [
      ['b', 1],
      ['c', 2],
    ],
  );
  assert.equal(ledger.forgotten, 1);
});

test('closing ends a notice that hangs at once', async () => {
  const bidder = await startBidder();
  bidder.failNotices({ fault: 'hang' });
  const ending = notify(bidder, 'win', { giveUpMs: 5000 });
  while (bidder.counts.notices.win === 0) await sleep(5);
  await bidder.close();
  assert.equal(await ending, 'TypeError');
});
