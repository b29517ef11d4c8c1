import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuctionRecord, BidRecord, CallRecord } from '../events/auction-record.ts';
import { DemoFeed } from './demo-feed.ts';

const CONFIGURATION = `
demand_partners: [{ id: 1001, name: Acme }, { id: 1002, name: Bolt }]
publishers:
  - apps: [{ ad_spaces: [{ id: 4001, name: Reader banner }] }]
  - sites: [{ ad_spaces: [{ id: 4004, name: Front page }] }]
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
    request_id: 'r',
    at_ms: Date.UTC(2026, 10, 20, 12, 34, 56),
    snapshot: 's.1',
    test: 0,
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
    ...differs,
  };
}

test('a win is told with place, winner, bid and price, and the others with their reasons', () => {
  const line = new DemoFeed(CONFIGURATION).describe(
    aRecord({
      calls: [aCall(), aCall({ outcome: 'throttled', reason: 'bidder_qps' })],
      bids: [aBidRecord(), aBidRecord({ demand_partner_id: 1002, loss_reason: 100 })],
    }),
  );
  assert.match(line, /^12:34:56 {2}Front page +banner {2}USA {2}Acme +bid {2}2\.00, pays {2}1\.50/);
  assert.match(line, /2 matched: 1 bid, 1 throttled \(bidder qps\); bids lost: 1 below floor$/);
});

test('an auction to which nobody was asked says so', () => {
  const line = new DemoFeed(CONFIGURATION).describe(aRecord({ calls: [], country_code: '' }));
  assert.match(line, /–.*no winner.*nobody matched$/);
});

test('the sum has every winner of every impression', () => {
  const feed = new DemoFeed(CONFIGURATION);
  feed.describe(
    aRecord({ bids: [aBidRecord(), aBidRecord({ imp: 1, clearing_micros: 500_000 })] }),
  );
  feed.describe(aRecord());
  assert.match(feed.sum(), /2 auctions, 50 % filled, winners pay 0\.0020 USD/);
});

test('the sum comes every ten seconds', () => {
  const feed = new DemoFeed(CONFIGURATION);
  assert.deepEqual(
    [0, 9_999, 10_000, 10_001, 20_000].map((nowMs) => feed.sumWhenDue(nowMs) !== null),
    [false, false, true, false, true],
  );
});
