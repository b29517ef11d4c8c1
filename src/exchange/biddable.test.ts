import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FORMAT_BANNER, FORMAT_NATIVE, FORMAT_VIDEO } from '../auction/formats.ts';
import type { Bidder, Property } from '../snapshot/entities.ts';
import { bannerMimes, biddableFormats, videoMimes } from './biddable.ts';
import { aBidder, aMarket, anAdSpace, aRequest, aSite, aVideo } from './fixtures.ts';
import { findSlots, type Slot } from './slots.ts';

const ALL = FORMAT_BANNER | FORMAT_VIDEO | FORMAT_NATIVE;

async function slotOf(
  formats: { banner?: object; video?: object } = {},
  property: Partial<Property> = {},
): Promise<Slot> {
  const market = await aMarket(aSite(property), anAdSpace({ video: aVideo() }));
  const imp = [{ id: '1', tagid: '4001', banner: {}, video: {}, ...formats }];
  const found = findSlots(aRequest({ imp }), market, { secure: true, country: null });
  assert.ok(found.ok, JSON.stringify(found));
  const [slot] = found.value;
  assert.ok(slot !== undefined);
  return slot;
}

function formatsFor(slot: Slot, bidder: Partial<Bidder>): number {
  return biddableFormats(slot, { bidder: aBidder(bidder), os: null });
}

function videosFor(slot: Slot, os: string | null, bidder: Partial<Bidder> = {}): string[] {
  return videoMimes(slot, { bidder: aBidder(bidder), os });
}

test('a banner has the content types that the request allows and the bidder has', async () => {
  const open = await slotOf();
  const narrow = await slotOf({ banner: { mimes: ['image/png', 'image/gif', ''] } });
  assert.equal(bannerMimes(open, aBidder()), null);
  assert.deepEqual(bannerMimes(narrow, aBidder()), ['image/png', 'image/gif']);
  const bidder = aBidder({ mimes: ['video/mp4', 'image/gif', 'text/html'] });
  assert.deepEqual(bannerMimes(open, bidder), ['image/gif', 'text/html']);
  assert.deepEqual(bannerMimes(narrow, bidder), ['image/gif']);
});

test('a video has those of the request, else of the platform; iOS has no WebM', async () => {
  const slot = await slotOf();
  assert.deepEqual(videosFor(slot, 'Android'), ['video/mp4', 'video/webm']);
  assert.deepEqual(videosFor(slot, 'iOS'), ['video/mp4']);
  assert.deepEqual(videosFor(await slotOf({}, { platform: 'iOS' }), null), ['video/mp4']);
  const asked = await slotOf({ video: { mimes: ['video/ogg', 'video/webm'] } });
  assert.deepEqual(videosFor(asked, 'iOS'), ['video/ogg', 'video/webm']);
  assert.deepEqual(videosFor(asked, 'iOS', { mimes: ['video/webm'] }), ['video/webm']);
});

test('a player of VPAID 2 shows scripts as well', async () => {
  const slot = await slotOf({ video: { api: [2] } });
  assert.deepEqual(videosFor(slot, 'iOS'), ['video/mp4', 'application/javascript']);
  assert.deepEqual(videosFor(await slotOf({ video: { api: [1] } }), 'iOS'), ['video/mp4']);
});

test('a format of which the bidder has no creatives cannot be offered to it', async () => {
  const slot = await slotOf();
  assert.equal(formatsFor(slot, {}), ALL);
  assert.equal(formatsFor(slot, { mimes: ['image/png'] }), FORMAT_BANNER | FORMAT_NATIVE);
  assert.equal(formatsFor(slot, { mimes: ['video/mp4'] }), FORMAT_VIDEO | FORMAT_NATIVE);
});

test('2.2 has native only for bidders that take it in the extension', async () => {
  const slot = await slotOf();
  assert.equal(formatsFor(slot, { openrtbVersion: '2.2' }), FORMAT_BANNER | FORMAT_VIDEO);
  assert.equal(formatsFor(slot, { openrtbVersion: '2.2', nativeInExt: true }), ALL);
});
