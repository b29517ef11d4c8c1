import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LossReason } from '../openrtb/loss-reason.ts';
import type { Bid } from '../openrtb/bid-response.ts';
import { canonicalBid } from './canonical-bid.ts';
import { aBid, aDeal, aLineItem, anImp, anOffer, NO_BLOCKING } from './fixtures.ts';
import { FORMAT_BANNER, FORMAT_NATIVE, FORMAT_VIDEO } from './formats.ts';
import type { AuctionImp, Offer } from './offer.ts';
import { validateBid, type BidVerdict } from './validate-bid.ts';
import { cpuTimer } from '../../test/support/cpu.ts';

interface Setting {
  readonly seat?: string;
  readonly offer?: Partial<Offer>;
  readonly imp?: Partial<AuctionImp>;
}

function judge(bid: Partial<Bid>, { seat = 'seat-1', offer, imp }: Setting = {}): BidVerdict {
  const offered = anOffer({ imp: anImp(imp), ...offer });
  const submitted = { bid: canonicalBid(aBid(bid)), demandPartnerId: 1001, seat, group: null };
  return validateBid(submitted, new Map([['1', offered]]), true);
}

function refusal(bid: Partial<Bid>, setting?: Setting): readonly [number, string] {
  const verdict = judge(bid, setting);
  assert.ok(!verdict.ok, 'the bid was accepted');
  return [verdict.refusal.reason, verdict.refusal.detail];
}

function candidate(bid: Partial<Bid>, setting?: Setting) {
  const verdict = judge(bid, setting);
  assert.ok(verdict.ok, verdict.ok ? '' : verdict.refusal.detail);
  return verdict.candidate;
}

/** A line item that takes banners, as a match. */
function match(differs: Parameters<typeof aLineItem>[0]) {
  return { lineItem: aLineItem(differs), formats: FORMAT_BANNER, requiresLocation: false };
}

test('a sound bid competes with its price in micros, its line item and the highest floor', () => {
  const found = candidate(
    { price: 2.5 },
    { imp: { floorMicros: 200_000 }, offer: { lineItems: [match({ floorMicros: 300_000 })] } },
  );
  assert.equal(found.priceMicros, 2_500_000);
  assert.equal(found.lineItemId, 501);
  assert.equal(found.floorMicros, 300_000);
});

test('a bid on an impression that was not offered is an invalid response', () => {
  assert.deepEqual(refusal({ impid: '9' }), [3, 'impid 9 is none of 1']);
});

test('a price that is none has reason 9, one beyond all bounds reason 3', () => {
  for (const price of [0, -1]) assert.equal(refusal({ price })[0], LossReason.MissingPrice);
  for (const price of [0.000_000_9, Infinity]) assert.equal(refusal({ price })[0], 3);
  assert.equal(refusal({ price: 10_000.01 })[0], LossReason.InvalidResponse);
});

test('a price is cut to micros: it never reaches a floor that it is below, and always its own', () => {
  const imp = { floorMicros: 50_000 };
  assert.equal(refusal({ price: 0.049_999_9 }, { imp })[0], LossReason.BelowFloor);
  assert.equal(candidate({ price: 2.500_000_6 }).priceMicros, 2_500_000);
  assert.equal(
    candidate({ price: 1.001 }, { imp: { floorMicros: 1_001_000 } }).priceMicros,
    1_001_000,
  );
});

test("below the floor of the impression or of the bid's own line item it has reason 100", () => {
  assert.deepEqual(refusal({ price: 0.19 }, { imp: { floorMicros: 200_000 } }), [
    LossReason.BelowFloor,
    'price 0.19 is below the floor of 0.2',
  ]);
  const lineItems = [match({ floorMicros: 500_000 }), match({ id: 502, seat: 'seat-2' })];
  assert.equal(refusal({ price: 0.4 }, { offer: { lineItems } })[0], LossReason.BelowFloor);
  assert.equal(candidate({ price: 0.4 }, { seat: 'seat-2', offer: { lineItems } }).lineItemId, 502);
});

test('where formats have floors of their own its markup says which one holds, and none yet the highest', () => {
  const formats = FORMAT_BANNER | FORMAT_VIDEO;
  const imp = {
    formats,
    floorMicros: 200_000,
    formatFloors: { banner: 200_000, video: 500_000, native: 900_000 },
  };
  const lineItems = [{ ...match({}), formats }];
  const floorOf = (bid: Partial<Bid>, offer: Partial<Offer> = { formats, lineItems }): string =>
    refusal({ price: 0.1, ...bid }, { imp, offer })[1];
  assert.equal(floorOf({}), 'price 0.1 is below the floor of 0.2');
  assert.equal(floorOf({ adm: '<VAST version="2.0"/>' }), 'price 0.1 is below the floor of 0.5');
  assert.equal(
    floorOf({ adm: '', nurl: 'https://b.example/win' }),
    'price 0.1 is below the floor of 0.5',
  );
  // What was not offered to this partner raises nothing.
  const banner = { formats: FORMAT_BANNER, lineItems: [match({})] };
  assert.equal(floorOf({ adm: '' }, banner), 'price 0.1 is below the floor of 0.2');
  assert.equal(
    candidate({ price: 0.3 }, { imp, offer: { formats, lineItems } }).floorMicros,
    200_000,
  );
});

test('a seat outside the matched line items has reason 104, unless one of them binds no seat', () => {
  assert.equal(refusal({}, { seat: 'stranger' })[0], LossReason.SeatBlocked);
  const lineItems = [match({}), match({ id: 502, seat: null })];
  assert.equal(candidate({}, { seat: 'stranger', offer: { lineItems } }).lineItemId, 502);
});

test('a bid without a seat belongs to the matched line item with the lowest id', () => {
  const lineItems = [match({ id: 7 }), match({ id: 8, seat: 'seat-2' })];
  const submitted = { bid: aBid(), demandPartnerId: 1, seat: undefined, group: null };
  const verdict = validateBid(submitted, new Map([['1', anOffer({ lineItems })]]), true);
  assert.ok(verdict.ok);
  assert.equal(verdict.candidate.lineItemId, 7);
});

test('in a private auction a bid must name a deal of its seat', () => {
  const deals = [aDeal({ floorMicros: 1_000_000, advertisers: ['acme.example'] })];
  assert.equal(refusal({}, { offer: { deals } })[0], LossReason.InvalidDealId);
  assert.equal(refusal({ dealid: 'other' }, { offer: { deals } })[0], LossReason.InvalidDealId);
  assert.equal(
    refusal({ dealid: 'deal-1', price: 0.9 }, { offer: { deals } })[0],
    LossReason.BelowDealFloor,
  );
  const strange = { dealid: 'deal-1', adomain: ['other.example'] };
  assert.equal(refusal(strange, { offer: { deals } })[0], LossReason.NotAllowedInDeal);
  const found = candidate(
    { dealid: 'deal-1', adomain: ['shop.acme.example'] },
    { offer: { deals } },
  );
  assert.equal(found.deal?.id, 'deal-1');
});

test('only a bid that failed at its floor says what the floor was', () => {
  const deals = [aDeal({ floorMicros: 1_000_000, advertisers: ['acme.example'] })];
  const floorOf = (bid: Partial<Bid>): number | null => {
    const submitted = { bid: aBid(bid), demandPartnerId: 1, seat: 'seat-1', group: null };
    const verdict = validateBid(submitted, new Map([['1', anOffer({ deals })]]), true);
    return verdict.ok ? null : verdict.refusal.floorMicros;
  };
  assert.equal(floorOf({ dealid: 'deal-1', price: 0.9 }), 1_000_000);
  // No price would have won for an advertiser that the deal is not for.
  assert.equal(floorOf({ dealid: 'deal-1', price: 2, adomain: ['other.example'] }), 0);
  assert.equal(floorOf({ price: 2 }), 0);
});

test('a deal that nobody offered has reason 4', () => {
  assert.deepEqual(refusal({ dealid: 'x' }), [4, 'dealid x; deals offered: none']);
});

test("a deal's explicit floor of zero replaces the other floors", () => {
  const deals = [aDeal({ floorMicros: 0 })];
  const found = candidate(
    { dealid: 'deal-1', price: 0.05 },
    { imp: { floorMicros: 2_000_000 }, offer: { deals } },
  );
  assert.equal(found.floorMicros, 0);
});

test('without markup it has reason 7', () => {
  const submitted = {
    bid: { id: 'b', impid: '1', price: 1 },
    demandPartnerId: 1,
    seat: 'seat-1',
    group: null,
  };
  const verdict = validateBid(submitted, new Map([['1', anOffer()]]), true);
  assert.ok(!verdict.ok);
  assert.equal(verdict.refusal.reason, LossReason.MissingMarkup);
  assert.equal(refusal({ adm: '  \n' })[0], LossReason.MissingMarkup);
});

test('markup of a format that was not offered has reason 204', () => {
  const vast = '<?xml version="1.0"?>\n<VAST version="2.0"><Ad></Ad></VAST>';
  assert.deepEqual(refusal({ adm: vast }), [204, 'adm is video; offered: banner']);
  assert.equal(refusal({ adm: '{"native":{}}' })[0], LossReason.IncorrectFormat);
  const video = [{ lineItem: aLineItem(), formats: FORMAT_VIDEO, requiresLocation: false }];
  const offer = { formats: FORMAT_VIDEO, lineItems: video };
  assert.equal(candidate({ adm: vast }, { offer }).format, FORMAT_VIDEO);
  const native = [{ lineItem: aLineItem(), formats: FORMAT_NATIVE, requiresLocation: false }];
  const nativeOffer = { formats: FORMAT_NATIVE, lineItems: native };
  const ad = '{"link":{"url":"https://shop.example/"},"assets":[]}';
  for (const adm of [` ${ad}`, `{"native":${ad}}`]) {
    assert.equal(candidate({ adm }, { offer: nativeOffer }).format, FORMAT_NATIVE);
  }
  for (const adm of ['{"assets":[]}', '{ not JSON', `{"native":[${ad}]}`]) {
    const [reason, detail] = refusal({ adm }, { offer: nativeOffer });
    assert.equal(reason, LossReason.IncorrectFormat);
    assert.match(detail, /^adm is no native ad: /);
  }
});

test('a size that the impression does not allow has reason 203', () => {
  assert.deepEqual(refusal({ w: 320, h: 50 }), [203, 'size 320x50; allowed: 300x250']);
  assert.ok(judge({ w: 300, h: 250 }).ok);
  const interstitial = { interstitial: true, bannerSizes: [{ w: 320, h: 480 }] };
  assert.ok(judge({ w: 300, h: 250 }, { imp: interstitial }).ok);
  assert.equal(refusal({ w: 320, h: 481 }, { imp: interstitial })[0], LossReason.SizeNotAllowed);
});

test('blocked advertisers, categories, attributes and apps have their reasons', () => {
  const imp = {
    blocking: {
      advertisers: ['blocked.example'],
      categories: ['IAB25'],
      attributes: [8],
      apps: ['com.blocked'],
    },
  };
  const reasonOf = (bid: Partial<Bid>): number => refusal(bid, { imp })[0];
  assert.equal(reasonOf({}), LossReason.AdvertiserBlocked, 'no adomain where some are blocked');
  assert.equal(reasonOf({ adomain: ['www.Blocked.example'] }), LossReason.AdvertiserBlocked);
  assert.equal(reasonOf({ adomain: ['shop.blocked.example'] }), LossReason.AdvertiserBlocked);
  const adomain = ['notblocked.example'];
  for (const blocked of [
    'https://www.blocked.example/x',
    'fine.example,blocked.example',
    'blocked.example.:443',
  ]) {
    assert.equal(reasonOf({ adomain: [...adomain, blocked] }), LossReason.AdvertiserBlocked);
  }
  assert.equal(reasonOf({ adomain: [' '] }), LossReason.AdvertiserBlocked, 'a blank names nobody');
  assert.equal(reasonOf({ adomain, cat: ['IAB2', ' iab25-3 '] }), LossReason.CategoryBlocked);
  assert.equal(reasonOf({ adomain, cat: ['IAB25-3'] }), LossReason.CategoryBlocked);
  assert.equal(reasonOf({ adomain, attr: [1, 8] }), LossReason.AttributeBlocked);
  assert.equal(reasonOf({ adomain, bundle: 'com.blocked' }), LossReason.AppBlocked);
  assert.ok(judge({ adomain, cat: ['IAB2'], attr: [1], bundle: 'com.fine' }, { imp }).ok);
});

test('a malformed advertiser domain has reason 6, whether any is blocked or not', () => {
  const adomain = ['acme.example', 'not a domain'];
  assert.deepEqual(refusal({ adomain }), [6, 'adomain not is no domain']);
  const deals = [aDeal({ advertisers: ['acme.example'] })];
  assert.equal(refusal({ adomain, dealid: 'deal-1' }, { offer: { deals } })[0], 6);
  const many = Array.from({ length: 1_001 }, (_, index) => `shop${index}.example`).join();
  assert.equal(
    refusal({ adomain: [many, 'a.example,b.example'] })[0],
    6,
    'more than a list may have',
  );
  candidate({ adomain: ['', 'https://acme.example'] });
});

test('markup that loads over plain HTTP has reason 207 where the impression is secure', () => {
  const adm = '<img src="http://cdn.example/a.png">';
  assert.equal(refusal({ adm }, { imp: { secure: true } })[0], LossReason.NotSecure);
  assert.ok(judge({ adm }, { imp: { secure: false, blocking: NO_BLOCKING } }).ok);
});

test('of two line items with one seat the bid belongs to the one that takes its format', () => {
  const video = { ...match({ id: 502, floorMicros: 700_000 }), formats: FORMAT_VIDEO };
  const offer = { lineItems: [match({ id: 501 }), video], formats: FORMAT_BANNER | FORMAT_VIDEO };
  const vast = { adm: '<VAST version="2.0"><Ad></Ad></VAST>' };
  assert.equal(candidate(vast, { offer }).lineItemId, 502);
  assert.equal(candidate(vast, { offer }).floorMicros, 700_000);
  assert.equal(candidate({}, { offer }).lineItemId, 501);
});

test('a VAST document may begin with comments, and hostile ones cost no more than their length', () => {
  const offer = {
    lineItems: [{ ...match({}), formats: FORMAT_VIDEO }],
    formats: FORMAT_BANNER | FORMAT_VIDEO,
  };
  const prologue = '<?xml version="1.0"?>\n<!-- one -->\n<!-- two -->\n';
  assert.equal(candidate({ adm: `${prologue}<VAST><Ad/></VAST>` }, { offer }).format, FORMAT_VIDEO);
  const cpuMs = cpuTimer();
  assert.equal(refusal({ adm: '<!---->'.repeat(10_000) }, { offer })[0], 204);
  assert.ok(cpuMs() < 100);
});

test('a bid with a thousand advertisers and categories is held against ten thousand at once', () => {
  const names = (count: number, word: string): string[] =>
    Array.from({ length: count }, (_, index) => `${word}${index}.example`);
  const blocking = {
    ...NO_BLOCKING,
    advertisers: names(10_000, 'blocked'),
    categories: names(10_000, 'IAB'),
  };
  const bid = { adomain: names(1_000, 'shop'), cat: names(1_000, 'shop') };
  const cpuMs = cpuTimer();
  candidate(bid, { imp: { blocking } });
  assert.ok(cpuMs() < 200);
});

test('a bid with thousands of advertisers is held against a deal for a hundred at once', () => {
  const advertisers = Array.from({ length: 100 }, (_, index) => `brand${index}.example`);
  const offer = { deals: [aDeal({ advertisers, floorMicros: 0 })] };
  const adomain = Array.from({ length: 10_000 }, (_, index) => `shop${index}.brand99.example`);
  const cpuMs = cpuTimer();
  candidate({ dealid: 'deal-1', adomain }, { offer });
  // One by one it was half a second.
  assert.ok(cpuMs() < 100);
});

test('VAST of a version that the player does not take has reason 204; one without a version is left to it', () => {
  const lineItems = [{ ...match({}), formats: FORMAT_VIDEO }];
  const setting = (protocols: readonly number[]) => ({
    offer: { lineItems, formats: FORMAT_VIDEO },
    imp: { protocols },
  });
  const wrapper = '<VAST version="2.0"><Ad><Wrapper></Wrapper></Ad></VAST>';
  const detail = 'adm is VAST 3.0, protocol 3 of list 5.8; allowed: 2, 5';
  const modern = { adm: '<VAST version="3.0"><Ad/></VAST>' };
  assert.deepEqual(refusal(modern, setting([2, 5])), [204, detail]);
  assert.match(
    refusal({ adm: '<VAST version="4.1"><Ad/></VAST>' }, setting([2, 5]))[1],
    /VAST 4\.1, no/,
  );
  for (const adm of [modern.adm, wrapper, '<VAST><Ad/></VAST>']) {
    assert.equal(candidate({ adm }, setting([2, 5, 3, 6])).format, FORMAT_VIDEO);
  }
});

test('a native ad that lacks a required asset, or has another in its place, has reason 204', () => {
  const lineItems = [{ ...match({}), formats: FORMAT_NATIVE }];
  const native = {
    assets: [
      { id: 1, required: 1, title: { len: 90 } },
      { id: 2, required: 1, img: { type: 3, w: 1, h: 1 } },
    ],
  };
  const setting = { offer: { lineItems, formats: FORMAT_NATIVE }, imp: { native } };
  const ad = (...assets: object[]) => ({
    adm: JSON.stringify({ link: { url: 'https://shop.example/' }, assets }),
  });
  const title = { id: 1, title: { text: 'Buy' } };
  const image = { id: 2, img: { url: 'https://cdn.example/a.png' } };
  assert.equal(candidate(ad(title, image), setting).format, FORMAT_NATIVE);
  assert.match(refusal(ad(title), setting)[1], /Found no asset 2; the request requires it as img/);
  assert.equal(refusal(ad(image, { ...title, id: 2 }), setting)[0], LossReason.IncorrectFormat);
  const long = { id: 1, title: { text: 'x'.repeat(91) } };
  assert.equal(refusal(ad(long, image), setting)[0], LossReason.IncorrectFormat);
  assert.equal(refusal(ad(title, image, title), setting)[0], LossReason.IncorrectFormat);
  const large = { id: 2, img: { ...image.img, w: 2, h: 1 } };
  assert.equal(refusal(ad(title, large), setting)[0], LossReason.SizeNotAllowed);
});

test('a creative in a language that is not allowed has reason 208; one without words is in every language', () => {
  const setting = { imp: { languages: ['en', 'fr'] } };
  assert.deepEqual(refusal({ language: 'de' }, setting), [208, 'language de; allowed: en, fr']);
  for (const language of ['en', 'EN', 'fr-CA', 'xx']) candidate({ language }, setting);
  for (const language of ['', '  ']) candidate({ language }, setting);
  candidate({}, setting);
  candidate({ language: 'de' });
});
