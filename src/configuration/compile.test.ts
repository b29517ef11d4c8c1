import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Entity } from '../snapshot/entities.ts';
import { decodeSnapshot, encodeSnapshot } from '../snapshot/wire.ts';
import { compileSnapshot } from './compile.ts';
import {
  applyQuickly,
  openStore,
  openTestStore,
  problemsOf,
  readExample,
} from '../../test/support/configuration-store.ts';
import { readVersion } from './version.ts';

const NOTHING_BLOCKED = { categories: [], advertisers: [], apps: [], attributes: [] };

test('an empty store compiles to an exchange with its default settings', async (t) => {
  const { db } = await openTestStore(t);
  const { version, entities } = await compileSnapshot(db);
  assert.equal(version.seq, 0);
  assert.deepEqual(entities, [
    {
      kind: 'exchange',
      name: 'Rialto',
      blocking: NOTHING_BLOCKED,
      allowPrivateAddresses: [],
      tmaxDefaultMs: 300,
      tmaxMaxMs: 1_000,
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
    },
  ]);
});

test('the example goes through the store to an exchange process without loss', async (t) => {
  const { db } = await openTestStore(t);
  assert.deepEqual(await problemsOf(db, await readExample()), []);
  const { version, entities } = await compileSnapshot(db);
  const snapshot = await decodeSnapshot(encodeSnapshot(version, entities));
  assert.deepEqual(snapshot.version, await readVersion(db));
  assert.deepEqual(snapshot.exchange.blocking.categories, ['IAB25', 'IAB26']);
  assert.deepEqual(snapshot.exchange.allowPrivateAddresses, ['127.0.0.0/8']);
  assert.deepEqual(snapshot.demandPartners.get(1001)?.bidder, {
    endpoint: 'http://127.0.0.1:9101/bid',
    openrtbVersion: '2.5',
    timeoutMs: 200,
    maxQps: 5_000,
    maxConcurrency: null,
    sendBidfloor: true,
    gzip: false,
    gvlId: 9_001,
    mimes: null,
    sendViewability: false,
    nativeInExt: false,
    interstitialImps: 'one',
    syncUrl: null,
    syncType: 'image',
    headers: null,
  });
  assert.equal(snapshot.demandPartners.get(1002)?.bidder?.openrtbVersion, '2.2');
  assert.deepEqual(snapshot.lineItems.get(1002), [
    {
      kind: 'lineItem',
      id: 502,
      demandPartnerId: 1002,
      name: 'Bolt US banners',
      status: 'ACTIVE',
      seat: 'bolt-1',
      floorMicros: 100_000,
      capping: { maxQps: 2_000, maxDailyImpressions: null, maxDailySpendMicros: null },
      targeting: {
        geo: {
          is_geo_data_required: false,
          countries: { identifiers: [{ code: 'US' }], is_whitelist: true },
        },
        ad_formats: { identifiers: [{ code: 'banner' }], is_whitelist: true },
      },
    },
  ]);
  assert.deepEqual(snapshot.publishers.get(2001), {
    kind: 'publisher',
    id: 2001,
    name: 'Daily Planet',
    status: 'ACTIVE',
    revenueShareBps: 8_000,
    priceBasis: 'net',
    confirmsWins: false,
    seatNonBids: 'none',
    creativeReview: 'none',
    sellerId: null,
    aliases: [],
    sellerType: 'PUBLISHER',
    invalidTraffic: null,
    domain: null,
    categories: [],
    hidesNames: false,
    floors: [],
    blocking: {
      ...NOTHING_BLOCKED,
      advertisers: ['blocked-advertiser.example'],
      apps: ['com.blocked.app'],
    },
  });
  assert.equal(snapshot.properties.get(3001)?.bundle, 'com.planet.reader');
  assert.equal(snapshot.properties.get(3002)?.domain, 'planet.example');
  assert.deepEqual(snapshot.adSpaces.get('4001')?.banner, { sizes: [{ w: 320, h: 50 }], api: [] });
  assert.equal(snapshot.adSpaces.get('4002')?.rewarded, true);
  assert.deepEqual(snapshot.adSpaces.get('4003')?.native, {
    title: 90,
    icon: { w: 80, h: 80, isMinimum: false, mimes: [] },
    image: { w: 1200, h: 627, isMinimum: false, mimes: [] },
    description: 140,
    cta: 15,
    rating: false,
    context: null,
    contextsubtype: null,
  });
  assert.equal(snapshot.adSpaces.get('4005')?.auctionType, 'first_price');
  assert.deepEqual(snapshot.deals.get(4004), [
    {
      kind: 'deal',
      id: 'planet-acme-1',
      name: 'Planet first look',
      status: 'ACTIVE',
      adSpaceIds: [4004],
      seats: ['acme-1'],
      type: 'fixed_price',
      floorMicros: 3_000_000,
      advertisers: [],
    },
  ]);
});

/** A file that sets everything, and the entities that it makes. */
const BLOCKS =
  'blocked_categories: [IAB7-39], blocked_advertisers: [Ads.Example], blocked_apps: ["123"], blocked_attributes: [1, 17]';
const BLOCKED = {
  categories: ['IAB7-39'],
  advertisers: ['ads.example'],
  apps: ['123'],
  attributes: [1, 17],
};
const NATIVE_AD = JSON.stringify({
  native: {
    ver: '1.1',
    link: { url: 'https://house.example' },
    assets: [
      { id: 2, img: { url: 'https://house.example/i.png', w: 50, h: 50 } },
      { id: 3, img: { url: 'https://house.example/m.png', w: 1200, h: 627 } },
      { id: 5, data: { value: 'Read' } },
      { id: 6, data: { value: '5' } },
    ],
  },
});
const EVERY_SETTING = `
exchange: { name: All, ${BLOCKS}, allow_private_addresses: [fd00::/8], tmax_default_ms: 250, tmax_max_ms: 2000, trace_share: 0.07, trace_bodies_share: 0.03, domain: Exchange.Example, payment_id: pay-1, gvl_id: 8, tag_id: 0f1e2d, contact_email: sellers@exchange.example, contact_address: 1 High Street, invalid_traffic: mark, loss_notice_price: false, creative_review: required, required_bid_fields: [crid, adomain], adomains_max: 1 }
demand_partners:
  - id: 1
    name: Partner
    status: PAUSED
    bidder: { endpoint: "https://bid.example/rtb?x=1", openrtb_version: "2.2", timeout_ms: 90, max_qps: 10, max_concurrency: 20, send_bidfloor: true, gzip: true, gvl_id: 7, mimes: [image/png, video/mp4], send_viewability: true, native_in_ext: true, interstitial_imps: pair, sync_url: "https://match.example/s?r=\${REDIRECT}", sync_type: iframe, headers: { x-api-key: key 1, X-Account: "7" } }
    line_items:
      - id: 11
        name: Line
        description: Free text
        status: PAUSED
        seat: s-1
        floor: 1.234567
        capping: { max_qps: 5, max_daily_impressions: 6, max_daily_spend: 7.5 }
        targeting: { secure: true, sizes: { identifiers: [{ code: 320x50 }], is_whitelist: false } }
publishers:
  - id: 2
    name: Publisher
    status: PAUSED
    revenue_share: 0.0707
    price_basis: gross
    confirms_wins: true
    seat_non_bids: seats
    creative_review: required
    seller_id: seller-1
    aliases: [account-7]
    seller_type: BOTH
    invalid_traffic: refuse
    domain: Publisher.Example
    categories: [IAB2]
    hide_names: true
    floors: [{ floor: 0.25 }, { countries: [US, DE], formats: [video], floor: 3.5 }]
    ${BLOCKS.replaceAll(', blocked', '\n    blocked')}
    apps:
      - { id: 21, name: App, status: PAUSED, bundle: "123456789", platform: iOS, domain: Maker.Example, storeurl: "https://apps.apple.com/app/id123456789", categories: [IAB1], languages: [en, fr], floors: [{ formats: [banner, native], floor: 0 }], ${BLOCKS} }
    sites:
      - id: 22
        name: Site
        domain: site.example
        ad_spaces:
          - id: 31
            name: Space
            status: PAUSED
            banner: { sizes: [300x250, 320x50], api: [3, 5] }
            video: { w: 1, h: 2, minduration: 3, maxduration: 4, minbitrate: 5, maxbitrate: 6, linearity: 2, startdelay: -1, placement: 5, skip: 1, skipmin: 7, skipafter: 8, maxextended: -1, boxingallowed: 0, playbackmethod: [1, 2], playbackend: 1, delivery: [2], api: [2, 7], companionad: [300x250], companiontype: [1, 3], vcm: 1, outstream: true }
            native: { icon_min: 50x50, image: 1200x627, image_mimes: [image/png], cta: 9, rating: true, context: 1, contextsubtype: 11 }
            floor: 0.1
            auction: first_price
            interstitial: true
            rewarded: true
            pos: 7
            viewability: 0.6543
            exp: 60
            iframebusters: [buster]
            floors: [{ countries: [FR], floor: 0.000001 }]
            refresh: { min_seconds: 30, max_per_page: 4 }
            backfill:
              banner: |
                <p>House ad</p>
                <img src="https://house.example/a.png">
              video: https://house.example/vast?id=1
              native: '${NATIVE_AD}'
            ${BLOCKS.replaceAll(', blocked', '\n            blocked')}
deals:
  - { id: d-1, name: Deal, status: PAUSED, ad_spaces: [31, 31], seats: [s-1], type: second_price, floor: 0, advertisers: [Acme.Example] }
`;
const EVERY_ENTITY: readonly Entity[] = [
  {
    kind: 'exchange',
    name: 'All',
    blocking: BLOCKED,
    allowPrivateAddresses: ['fd00::/8'],
    tmaxDefaultMs: 250,
    tmaxMaxMs: 2_000,
    traceShareBps: 700,
    traceBodiesBps: 300,
    lossNoticePrice: false,
    creativeReview: 'required',
    bidRequirements: { fields: ['crid', 'adomain'], adomainsMax: 1 },
    domain: 'exchange.example',
    paymentId: 'pay-1',
    tagId: '0f1e2d',
    contactEmail: 'sellers@exchange.example',
    contactAddress: '1 High Street',
    invalidTraffic: 'mark',
    gvlId: 8,
  },
  {
    kind: 'demandPartner',
    id: 1,
    name: 'Partner',
    status: 'PAUSED',
    stopped: false,
    bidder: {
      endpoint: 'https://bid.example/rtb?x=1',
      openrtbVersion: '2.2',
      timeoutMs: 90,
      maxQps: 10,
      maxConcurrency: 20,
      sendBidfloor: true,
      gzip: true,
      gvlId: 7,
      mimes: ['image/png', 'video/mp4'],
      sendViewability: true,
      nativeInExt: true,
      interstitialImps: 'pair',
      syncUrl: 'https://match.example/s?r=${REDIRECT}',
      syncType: 'iframe',
      headers: { 'X-Account': '7', 'x-api-key': 'key 1' },
    },
  },
  {
    kind: 'lineItem',
    id: 11,
    demandPartnerId: 1,
    name: 'Line',
    status: 'PAUSED',
    seat: 's-1',
    floorMicros: 1_234_567,
    capping: { maxQps: 5, maxDailyImpressions: 6, maxDailySpendMicros: 7_500_000 },
    targeting: {
      secure: true,
      sizes: { identifiers: [{ code: '320x50' }], is_whitelist: false },
    },
  },
  {
    kind: 'deal',
    id: 'd-1',
    name: 'Deal',
    status: 'PAUSED',
    adSpaceIds: [31],
    seats: ['s-1'],
    type: 'second_price',
    floorMicros: 0,
    advertisers: ['acme.example'],
  },
  {
    kind: 'publisher',
    id: 2,
    name: 'Publisher',
    status: 'PAUSED',
    revenueShareBps: 707,
    priceBasis: 'gross',
    confirmsWins: true,
    seatNonBids: 'seats',
    creativeReview: 'required',
    sellerId: 'seller-1',
    aliases: ['account-7'],
    sellerType: 'BOTH',
    invalidTraffic: 'refuse',
    domain: 'publisher.example',
    categories: ['IAB2'],
    hidesNames: true,
    floors: [
      { countries: [], formats: [], floorMicros: 250_000 },
      { countries: ['US', 'DE'], formats: ['video'], floorMicros: 3_500_000 },
    ],
    blocking: BLOCKED,
  },
  {
    kind: 'property',
    id: 21,
    publisherId: 2,
    type: 'app',
    name: 'App',
    status: 'PAUSED',
    bundle: '123456789',
    domain: 'maker.example',
    platform: 'iOS',
    storeurl: 'https://apps.apple.com/app/id123456789',
    categories: ['IAB1'],
    languages: ['en', 'fr'],
    floors: [{ countries: [], formats: ['banner', 'native'], floorMicros: 0 }],
    blocking: BLOCKED,
  },
  {
    kind: 'property',
    id: 22,
    publisherId: 2,
    type: 'site',
    name: 'Site',
    status: 'ACTIVE',
    bundle: null,
    domain: 'site.example',
    platform: null,
    storeurl: null,
    categories: [],
    languages: [],
    floors: [],
    blocking: NOTHING_BLOCKED,
  },
  {
    kind: 'adSpace',
    id: 31,
    propertyId: 22,
    name: 'Space',
    status: 'PAUSED',
    banner: {
      sizes: [
        { w: 300, h: 250 },
        { w: 320, h: 50 },
      ],
      api: [3, 5],
    },
    video: {
      w: 1,
      h: 2,
      minduration: 3,
      maxduration: 4,
      minbitrate: 5,
      maxbitrate: 6,
      linearity: 2,
      startdelay: -1,
      placement: 5,
      skip: 1,
      skipmin: 7,
      skipafter: 8,
      maxextended: -1,
      boxingallowed: 0,
      playbackmethod: [1, 2],
      playbackend: 1,
      delivery: [2],
      api: [2, 7],
      companionad: [{ w: 300, h: 250 }],
      companiontype: [1, 3],
      vcm: 1,
      outstream: true,
    },
    native: {
      title: null,
      icon: { w: 50, h: 50, isMinimum: true, mimes: ['image/png'] },
      image: { w: 1200, h: 627, isMinimum: false, mimes: ['image/png'] },
      description: null,
      cta: 9,
      rating: true,
      context: 1,
      contextsubtype: 11,
    },
    floorMicros: 100_000,
    auctionType: 'first_price',
    interstitial: true,
    rewarded: true,
    pos: 7,
    viewability: 0.6543,
    exp: 60,
    iframebusters: ['buster'],
    floors: [{ countries: ['FR'], formats: [], floorMicros: 1 }],
    refresh: { minSeconds: 30, maxPerPage: 4 },
    backfill: {
      banner: '<p>House ad</p>\n<img src="https://house.example/a.png">\n',
      video: 'https://house.example/vast?id=1',
      native: NATIVE_AD,
    },
    blocking: BLOCKED,
  },
];

test('every setting of every entity can be set by a file', async (t) => {
  const { db } = await openTestStore(t);
  assert.deepEqual(await problemsOf(db, EVERY_SETTING), []);
  assert.deepEqual((await compileSnapshot(db)).entities, EVERY_ENTITY);
  const again = await applyQuickly(db, EVERY_SETTING);
  assert.ok(again.ok && again.created + again.updated === 0);
});

test('what is archived is left out, and all that belongs to it', async (t) => {
  const { db } = await openTestStore(t);
  assert.deepEqual(await problemsOf(db, await readExample()), []);
  const archive = `demand_partners: [{ id: 1002, status: ARCHIVED }]
publishers: [{ id: 2001, apps: [{ id: 3001, status: ARCHIVED }], sites: [{ id: 3002, ad_spaces: [{ id: 4004, status: ARCHIVED }] }] }]
deals: [{ id: planet-acme-1, status: ARCHIVED }]`;
  assert.deepEqual(await problemsOf(db, archive), []);
  const { version, entities } = await compileSnapshot(db);
  assert.deepEqual(
    entities.map((entity) => ('id' in entity ? entity.id : entity.kind)),
    ['exchange', 1001, 501, 2001, 3002, 4005],
  );
  await decodeSnapshot(encodeSnapshot(version, entities));
  assert.deepEqual(await problemsOf(db, 'publishers: [{ id: 2001, status: ARCHIVED }]'), []);
  const without = await compileSnapshot(db);
  assert.deepEqual(
    without.entities.map(({ kind }) => kind),
    ['exchange', 'demandPartner', 'lineItem'],
  );
});

test('a change by another process shows in the version at once, and in nothing before', async (t) => {
  const { db, path } = await openTestStore(t);
  const other = await openStore(path);
  t.after(() => other.destroy());
  const before = await readVersion(db);
  assert.deepEqual(await problemsOf(other, await readExample()), []);
  const after = await readVersion(db);
  assert.deepEqual(after, { epoch: before.epoch, seq: before.seq + 1 });
  assert.equal((await compileSnapshot(db)).version.seq, after.seq);
});
