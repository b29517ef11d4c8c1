import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Entity } from './entities.ts';
import { decodeSnapshot, encodeSnapshot, readVersion } from './wire.ts';

const VERSION = { epoch: 'e1', seq: 7 };
const NO_BLOCKING = { categories: [], advertisers: [], apps: [], attributes: [] };
const EXCHANGE: Entity = {
  kind: 'exchange',
  name: 'Rialto',
  blocking: NO_BLOCKING,
  allowPrivateAddresses: [],
  tmaxDefaultMs: 300,
  tmaxMaxMs: 1000,
  traceShareBps: 100,
  traceBodiesBps: 100,
  lossNoticePrice: true,
  creativeReview: 'none',
  bidRequirements: { fields: [], adomainsMax: null },
  domain: null,
  paymentId: null,
  tagId: null,
  contactEmail: null,
  contactAddress: null,
  invalidTraffic: 'ignore',
  gvlId: null,
};

function lineItem(id: number): Entity {
  return {
    kind: 'lineItem',
    id,
    demandPartnerId: 1,
    name: `Line item ${id}`,
    status: 'ACTIVE',
    seat: null,
    floorMicros: 0,
    capping: { maxQps: null, maxDailyImpressions: null, maxDailySpendMicros: null },
    targeting: {},
  };
}

test('a snapshot comes back as it was sent, its line items ordered by id', async () => {
  const text = encodeSnapshot(VERSION, [EXCHANGE, lineItem(9), lineItem(3)]);
  const snapshot = await decodeSnapshot(text);
  assert.deepEqual(snapshot.version, VERSION);
  assert.deepEqual(readVersion(text), VERSION);
  assert.deepEqual(
    snapshot.lineItems.get(1)?.map((item) => item.id),
    [3, 9],
  );
});

test('a snapshot torn at any byte is refused', async () => {
  const text = encodeSnapshot(VERSION, [EXCHANGE, lineItem(1)]);
  for (let length = 0; length < text.length; length += 1) {
    await assert.rejects(decodeSnapshot(text.slice(0, length)), `accepted ${length} bytes`);
  }
});

test('a snapshot of another schema is refused with both numbers', async () => {
  const text = encodeSnapshot(VERSION, [EXCHANGE]).replace('"schema":1', '"schema":2');
  await assert.rejects(decodeSnapshot(text), /has schema 2, this process reads 1/);
});

/** A snapshot in its first form, line by line as it was written then. */
const FIRST_FORM = [
  '{"kind":"header","schema":1,"version":{"epoch":"e1","seq":7}}',
  '{"kind":"exchange","name":"Rialto","blocking":{"categories":[],"advertisers":[],"apps":[],"attributes":[]},"allowPrivateAddresses":[],"tmaxDefaultMs":300,"tmaxMaxMs":1000,"traceShareBps":100}',
  '{"kind":"demandPartner","id":1001,"name":"Acme","status":"ACTIVE","bidder":{"endpoint":"http://bidder.example/bid","openrtbVersion":"2.5","timeoutMs":200,"maxQps":null,"sendBidfloor":true,"gzip":false,"gvlId":null}}',
  '{"kind":"publisher","id":2001,"name":"Planet","status":"ACTIVE","revenueShareBps":8000,"priceBasis":"net","blocking":{"categories":[],"advertisers":[],"apps":[],"attributes":[]}}',
  '{"kind":"property","id":3001,"publisherId":2001,"type":"site","name":"planet.example","status":"ACTIVE","bundle":null,"domain":"planet.example","platform":null,"storeurl":null,"categories":[],"blocking":{"categories":[],"advertisers":[],"apps":[],"attributes":[]}}',
  '{"kind":"adSpace","id":4001,"propertyId":3001,"name":"Box","status":"ACTIVE","banner":{"sizes":[{"w":300,"h":250}]},"video":{"w":640,"h":360,"minduration":5,"maxduration":60,"minbitrate":250,"maxbitrate":4000,"linearity":1,"startdelay":null,"placement":null,"skip":null},"native":{"title":90,"icon":{"w":80,"h":80},"image":null,"description":null,"cta":null},"floorMicros":0,"auctionType":"second_price","interstitial":false,"rewarded":false,"pos":null,"blocking":{"categories":[],"advertisers":[],"apps":[],"attributes":[]}}',
  '{"kind":"end","entities":5}',
];

test('a snapshot from before some settings is read, with what was done then', async () => {
  const snapshot = await decodeSnapshot(`${FIRST_FORM.join('\n')}\n`);
  const { exchange, demandPartners, publishers, properties, adSpaces } = snapshot;
  assert.deepEqual([exchange.lossNoticePrice, exchange.domain], [true, null]);
  assert.deepEqual([exchange.creativeReview, snapshot.creativeReviews], ['none', []]);
  const bidder = demandPartners.get(1001)?.bidder;
  assert.ok(bidder !== undefined && bidder !== null);
  assert.equal(bidder.interstitialImps, 'one');
  assert.deepEqual([bidder.syncUrl, exchange.gvlId], [null, null]);
  assert.deepEqual([demandPartners.get(1001)?.stopped, bidder.maxConcurrency], [false, null]);
  assert.equal(publishers.get(2001)?.confirmsWins, false);
  assert.equal(publishers.get(2001)?.seatNonBids, 'none');
  assert.deepEqual(properties.get(3001)?.languages, []);
  const space = adSpaces.get('4001');
  assert.ok(space !== undefined);
  assert.deepEqual([space.banner?.api, space.video?.companionad, space.exp], [[], [], null]);
  const floors = [publishers.get(2001)?.floors, properties.get(3001)?.floors, space.floors];
  assert.deepEqual(floors, [[], [], []]);
  assert.deepEqual([space.refresh, space.backfill], [null, null]);
  assert.deepEqual(space.native?.icon, { w: 80, h: 80, isMinimum: false, mimes: [] });
});

test('what a snapshot says of wins and losses is kept', async () => {
  const text = encodeSnapshot(VERSION, [{ ...EXCHANGE, lossNoticePrice: false }]);
  assert.equal((await decodeSnapshot(text)).exchange.lossNoticePrice, false);
});

test('an ad space without its property is refused', async () => {
  const orphan: Entity = {
    kind: 'adSpace',
    id: 5,
    propertyId: 99,
    name: 'Orphan',
    status: 'ACTIVE',
    banner: { sizes: [{ w: 320, h: 50 }], api: [] },
    video: null,
    native: null,
    floorMicros: 0,
    auctionType: 'second_price',
    interstitial: false,
    rewarded: false,
    pos: null,
    viewability: null,
    exp: null,
    iframebusters: [],
    floors: [],
    refresh: null,
    backfill: null,
    blocking: NO_BLOCKING,
  };
  await assert.rejects(decodeSnapshot(encodeSnapshot(VERSION, [EXCHANGE, orphan])), /ad space 5/);
});

test('decoding 10,000 line items pauses between slices of work', async () => {
  const entities = [EXCHANGE, ...Array.from({ length: 10_000 }, (_, id) => lineItem(id))];
  let pauses = 0;
  const snapshot = await decodeSnapshot(encodeSnapshot(VERSION, entities), () => {
    pauses += 1;
    return new Promise((resolve) => setImmediate(resolve));
  });
  assert.equal(snapshot.lineItems.get(1)?.length, 10_000);
  assert.ok(pauses >= 2, `paused ${pauses} times`);
});
