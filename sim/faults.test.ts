import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { startBidder, type SimBidder } from './bidder.ts';
import { FAULTS, isBodyFault, type BodyFault, type WireFault } from './faults.ts';
import { bidsIn, post, type Received } from './raw-post.ts';

const WIRE_CHECKS: Record<WireFault, (bidder: SimBidder) => Promise<void>> = {
  async late(bidder) {
    const { status, elapsedMs } = await post(bidder);
    assert.equal(status, 200);
    assert.ok(elapsedMs > 100 + 49, `tmax is 100 ms and it took ${elapsedMs}`);
  },
  async drip(bidder) {
    const { body, error } = await post(bidder, { giveUpMs: 600 });
    assert.equal(error, 'GAVE_UP');
    assert.ok(body.length >= 3 && body.length <= 12, `${body.length} bytes in 600 ms`);
  },
  async reset(bidder) {
    const { status, error } = await post(bidder);
    assert.deepEqual([status, error], [0, 'ECONNRESET']);
  },
  async hang(bidder) {
    const { status, error } = await post(bidder, { giveUpMs: 300 });
    assert.deepEqual([status, error], [0, 'GAVE_UP']);
  },
  async status500(bidder) {
    const { status, body } = await post(bidder);
    assert.equal(status, 500);
    assert.match(body.toString(), /^<html>/);
  },
  async garbage(bidder) {
    const { status, body } = await post(bidder);
    assert.equal(status, 200);
    assert.throws(() => JSON.parse(body.toString()), SyntaxError);
  },
  async truncated(bidder) {
    const { status, headers, body, error } = await post(bidder);
    assert.deepEqual([status, error], [200, 'ECONNRESET']);
    const announced = Number(headers['content-length']);
    assert.equal(body.length, Math.floor(announced / 2));
  },
  async empty200(bidder) {
    const { status, body } = await post(bidder);
    assert.deepEqual([status, body.length], [200, 0]);
  },
  async bomb(bidder) {
    const { body } = await post(bidder);
    assert.ok(body.length > 8 * 2 ** 20);
    assert.partialDeepStrictEqual(JSON.parse(body.toString()), { id: 'request-1', cur: 'USD' });
  },
  async gzipBomb(bidder) {
    const { headers, body } = await post(bidder);
    assert.equal(headers['content-encoding'], 'gzip');
    assert.ok(body.length < 2 ** 18, `${body.length} bytes packed`);
    const inflated = gunzipSync(body);
    assert.ok(inflated.length > 64 * 2 ** 20);
    assert.match(inflated.subarray(-2000).toString(), /"id":"request-1"/);
  },
};

const BODY_CHECKS: Record<BodyFault, (received: Received) => void> = {
  wrongId({ body }) {
    assert.partialDeepStrictEqual(JSON.parse(body.toString()), { id: 'not-request-1' });
  },
  infinitePrice(received) {
    assert.match(received.body.toString(), /"price":1e400,/);
    assert.equal(bidsIn(received)[0]?.price, Number.POSITIVE_INFINITY);
  },
  negativePrice(received) {
    assert.ok((bidsIn(received)[0]?.price ?? 0) < 0);
  },
  duplicateIds(received) {
    const ids = bidsIn(received).map(({ id }) => id);
    assert.equal(ids.length, 2);
    assert.equal(new Set(ids).size, 1);
  },
  tenThousandBids(received) {
    assert.equal(new Set(bidsIn(received).map(({ id }) => id)).size, 10_000);
  },
  unknownImp(received) {
    assert.equal(bidsIn(received)[0]?.impid, 'nowhere');
  },
  noMarkup(received) {
    const [bid] = bidsIn(received);
    assert.ok(bid && !('adm' in bid));
  },
  foreignSeat({ body }) {
    assert.match(body.toString(), /"seat":"seat-of-somebody-else"/);
  },
  foreignCurrency({ body }) {
    assert.partialDeepStrictEqual(JSON.parse(body.toString()), { cur: 'EUR' });
  },
};

for (const fault of FAULTS) {
  test(`the fault ${fault} is on the wire what it says`, async (context) => {
    const bidder = await startBidder({ profile: { faults: { [fault]: 1 } } });
    context.after(() => bidder.close());
    if (isBodyFault(fault)) {
      const received = await post(bidder);
      assert.equal(received.status, 200);
      BODY_CHECKS[fault](received);
    } else {
      await WIRE_CHECKS[fault](bidder);
    }
    assert.deepEqual(bidder.counts.faults, { [fault]: 1 });
  });
}
