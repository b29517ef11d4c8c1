import { adFormatOf, FORMAT_VIDEO } from '../auction/formats.ts';
import type { AuctionImp } from '../auction/offer.ts';
import type { AuctionRecord, BidRecord, CallRecord, ImpRecord } from '../events/auction-record.ts';
import type { TraceRecord } from '../events/trace-record.ts';
import { RECORD_LENGTH_MAX } from '../journal/journal.ts';
import { LossReason } from '../openrtb/loss-reason.ts';
import type { IncomingRequest } from '../openrtb/incoming-request.ts';
import { versionKey } from '../snapshot/snapshot.ts';
import type { CallResult } from './call.ts';
import type { Facts } from './facts.ts';
import type { Market, Space } from './market.ts';
import type { SettledBid } from './settle.ts';
import type { Slot } from './slots.ts';
import type { Winner } from './winners.ts';

/** An auction that has been decided: all that its records are made of. */
export interface DecidedAuction {
  readonly id: string;
  /** Unix time of the request in milliseconds. */
  readonly atMs: number;
  readonly tmaxMs: number;
  readonly request: IncomingRequest;
  readonly market: Market;
  readonly slots: readonly [Slot, ...Slot[]];
  readonly facts: Facts;
  readonly results: readonly CallResult[];
  readonly bids: readonly SettledBid[];
  /** By slot. */
  readonly winners: ReadonlyMap<number, Winner>;
}

/**
 * The most bids in one record, and the most characters of a bidder's own texts: a record has to fit
 * into a batch, whatever bidders send.
 */
const BIDS_RECORDED_MAX = 800;
const TEXT_LENGTH_MAX = 128;
const DETAIL_LENGTH_MAX = 500;

/** The lines that an auction leaves in the journal's streams. */
export interface AuctionLines {
  readonly money: string;
  /** Null unless it was asked for. */
  readonly trace: string | null;
}

/**
 * Writes an auction's records. Both hold the same bids: all of them, unless bidders have sent so
 * much that a line would be longer than the journal takes; then losing bids are left out.
 */
export function writeLines(auction: DecidedAuction, keepsTrace: boolean): AuctionLines {
  for (let bidsMax = BIDS_RECORDED_MAX; ; bidsMax = Math.floor(bidsMax / 2)) {
    const bids = bidsToRecord(auction.bids, bidsMax);
    const money = JSON.stringify(recordAuction(auction, bids));
    const trace = keepsTrace ? JSON.stringify(traceAuction(auction, bids)) : null;
    const length = Math.max(money.length, trace?.length ?? 0);
    if (length <= RECORD_LENGTH_MAX || bidsMax === 0) return { money, trace };
  }
}

/** The auction as reports and bills will see it. */
function recordAuction(auction: DecidedAuction, recorded: readonly SettledBid[]): AuctionRecord {
  const { facts, request } = auction;
  const [{ space }] = auction.slots;
  return {
    kind: 'auction',
    auction_id: auction.id,
    request_id: clip(request.id),
    at_ms: auction.atMs,
    snapshot: versionKey(auction.market.snapshot.version),
    test: request.test === 1 ? 1 : 0,
    publisher_id: space.publisher.id,
    property_id: space.property.id,
    app_bundle: space.property.bundle ?? '',
    app_site_domain: space.property.domain ?? '',
    country_code: facts.countryAlpha3 ?? '',
    platform_demand: facts.platforms.demand,
    platform_supply: facts.platforms.supply,
    os: clip(facts.os ?? ''),
    categories: [...space.property.categories],
    language: facts.traits.language ?? '',
    connectiontype: facts.traits.connectiontype ?? 0,
    has_location: facts.traits.hasLocation ? 1 : 0,
    imps: auction.slots.map((slot) => recordImp(slot, auction.winners.get(slot.imp.slot))),
    calls: auction.results.map(recordCall),
    bids: recorded.map((bid) => recordBid(bid, auction.winners)),
    bids_dropped: auction.bids.length - recorded.length,
  };
}

function recordImp({ imp, space }: Slot, winner: Winner | undefined): ImpRecord {
  return {
    zone_id: space.adSpace.id,
    ad_format: adFormatOf(winner?.candidate.format ?? imp.formats),
    sizes: sizesOf(imp, space),
    interstitial: imp.interstitial ? 1 : 0,
    rewarded: space.adSpace.rewarded ? 1 : 0,
    secure: imp.secure ? 1 : 0,
    floor_micros: imp.floorMicros,
    filled: winner === undefined ? 0 : 1,
  };
}

function sizesOf(imp: AuctionImp, { adSpace }: Space): string[] {
  const player =
    (imp.formats & FORMAT_VIDEO) !== 0 && adSpace.video !== null ? [adSpace.video] : [];
  return [...imp.bannerSizes, ...player].map(({ w, h }) => `${w}x${h}`);
}

function recordCall({ call, outcome, reason, latencyUs }: CallResult): CallRecord {
  return {
    demand_partner_id: call.partner.id,
    imp: call.offers[0]?.imp.slot ?? 0,
    lineitem_ids: call.lineItems.map(({ id }) => id),
    outcome,
    reason,
    latency_us: latencyUs,
  };
}

/** All of them, as a rule; where there are too many, every winner and the first of the others. */
function bidsToRecord(bids: readonly SettledBid[], bidsMax: number): readonly SettledBid[] {
  if (bids.length <= bidsMax) return bids;
  const winners = bids.filter(({ reason }) => reason === LossReason.Won);
  const losers = bids.filter(({ reason }) => reason !== LossReason.Won);
  return [...winners, ...losers.slice(0, Math.max(0, bidsMax - winners.length))];
}

function recordBid(settled: SettledBid, winners: ReadonlyMap<number, Winner>): BidRecord {
  const { candidate, refusal, reason } = settled;
  const known = candidate ?? refusal;
  const imp = settled.imp?.slot ?? -1;
  const winner = reason === LossReason.Won ? winners.get(imp) : undefined;
  return {
    demand_partner_id: settled.result.call.partner.id,
    lineitem_id: known?.lineItemId ?? 0,
    imp,
    bid_id: clip(settled.bidId),
    ...recordTexts(settled),
    ad_format: known === null || known.format === 0 ? '' : adFormatOf(known.format),
    price_micros: known?.priceMicros ?? 0,
    loss_reason: reason,
    in_auction: candidate === null ? 0 : 1,
    clearing_micros: winner?.clearingMicros ?? 0,
    payout_micros: winner?.payoutMicros ?? 0,
  };
}

/** The bidder's own texts; empty ones for a bid that could not be read. */
function recordTexts({
  seat,
  submitted,
}: SettledBid): Pick<BidRecord, 'seat' | 'dealid' | 'crid' | 'adomain'> {
  const bid = submitted?.bid;
  return {
    seat: clip(seat),
    dealid: clip(bid?.dealid),
    crid: clip(bid?.crid),
    adomain: clip(bid?.adomain?.[0]),
  };
}

/** Half a surrogate pair, also one that clipping made, is no text that a store would take. */
function clip(text = ''): string {
  return text.slice(0, TEXT_LENGTH_MAX).toWellFormed();
}

/** What people will want to know of the auction; see `TraceRecord`. */
function traceAuction(auction: DecidedAuction, recorded: readonly SettledBid[]): TraceRecord {
  return {
    kind: 'trace',
    auction_id: auction.id,
    at_ms: auction.atMs,
    tmax_ms: auction.tmaxMs,
    calls: auction.results.map(({ call, detail }) => ({
      demand_partner_id: call.partner.id,
      detail: detail.slice(0, DETAIL_LENGTH_MAX),
    })),
    bids: recorded.map(({ bidId, detail }) => ({
      bid_id: clip(bidId),
      detail: detail.slice(0, DETAIL_LENGTH_MAX),
    })),
  };
}
