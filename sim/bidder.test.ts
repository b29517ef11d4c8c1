import assert from 'node:assert/strict';
import { createConnection } from 'node:net';
import { test, type TestContext } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { startBidder, type BidderOptions, type SimBidder } from './bidder.ts';
import { REQUEST, bidsIn, post } from './raw-post.ts';

async function bidderFor(context: TestContext, options: BidderOptions = {}): Promise<SimBidder> {
  const bidder = await startBidder(options);
  context.after(() => bidder.close());
  return bidder;
}

test('a bidder answers in JSON and remembers what it was asked', async (context) => {
  const bidder = await bidderFor(context);
  const { status, headers, body } = await post(bidder, { headers: { 'x-openrtb-version': '2.5' } });
  assert.equal(status, 200);
  assert.equal(headers['content-type'], 'application/json');
  assert.partialDeepStrictEqual(JSON.parse(body.toString()), { id: 'request-1', cur: 'USD' });
  assert.equal(bidder.requests.length, 1);
  assert.deepEqual(bidder.requests[0]?.request, REQUEST);
  assert.equal(bidder.requests[0]?.headers['x-openrtb-version'], '2.5');
  assert.partialDeepStrictEqual(bidder.counts, { requests: 1, bids: 1, noBids: 0, faults: {} });
});

test('the same seed gives the same bids, faults and no-bids in the same order', async (context) => {
  const profile = {
    bidRate: 0.7,
    belowFloorRate: 0.2,
    faults: { status500: 0.1, garbage: 0.1, wrongId: 0.1, tenThousandBids: 0.05 },
  };
  const run = async (seed: number): Promise<readonly string[]> => {
    const bidder = await bidderFor(context, { seed, profile });
    const answers: string[] = [];
    for (let index = 0; index < 60; index += 1) {
      const { status, body } = await post(bidder);
      // The port is the one thing that may differ.
      answers.push(`${status} ${body.toString().replaceAll(`:${bidder.port}`, '')}`);
    }
    return answers;
  };
  const [first, second, other] = [await run(7), await run(7), await run(8)];
  assert.deepEqual(first, second);
  assert.notDeepEqual(first, other);
  for (const status of ['200', '204', '500'])
    assert.ok(first.some((text) => text.startsWith(status)));
});

test('a no-bid is a 204, and once in a while a reason', async (context) => {
  const bidder = await bidderFor(context, { profile: { bidRate: 0 } });
  const answers = [];
  for (let index = 0; index < 60; index += 1) answers.push(await post(bidder));
  const silent = answers.filter(({ status, body }) => status === 204 && body.length === 0);
  const spoken = answers.filter(({ body }) =>
    /^\{"id":"request-1","nbr":\d\}$/.test(body.toString()),
  );
  assert.ok(silent.length > spoken.length && spoken.length > 0);
  assert.equal(silent.length + spoken.length, 60);
  assert.equal(bidder.counts.noBids, 60);
});

test('latency follows the profile and never exceeds its maximum', async (context) => {
  const latency = { medianMs: 60, spread: 5, maxMs: 80 };
  const bidder = await bidderFor(context, { profile: { latency } });
  const times = await Promise.all(
    Array.from({ length: 20 }, async () => (await post(bidder)).elapsedMs),
  );
  assert.ok(Math.max(...times) >= 75 && Math.max(...times) < 400, String(times));
  assert.ok(Math.min(...times) < 75, String(times));
});

test('an answer is compressed for whoever accepts gzip, by a bidder that does so', async (context) => {
  const bidder = await bidderFor(context, { profile: { gzip: true } });
  const packed = await post(bidder, { headers: { 'accept-encoding': 'gzip, deflate' } });
  assert.equal(packed.headers['content-encoding'], 'gzip');
  assert.match(gunzipSync(packed.body).toString(), /^\{"id":"request-1"/);
  const plain = await post(bidder);
  assert.equal(plain.headers['content-encoding'], undefined);
});

test('a compressed request is read', async (context) => {
  const bidder = await bidderFor(context);
  const body = gzipSync(JSON.stringify(REQUEST));
  const { status } = await post(bidder, { body, headers: { 'content-encoding': 'gzip' } });
  assert.equal(status, 200);
});

test('what is no bid request is answered with 400 and counted apart', async (context) => {
  const bidder = await bidderFor(context);
  for (const body of ['', '{', '[]', '{"id":"1"}', '{"id":"1","imp":[{}]}']) {
    assert.equal((await post(bidder, { body })).status, 400, body);
  }
  const unpackable = await post(bidder, { headers: { 'content-encoding': 'gzip' } });
  assert.equal(unpackable.status, 400);
  assert.partialDeepStrictEqual(bidder.counts, { requests: 0, unreadable: 6 });
});

test('notices are counted by kind, with their addresses to the letter', async (context) => {
  const bidder = await bidderFor(context);
  const origin = bidder.url.replace('/bid', '');
  const urls = ['win', 'win', 'billing', 'loss', 'impression'].map(
    (kind) => `${origin}/notice/${kind}?bid=b&price=1.50&x=%7B%20`,
  );
  for (const url of urls) assert.equal((await fetch(url)).status, 204);
  assert.equal((await fetch(`${origin}/notice/other`)).status, 404);
  assert.deepEqual(bidder.counts.notices, { win: 2, billing: 1, loss: 1, impression: 1 });
  assert.deepEqual(
    bidder.notices.map(({ url }) => url),
    urls,
  );
});

test('markup by win notice comes once, for its own bid', async (context) => {
  const bidder = await bidderFor(context, { profile: { markup: 'notice' } });
  const [bid] = bidsIn(await post(bidder));
  assert.ok(bid?.nurl);
  assert.equal('adm' in bid, false);
  const served = await fetch(bid.nurl);
  assert.equal(served.status, 200);
  assert.match(await served.text(), /^<div .*\$\{CLICK_URL\}/);
  assert.equal((await fetch(bid.nurl)).status, 204);
});

test('only the last requests are remembered, but all are counted', async (context) => {
  const bidder = await bidderFor(context, { keepMax: 3 });
  for (let index = 0; index < 10; index += 1) await post(bidder);
  assert.deepEqual(
    bidder.requests.map(({ sequence }) => sequence),
    [8, 9, 10],
  );
  assert.equal(bidder.counts.requests, 10);
});

test('a script decides the exact answer, a fault, or leaves it to the bidder', async (context) => {
  const bidder = await bidderFor(context);
  bidder.respondWith(({ id }) => ({
    status: 418,
    headers: { 'x-script': id },
    body: 'short and stout',
    delayMs: 50,
  }));
  const exact = await post(bidder);
  assert.deepEqual(
    [exact.status, exact.headers['x-script'], exact.body.toString()],
    [418, 'request-1', 'short and stout'],
  );
  assert.ok(exact.elapsedMs >= 49);
  bidder.respondWith(() => ({ fault: 'reset' }));
  assert.equal((await post(bidder)).error, 'ECONNRESET');
  bidder.respondWith(() => 'default');
  assert.equal((await post(bidder)).status, 200);
  assert.partialDeepStrictEqual(bidder.counts, { requests: 3, scripted: 1, faults: { reset: 1 } });
});

test('fault rates that are no probabilities are refused', async () => {
  for (const faults of [{ hang: 1.1 }, { hang: -0.1 }, { hang: 0.6, reset: 0.6 }, { hang: NaN }]) {
    await assert.rejects(startBidder({ profile: { faults } }), RangeError);
  }
});

test('faults come about as often as their rates say and change nothing in the other answers', async (context) => {
  const faulty = await bidderFor(context, {
    profile: { faults: { status500: 0.2, wrongId: 0.1 } },
  });
  const sound = await bidderFor(context);
  for (let index = 0; index < 200; index += 1) {
    const spoiled = await post(faulty);
    const whole = await post(sound);
    const same = whole.body.toString().replaceAll(`:${sound.port}`, `:${faulty.port}`);
    if (spoiled.status === 200 && !spoiled.body.includes('not-request-1')) {
      assert.equal(spoiled.body.toString(), same);
    }
  }
  const { status500 = 0, wrongId = 0 } = faulty.counts.faults;
  assert.ok(
    Math.abs(status500 - 40) < 25 && Math.abs(wrongId - 20) < 18,
    `${status500} ${wrongId}`,
  );
});

test('a bid without markup gets none by its win notice either', async (context) => {
  const profile = { markup: 'notice', faults: { noMarkup: 1 } } as const;
  const bidder = await bidderFor(context, { profile });
  const [bid] = bidsIn(await post(bidder));
  assert.ok(bid?.nurl);
  assert.equal((await fetch(bid.nurl)).status, 204);
});

test('closing ends hanging, dripping and delayed answers at once', async () => {
  for (const profile of [
    { faults: { hang: 1 } },
    { faults: { drip: 1 } },
    { latency: { medianMs: 600_000, spread: 0, maxMs: 600_000 } },
  ]) {
    const bidder = await startBidder({ profile });
    const ending = post(bidder);
    while (bidder.counts.requests === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await bidder.close();
    const { error } = await ending;
    assert.equal(error, 'ECONNRESET');
    // Nobody listens there any more.
    const knock = createConnection(bidder.port, '127.0.0.1');
    const refusal = await new Promise<NodeJS.ErrnoException>((resolve) =>
      knock.once('error', resolve),
    );
    assert.equal(refusal.code, 'ECONNREFUSED');
  }
});
