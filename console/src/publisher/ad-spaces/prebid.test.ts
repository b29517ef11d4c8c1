import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prebidAdUnit, prebidStoredImp } from './prebid.ts';

const BOX = { id: 4004, banner: { sizes: ['300x250', '320x50'] }, video: null, native: null };

test('an ad unit names the ad space and the sizes as pairs', () => {
  assert.equal(
    prebidAdUnit(BOX),
    `pbjs.addAdUnits({
  code: 'ad-space-4004',
  mediaTypes: { banner: { sizes: [[300, 250], [320, 50]] } },
  bids: [{ bidder: 'rialto', params: { adSpace: 4004 } }],
});`,
  );
});

test('a player is in the stream unless the ad space is outstream', () => {
  const video = { w: 640, h: 360 };
  assert.match(prebidAdUnit({ ...BOX, banner: null, video }), /context: 'instream'/);
  assert.match(
    prebidAdUnit({ ...BOX, banner: null, video: { ...video, outstream: true } }),
    /context: 'outstream', playerSize: \[640, 360\]/,
  );
});

test('Prebid Server decides by itself which bid is shown', () => {
  assert.deepEqual(JSON.parse(prebidStoredImp(BOX)), {
    imp: [{ tagid: '4004', ext: { prebid: { bidder: { rialto: {} } } } }],
    source: { fd: 1 },
  });
});
