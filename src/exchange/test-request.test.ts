import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aPartner } from '../auction/eligibility-fixtures.ts';
import { aLineItem } from '../auction/fixtures.ts';
import { validateOutgoingRequest } from '../openrtb/validate-outgoing.ts';
import type { BidderReply } from '../ports/bidder-client.ts';
import type { Entity } from '../snapshot/entities.ts';
import { aBidder, aMarket } from './fixtures.ts';
import type { TestWish } from './test-place.ts';
import { sendTestRequest, type AskablePartner } from './test-request.ts';

const BANNER: TestWish = {
  format: 'banner',
  size: null,
  environment: 'app',
  interstitial: false,
  country: 'US',
};

/** A test of a partner with these settings, whose bidder replies like that. */
async function run(
  wish: Partial<TestWish>,
  {
    bidder = {},
    entities = [aLineItem({ id: 501, demandPartnerId: 1001 })],
    reply = { kind: 'answer', status: 204, body: '' },
  }: {
    readonly bidder?: Partial<AskablePartner['bidder']>;
    readonly entities?: readonly Entity[];
    readonly reply?: BidderReply | ((body: string) => BidderReply);
  } = {},
) {
  const partner: AskablePartner = { ...aPartner(1001), bidder: aBidder(bidder) };
  const { snapshot } = await aMarket(...entities);
  return sendTestRequest(
    snapshot,
    partner,
    { ...BANNER, ...wish },
    {
      client: {
        ask: ({ body }, settle, _, onHead) => {
          queueMicrotask(() => {
            onHead?.({ 'content-type': 'application/json' });
            settle(typeof reply === 'function' ? reply(body) : reply);
          });
        },
        inFlight: () => 0,
        close: () => Promise.resolve(),
      },
      createAuctionId: () => 'test-1',
      now: () => 1_000,
    },
  );
}

test('every format and environment makes a bid request that is valid in its version', async () => {
  for (const openrtbVersion of ['2.5', '2.2'] as const) {
    for (const format of ['banner', 'video', 'native'] as const) {
      for (const environment of ['app', 'site'] as const) {
        for (const interstitial of [false, true]) {
          const bidder = { openrtbVersion, nativeInExt: true };
          const tested = await run({ format, environment, interstitial }, { bidder });
          assert.ok(tested !== null);
          const body = JSON.parse(tested.sent.body);
          const checked = validateOutgoingRequest(body, openrtbVersion);
          assert.ok(checked.ok, `${openrtbVersion} ${format} ${environment}`);
          assert.equal(body.test, openrtbVersion === '2.5' ? 1 : undefined);
          assert.match(body[environment].name, /^Rialto test/);
          assert.equal(body.device.geo.country, 'USA');
          assert.deepEqual(body.wseat, ['seat-1']);
        }
      }
    }
  }
});

test('a bid is judged as in an auction', async () => {
  const adm = '<a href="https://brand.example/"><img src="https://brand.example/a.png"></a>';
  const bids = (body: string) => {
    const bid = { id: 'good', impid: '1', price: 2, adm, crid: 'c', adomain: ['brand.example'] };
    const low = { ...bid, id: 'low', price: 0.001 };
    const broken = { id: 'broken', impid: '1', price: 'much' };
    const seatbid = [{ seat: 'seat-1', bid: [{ ...bid, w: 320, h: 50 }, low, broken] }];
    return { id: JSON.parse(body).id, seatbid };
  };
  const tested = await run(
    {},
    { reply: (body) => ({ kind: 'answer', status: 200, body: JSON.stringify(bids(body)) }) },
  );
  assert.deepEqual(
    tested?.bids.map(({ bidId, candidate, reason }) => [bidId, candidate !== null, reason]),
    [
      ['good', true, 0],
      ['low', false, 100],
      ['broken', false, 3],
    ],
  );
  assert.deepEqual(tested?.headers, { 'content-type': 'application/json' });
});

test('a request that no line item matches goes out to all that are active, with what refuses', async () => {
  const countries = { identifiers: [{ code: 'DE' }], is_whitelist: true };
  const picky = { demandPartnerId: 1001, targeting: { geo: { countries } } };
  const tested = await run(
    {},
    {
      entities: [
        aLineItem({ ...picky, id: 501, seat: 'one' }),
        aLineItem({ ...picky, id: 502, seat: 'two' }),
        aLineItem({ ...picky, id: 503, seat: 'three', status: 'PAUSED' }),
      ],
    },
  );
  assert.deepEqual(tested?.call.wseat, ['one', 'two']);
  assert.deepEqual(
    tested?.refusals.map(({ lineItem, failures }) => [lineItem.id, failures[0]?.key]),
    [
      [501, 'geo.countries'],
      [502, 'geo.countries'],
    ],
  );
  const matching = await run({ country: 'DE' }, { entities: [aLineItem({ ...picky, id: 501 })] });
  assert.deepEqual([matching?.refusals, matching?.hasLineItem], [[], true]);
});

test('without an active line item it is offered to one that is made up', async () => {
  const paused = aLineItem({ id: 501, demandPartnerId: 1001, status: 'PAUSED' });
  const tested = await run({}, { entities: [paused] });
  assert.equal(tested?.hasLineItem, false);
  assert.equal(JSON.parse(tested?.sent.body ?? '{}').wseat, undefined);
});

test('a format that the bidder has no words for is not sent', async () => {
  assert.equal(await run({ format: 'native' }, { bidder: { openrtbVersion: '2.2' } }), null);
  assert.equal(await run({ format: 'video' }, { bidder: { mimes: ['image/png'] } }), null);
});
