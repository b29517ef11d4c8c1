import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuctionRecord, BidRecord, CallRecord } from '../../src/events/auction-record.ts';
import type { BeaconRecord } from '../../src/events/beacon-record.ts';
import type { Delivery } from '../../src/events/delivery-record.ts';
import type { MoneyRecord } from '../../src/events/money-record.ts';
import { DemoFeed } from './feed.ts';

const CONFIGURATION = `
demand_partners: [{ id: 1001, name: Acme }, { id: 1002, name: Bolt }]
publishers:
  - id: 2001
    name: Planet
    apps: [{ ad_spaces: [{ id: 4001, name: Reader banner }] }]
  - id: 2002
    name: Pocket
    sites: [{ ad_spaces: [{ id: 4004, name: Front page }] }]
`;

function aCall(differs: Partial<CallRecord> = {}): CallRecord {
  return {
    demand_partner_id: 1001,
    imp: 0,
    lineitem_ids: [501],
    outcome: 'bid',
    reason: '',
    latency_us: 0,
    ...differs,
  };
}

function aBidRecord(differs: Partial<BidRecord> = {}): BidRecord {
  return {
    demand_partner_id: 1001,
    lineitem_id: 501,
    imp: 0,
    bid_id: 'b1',
    seat: '',
    dealid: '',
    crid: '',
    adomain: '',
    ad_format: 'banner',
    price_micros: 2_000_000,
    loss_reason: 0,
    in_auction: 1,
    clearing_micros: 1_500_000,
    payout_micros: 1_200_000,
    ...differs,
  };
}

function aRecord(differs: Partial<AuctionRecord> = {}): AuctionRecord {
  return {
    kind: 'auction',
    auction_id: 'a',
    node: '00112233445566ff',
    request_id: 'r',
    at_ms: Date.UTC(2026, 10, 20, 12, 34, 56),
    snapshot: 's.1',
    test: 0,
    fd: 0,
    publisher_id: 2001,
    property_id: 3001,
    app_bundle: '',
    app_site_domain: '',
    country_code: 'USA',
    platform_demand: '',
    platform_supply: '',
    os: '',
    categories: [],
    language: '',
    connectiontype: 0,
    has_location: 0,
    imps: [
      {
        zone_id: 4004,
        ad_format: 'banner',
        sizes: [],
        interstitial: 0,
        rewarded: 0,
        secure: 1,
        floor_micros: 0,
        filled: 1,
      },
    ],
    calls: [aCall()],
    bids: [],
    bids_dropped: 0,
    notices: [],
    ...differs,
  };
}

function aBeacon(differs: Partial<BeaconRecord> = {}): BeaconRecord {
  return {
    kind: 'impression',
    auction_id: '0'.repeat(32),
    imp: 0,
    expires_ms: 0,
    node: '00112233445566ff',
    at_ms: 0,
    test: 0,
    fd: 0,
    publisher_id: 2001,
    property_id: 3001,
    zone_id: 4004,
    demand_partner_id: 1001,
    lineitem_id: 501,
    dealid: '',
    ad_format: 'banner',
    interstitial: 0,
    rewarded: 0,
    app_bundle: '',
    app_site_domain: '',
    country_code: '',
    platform_demand: '',
    platform_supply: '',
    os: '',
    clearing_micros: 1_500_000,
    payout_micros: 1_200_000,
    notice_url: '',
    ...differs,
  };
}

function aDelivery(differs: Partial<Delivery> = {}): Delivery {
  return {
    event: 'billing',
    auction_id: '0'.repeat(32),
    imp: 0,
    demand_partner_id: 1001,
    lineitem_id: 501,
    due_ms: 0,
    outcome: 'delivered',
    status: 204,
    tries: 1,
    ...differs,
  };
}

function deliveriesOf(...deliveries: Delivery[]): MoneyRecord {
  return { kind: 'delivery', node: '00112233445566ff', at_ms: 0, deliveries };
}

/** The line of a feed that has seen nothing else. */
function describe(record: MoneyRecord): string {
  return new DemoFeed(CONFIGURATION).describe(record) ?? '';
}

test('a win is told with place, winner, bid and price, and the others with their reasons', () => {
  const line = describe(
    aRecord({
      calls: [aCall(), aCall({ outcome: 'throttled', reason: 'bidder_qps' })],
      bids: [aBidRecord(), aBidRecord({ demand_partner_id: 1002, loss_reason: 100 })],
    }),
  );
  assert.match(line, /^12:34:56 {2}Front page +banner {2}USA {2}Acme +bid {2}2\.00, pays {2}1\.50/);
  assert.match(line, /2 matched: 1 bid, 1 throttled \(bidder qps\); bids lost: 1 below floor$/);
});

test('an auction to which nobody was asked says so', () => {
  const line = describe(aRecord({ calls: [], country_code: '' }));
  assert.match(line, /–.*no winner.*nobody matched$/);
});

test('a winner that the publisher has still to take is marked', () => {
  assert.match(describe(aRecord({ fd: 1, bids: [aBidRecord()] })), /; the publisher decides$/);
  assert.doesNotMatch(describe(aRecord({ fd: 1 })), /decides/);
  assert.doesNotMatch(describe(aRecord({ bids: [aBidRecord()] })), /decides/);
});

test('the first of each beacon and the first billing notice get a line, the others are in the sum', () => {
  const feed = new DemoFeed(CONFIGURATION);
  const told = (record: MoneyRecord): string => feed.describe(record) ?? '';
  feed.describe(aRecord({ bids: [aBidRecord()] }));
  feed.describe(aRecord());
  assert.match(
    told(aBeacon()),
    /^★ {2}first impression: Acme is billed 0\.001500 USD, Planet gets 0\.001200$/,
  );
  assert.equal(feed.describe(aBeacon({ demand_partner_id: 1002 })), null);
  assert.match(told(aBeacon({ kind: 'win', fd: 1 })), /first win confirmed: Planet .* of Acme$/);
  assert.match(
    told(aBeacon({ kind: 'view' })),
    /first impression in view: an ad of Acme at Planet/,
  );
  assert.match(told(aBeacon({ kind: 'click' })), /first click: on an ad of Acme at Planet/);
  assert.equal(feed.describe(aBeacon({ kind: 'click' })), null);
  const win = aDelivery({ event: 'win' });
  assert.equal(feed.describe(deliveriesOf(win, aDelivery({ outcome: 'given_up' }))), null);
  assert.match(
    told(deliveriesOf(win, aDelivery({ tries: 3 }))),
    /^★ {2}first billing notice delivered: Acme answered 204 at try 3$/,
  );
  assert.equal(feed.describe(deliveriesOf(aDelivery())), null);
  assert.equal(
    feed.sum(),
    '── 2 auctions, 50 % filled; 2 impressions, 1 in view, 2 clicks; ' +
      'buyers pay 0.0030 USD, publishers get 0.0024; 4 notices delivered, 1 given up',
  );
});

test('nobody pays for a test', () => {
  const feed = new DemoFeed(CONFIGURATION);
  assert.equal(feed.describe(aBeacon({ test: 1 })), null);
  assert.match(feed.sum(), /; 0 impressions,.* pay 0\.0000 USD/);
});

test('the sum comes every ten seconds', () => {
  const feed = new DemoFeed(CONFIGURATION);
  assert.deepEqual(
    [0, 9_999, 10_000, 10_001, 20_000].map((nowMs) => feed.sumWhenDue(nowMs) !== null),
    [false, false, true, false, true],
  );
});
