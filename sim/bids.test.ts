import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BidRequest, Imp } from '../src/openrtb/bid-request.ts';
import type { Bid, BidResponse } from '../src/openrtb/bid-response.ts';
import { decideBids } from './bids.ts';
import { DEFAULT_PROFILE, type BidderProfile } from './profile.ts';
import { createRandom } from './random.ts';

const BANNER: Imp = { id: '1', banner: { w: 320, h: 50 }, bidfloor: 0.5 };
const VIDEO: Imp = {
  id: '1',
  video: {
    mimes: ['video/mp4'],
    minduration: 5,
    maxduration: 30,
    protocols: [2, 3],
    w: 640,
    h: 360,
  },
};

const request = (fields: Partial<BidRequest> = {}): BidRequest => ({
  id: 'r',
  imp: [BANNER],
  ...fields,
});

function decide(
  bidRequest: BidRequest,
  profile: Partial<BidderProfile> = {},
  sequence = 1,
): BidResponse | undefined {
  return decideBids(bidRequest, {
    profile: { ...DEFAULT_PROFILE, ...profile },
    random: createRandom(`test/${sequence}`),
    sequence,
    origin: 'http://127.0.0.1:1',
    eager: false,
  });
}

function onlyBid(response: BidResponse | undefined): Bid {
  const [bid, ...others] = response?.seatbid?.flatMap((seat) => seat.bid) ?? [];
  assert.ok(bid, 'there must be a bid');
  assert.deepEqual(others, []);
  return bid;
}

test('a bid answers its request and impression, with notices that lead back to the bidder', () => {
  const response = decide(request());
  assert.equal(response?.id, 'r');
  assert.equal(response?.seatbid?.[0]?.seat, 'seat-1');
  const bid = onlyBid(response);
  assert.equal(bid.impid, '1');
  assert.deepEqual([bid.w, bid.h], [320, 50]);
  assert.match(bid.nurl ?? '', /^http:\/\/127\.0\.0\.1:1\/notice\/win\?.*\$\{AUCTION_PRICE\}/);
  assert.match(bid.burl ?? '', /^http:\/\/127\.0\.0\.1:1\/notice\/billing\?.*\$\{AUCTION_PRICE\}/);
  assert.match(bid.lurl ?? '', /^http:\/\/127\.0\.0\.1:1\/notice\/loss\?.*\$\{AUCTION_LOSS\}/);
  assert.match(bid.adm ?? '', /\$\{CLICK_URL\}/);
  assert.match(bid.adm ?? '', /\$\{AUCTION_PRICE\}/);
  assert.ok(bid.adomain && bid.crid && bid.cid && bid.cat);
});

test('the same request of the same stream is answered alike', () => {
  assert.deepEqual(decide(request()), decide(request()));
  assert.notDeepEqual(onlyBid(decide(request())).price, onlyBid(decide(request(), {}, 2)).price);
});

test('a bid stays above the floor unless the bidder misses it on purpose', () => {
  for (let sequence = 1; sequence <= 300; sequence += 1) {
    const sound = decide(request(), { price: { medianUsd: 0.5, spread: 1 } }, sequence);
    for (const { bid } of sound?.seatbid ?? [])
      for (const { price } of bid) assert.ok(price >= 0.5);
    const low = onlyBid(decide(request(), { belowFloorRate: 1 }, sequence));
    assert.ok(low.price > 0 && low.price < 0.5, String(low.price));
  }
});

test('an impression that is not worth its floor by far is left alone', () => {
  const imp = [{ ...BANNER, bidfloor: 50 }];
  assert.equal(decide(request({ imp }), { price: { medianUsd: 1, spread: 0 } }), undefined);
});

test('the bid rate decides how many impressions are bid on', () => {
  let bids = 0;
  for (let sequence = 1; sequence <= 1000; sequence += 1) {
    if (decide(request(), { bidRate: 0.3 }, sequence)) bids += 1;
  }
  assert.ok(Math.abs(bids - 300) < 75, String(bids));
});

test('a bidder keeps to its formats and countries', () => {
  assert.equal(decide(request(), { formats: ['video'] }), undefined);
  const inFrance = request({ device: { geo: { country: 'FRA' } } });
  assert.equal(decide(inFrance, { countries: ['USA'] }), undefined);
  assert.ok(decide(inFrance, { countries: ['USA', 'FRA'] }));
  assert.equal(decide(request(), { countries: ['USA'] }), undefined);
});

test('the seat is one that the request allows', () => {
  const profile = { seats: ['a', 'b'] };
  assert.equal(decide(request({ wseat: ['b'] }), profile)?.seatbid?.[0]?.seat, 'b');
  assert.equal(decide(request({ bseat: ['b'] }), profile)?.seatbid?.[0]?.seat, 'a');
  assert.equal(decide(request({ wseat: ['c'] }), profile), undefined);
  const seatless = decide(request(), { seats: [] });
  assert.ok(seatless?.seatbid?.[0] && !('seat' in seatless.seatbid[0]));
});

test('blocked advertisers and categories are not offered', () => {
  const profile = { adomains: ['a.example', 'b.example'], categories: ['IAB1', 'IAB2'] };
  for (let sequence = 1; sequence <= 20; sequence += 1) {
    const byDomain = onlyBid(decide(request({ badv: ['a.example'] }), profile, sequence));
    assert.deepEqual(byDomain.adomain, ['b.example']);
    const byCategory = onlyBid(decide(request({ bcat: ['IAB2'] }), profile, sequence));
    assert.deepEqual([byCategory.adomain, byCategory.cat], [['a.example'], ['IAB1']]);
  }
  assert.equal(decide(request({ badv: profile.adomains }), profile), undefined);
});

test('a fixed-price deal for the seat is answered with its id and its price', () => {
  const deals = [{ id: 'deal-1', bidfloor: 3, at: 3, wseat: ['seat-1'] }];
  const imp = [{ ...BANNER, pmp: { private_auction: 1, deals } }];
  const bid = onlyBid(decide(request({ imp })));
  assert.deepEqual([bid.dealid, bid.price], ['deal-1', 3]);
  assert.equal(decide(request({ imp }), { answersDeals: false }), undefined);
  assert.equal(decide(request({ imp }), { seats: ['other'] }), undefined);
});

test('a deal for certain advertisers is answered with one of them or passed by', () => {
  const imp = [{ ...BANNER, pmp: { deals: [{ id: 'd', wadomain: ['travel.example'] }] } }];
  assert.deepEqual(onlyBid(decide(request({ imp }))).adomain, ['travel.example']);
  assert.equal(decide(request({ imp }), { adomains: ['x.example'] }), undefined);
});

test('an open auction beside deals is bid on without a deal', () => {
  const pmp = { private_auction: 0, deals: [{ id: 'd', wseat: ['other'] }] };
  const bid = onlyBid(decide(request({ imp: [{ ...BANNER, pmp }] })));
  assert.equal('dealid' in bid, false);
});

test('a banner has one of the sizes on offer, and none is made up', () => {
  const format = [
    { w: 300, h: 250 },
    { w: 728, h: 90 },
  ];
  const seen = new Set<string>();
  for (let sequence = 1; sequence <= 50; sequence += 1) {
    const { w, h } = onlyBid(
      decide(request({ imp: [{ id: '1', banner: { format } }] }), {}, sequence),
    );
    seen.add(`${w}x${h}`);
  }
  assert.deepEqual(seen, new Set(['300x250', '728x90']));
  assert.equal(decide(request({ imp: [{ id: '1', banner: {} }] })), undefined);
});

test('a secure impression gets markup that loads nothing over http', () => {
  for (const media of [BANNER, VIDEO]) {
    const { adm = '' } = onlyBid(decide(request({ imp: [{ ...media, secure: 1 }] })));
    assert.doesNotMatch(adm, /http:/);
  }
  const { adm = '' } = onlyBid(decide(request()));
  assert.match(adm, /http:\/\/127\.0\.0\.1:1\/notice\/impression/);
});

test('a video gets VAST in a version and length that the player takes', () => {
  const modern = onlyBid(decide(request({ imp: [VIDEO] })));
  assert.match(modern.adm ?? '', /<VAST version="3\.0">.*<\/VAST>$/);
  assert.deepEqual([modern.protocol, modern.w, modern.h], [3, 640, 360]);
  const { video } = VIDEO;
  assert.ok(video);
  const short = { ...video, protocols: [2], minduration: 5, maxduration: 5 };
  const old = onlyBid(decide(request({ imp: [{ id: '1', video: short }] })));
  assert.match(old.adm ?? '', /<VAST version="2\.0">.*<Duration>00:00:05<\/Duration>/);
  const overlay = { ...video, linearity: 2 };
  assert.equal(decide(request({ imp: [{ id: '1', video: overlay }] })), undefined);
});

test('a spot that can be skipped says so in the bid', () => {
  const { video } = VIDEO;
  assert.ok(video);
  const bid = onlyBid(decide(request({ imp: [{ id: '1', video: { ...video, skip: 1 } }] })));
  assert.match(bid.adm ?? '', /<Linear skipoffset="00:00:05">/);
  assert.deepEqual(bid.attr, [16]);
});

test('a native answer gives every asset under its own id and within its length', () => {
  const assets = [
    { id: 11, required: 1, title: { len: 10 } },
    { id: 12, required: 1, img: { type: 1, w: 80, h: 80 } },
    { id: 13, required: 1, image: { type: 3, wmin: 1200, hmin: 627 } },
    { id: 14, required: 1, data: { type: 12, len: 15 } },
  ];
  for (const payload of [{ assets }, { native: { assets } }]) {
    const native = { request: JSON.stringify(payload) };
    const { adm = '' } = onlyBid(decide(request({ imp: [{ id: '1', native }] })));
    const answer: unknown = JSON.parse(adm);
    assert.partialDeepStrictEqual(answer, {
      native: {
        ver: '1.1',
        assets: [
          { id: 11, title: { text: 'The best o' } },
          { id: 12, img: { w: 80, h: 80 } },
          { id: 13, img: { w: 1200, h: 627 } },
          { id: 14, data: { value: 'Shop now' } },
        ],
        link: { clicktrackers: ['${CLICK_URL}'] },
      },
    });
  }
});

test('a native request that cannot be read or answered gets no bid', () => {
  for (const payload of ['', '{', '{"assets":[]}', '{"assets":[{"id":1,"video":{}}]}']) {
    const native = { request: payload };
    assert.equal(decide(request({ imp: [{ id: '1', native }] })), undefined, payload);
  }
});

test('every impression is decided by itself, so that another one beside it changes nothing', () => {
  const alone = onlyBid(decide(request()));
  const both = decide(request({ imp: [BANNER, { ...VIDEO, id: '2' }] }));
  const bids = both?.seatbid?.flatMap(({ bid }) => bid) ?? [];
  assert.equal(bids.length, 2);
  assert.deepEqual(bids[0], alone);
});
