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
