import { LINE_ITEM } from '../../resources/line-item.ts';
import { aPartner, aSnapshot } from '../../auction/eligibility-fixtures.ts';
import type { FoundAuction } from '../../analytics/find-auction.ts';
import type { AuctionRecord, BidRecord, CallRecord } from '../../events/auction-record.ts';
import type { AuctionTrace } from '../../events/trace-record.ts';
import type { DemandPartner, Entity, LineItem } from '../../snapshot/entities.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';

/** One constructor for each thing that is explained; each takes what differs. */

export const AUCTION_ID = '019aa1b2c3d4e5f60718293a4b5c6d7e';
export const AT_MS = Date.UTC(2026, 10, 20, 12);
export const NOW_MS = AT_MS + 5_000;

export const ACME = 1001;
export const BOLT = 1002;

export type BidTrace = AuctionTrace['bids'][number];
export type CallTrace = AuctionTrace['calls'][number];

/** A configuration with two partners, named as in the examples. */
export function twoPartners(...more: readonly Entity[]): Snapshot {
  return aSnapshot(named(ACME, 'Acme DSP'), named(BOLT, 'Bolt DSP'), ...more);
}

function named(id: number, name: string): DemandPartner {
  return aPartner(id, { name });
}

export function aBid(differs: Partial<BidRecord> = {}): BidRecord {
  return {
    demand_partner_id: ACME,
    lineitem_id: 501,
    imp: 0,
    bid_id: 'b1',
    seat: '',
    dealid: '',
    crid: 'c1',
    adomain: 'brand.example',
    ad_format: 'banner',
    price_micros: 2_400_000,
    loss_reason: 102,
    in_auction: 1,
    clearing_micros: 0,
    payout_micros: 0,
    ...differs,
  };
}

export function aBidTrace(differs: Partial<BidTrace> = {}): BidTrace {
  return {
    detail: '',
    floor_micros: 200_000,
    lineitem_floor_micros: 50_000,
    deal_type: '',
    group: -1,
    min_to_win_micros: -1,
    out: 0,
    ...differs,
  };
}

export function aCallRecord(differs: Partial<CallRecord> = {}): CallRecord {
  return {
    demand_partner_id: ACME,
    imp: 0,
    lineitem_ids: [501],
    outcome: 'bid',
    reason: '',
    latency_us: 23_400,
    ...differs,
  };
}

export function aCallTrace(differs: Partial<CallTrace> = {}): CallTrace {
  return {
    request_id: AUCTION_ID,
    imps: [0],
    deals: [],
    at: 2,
    sent_us: 1_200,
    tmax_ms: 180,
    status: 200,
    response_bytes: 640,
    detail: '',
    request: '',
    response: '',
    ...differs,
  };
}

/** Bids and calls with what their trace says of each. */
export interface FoundParts {
  readonly bids?: readonly (readonly [BidRecord, BidTrace])[];
  readonly calls?: readonly (readonly [CallRecord, CallTrace])[];
  readonly auction?: Partial<AuctionRecord>;
  readonly trace?: Partial<AuctionTrace>;
  readonly beacons?: FoundAuction['beacons'];
  readonly deliveries?: FoundAuction['deliveries'];
}

/** An auction as it is found, with its trace; by default of one impression that Acme was asked for. */
export function aFound(parts: FoundParts = {}): FoundAuction {
  const {
    bids = [],
    calls = [[aCallRecord(), aCallTrace()]],
    beacons = [],
    deliveries = [],
  } = parts;
  const auction: AuctionRecord = {
    kind: 'auction',
    auction_id: AUCTION_ID,
    node: 'aaaaaaaaaaaaaaaa',
    request_id: 'request-1',
    at_ms: AT_MS,
    snapshot: 'e1.1',
    test: 0,
    fd: 0,
    publisher_id: 2001,
    property_id: 3001,
    app_bundle: 'com.planet.reader',
    app_site_domain: '',
    country_code: 'USA',
    platform_demand: 'Android',
    platform_supply: 'Android',
    os: 'Android',
    categories: ['IAB12'],
    language: 'en',
    connectiontype: 2,
    has_location: 0,
    imps: [
      {
        zone_id: 4001,
        ad_format: 'banner',
        sizes: ['320x50'],
        interstitial: 0,
        rewarded: 0,
        secure: 1,
        floor_micros: 200_000,
        filled: bids.some(([bid]) => bid.loss_reason === 0) ? 1 : 0,
      },
    ],
    calls: calls.map(([call]) => call),
    bids: bids.map(([bid]) => bid),
    bids_dropped: 0,
    notices: [],
    ...parts.auction,
  };
  const trace: AuctionTrace = {
    kind: 'trace',
    auction_id: AUCTION_ID,
    at_ms: AT_MS,
    publisher_id: 2001,
    demand_partner_ids: [...new Set(calls.map(([call]) => call.demand_partner_id))],
    tmax_ms: 300,
    duration_us: 45_600,
    revenue_share_bps: 8_000,
    imps: auction.imps.map(() => ({ formats: ['banner'], first_price: 0 })),
    calls: calls.map(([, call]) => call),
    bids: bids.map(([, bid]) => bid),
    ...parts.trace,
  };
  return { auction, trace, beacons, deliveries };
}

/** A line item without any limits. */
export function aLineItem(
  id: number,
  demandPartnerId: number,
  name: string,
  differs: Partial<LineItem> = {},
): LineItem {
  return {
    kind: 'lineItem',
    id,
    demandPartnerId,
    ...LINE_ITEM.entity(LINE_ITEM.initial),
    name,
    ...differs,
  };
}
