import { adFormatOf, FORMAT_VIDEO } from '../auction/formats.ts';
import type { AuctionImp } from '../auction/offer.ts';
import type { AuctionRecord, BidRecord, CallRecord, ImpRecord } from '../events/auction-record.ts';
import type { WonImp } from '../events/beacon-record.ts';
import { RECORD_LENGTH_MAX } from '../journal/journal.ts';
import type { Bid } from '../openrtb/bid-response.ts';
import { ID_LENGTH_MAX } from '../openrtb/limits.ts';
import { LossReason } from '../openrtb/loss-reason.ts';
import type { IncomingRequest } from '../openrtb/incoming-request.ts';
import type { Publisher } from '../snapshot/entities.ts';
import { versionKey } from '../snapshot/snapshot.ts';
import type { CallResult } from './call.ts';
import type { CalledAuction, DecidedAuction } from './decided-auction.ts';
import type { Space } from './market.ts';
import { noticesOf } from './notices.ts';
import type { SettledBid } from './settle.ts';
import type { Slot } from './slots.ts';
import { writeTrace, type TraceDepth } from './trace.ts';
import type { Winner } from './winners.ts';

/**
 * Whether the publisher decides which bid it shows: the request says so, or the publisher always
 * does. What is won is then only offered.
 */
export function publisherDecides({ source }: IncomingRequest, publisher: Publisher): boolean {
  return source?.fd === 1 || publisher.confirmsWins;
}

/**
 * The most bids in one record, and the most characters of a bidder's own texts: a record has to fit
 * into a batch, whatever bidders send.
 */
const BIDS_RECORDED_MAX = 800;
const TEXT_LENGTH_MAX = 128;

/** The lines that an auction leaves in the journal's streams. */
export interface AuctionLines {
  readonly money: string;
  /** Null where none is kept. */
  readonly trace: string | null;
}

/**
 * Writes an auction's records. Both hold the same bids: all of them, unless bidders have sent so
 * much that a line would be longer than the journal takes; then losing bids are left out.
 *
 * @param node the incarnation of the data directory, which stands in every record of money.
 */
export function writeLines(auction: DecidedAuction, depth: TraceDepth, node: string): AuctionLines {
  for (let bidsMax = BIDS_RECORDED_MAX; ; bidsMax = Math.floor(bidsMax / 2)) {
    const bids = bidsToRecord(auction.bids, bidsMax);
    const money = JSON.stringify(recordAuction(auction, bids, node));
    const trace = depth === 'none' ? null : writeTrace(auction, bids, depth);
    const fits = trace === null || trace.length <= RECORD_LENGTH_MAX;
    if (money.length <= RECORD_LENGTH_MAX && fits) return { money, trace };
    if (bidsMax === 0) return { money, trace: fits ? trace : null };
  }
}

/** The auction as reports and bills will see it. */
function recordAuction(
  auction: DecidedAuction,
  recorded: readonly SettledBid[],
  node: string,
): AuctionRecord {
  const { facts, request, market } = auction;
  const [{ space }] = auction.slots;
  const test = isTest(request);
  return {
    kind: 'auction',
    auction_id: auction.id,
    node,
    request_id: clip(request.id),
    at_ms: auction.atMs,
    snapshot: versionKey(market.snapshot.version),
    test,
    fd: auction.publisherDecides ? 1 : 0,
    ...dimensionsOf(auction),
    categories: [...space.property.categories],
    language: facts.traits.language ?? '',
    connectiontype: facts.traits.connectiontype ?? 0,
    has_location: facts.traits.hasLocation ? 1 : 0,
    imps: auction.slots.map((slot) => recordImp(slot, auction.winners.get(slot.imp.slot))),
    calls: auction.results.map(recordCall),
    bids: recorded.map((bid) => recordBid(bid, auction.winners)),
    bids_dropped: auction.bids.length - recorded.length,
    notices: noticesOf(recorded, auction.winners, {
      test: test === 1,
      publisherDecides: auction.publisherDecides,
      tellsPrice: market.snapshot.exchange.lossNoticePrice,
    }),
  };
}

/** What an impression's record has to say of it when its beacon comes. */
export function recordWonImp(auction: DecidedAuction, winner: Winner): WonImp {
  const { candidate } = winner;
  const slot = auction.slots[candidate.imp.slot];
  if (slot === undefined) throw new Error(`a winner for slot ${candidate.imp.slot}`);
  const { adSpace } = slot.space;
  return {
    auction_id: auction.id,
    imp: candidate.imp.slot,
    expires_ms: winner.expiresMs,
    // As of a test: the tracker answers its beacons, and counts none of them.
    test: isUnbilled(auction) ? 1 : 0,
    fd: auction.publisherDecides ? 1 : 0,
    ...dimensionsOf(auction),
    zone_id: adSpace.id,
    demand_partner_id: candidate.demandPartnerId,
    lineitem_id: candidate.lineItemId,
    dealid: clip(candidate.deal?.id),
    ad_format: adFormatOf(candidate.format),
    interstitial: candidate.imp.interstitial ? 1 : 0,
    rewarded: adSpace.rewarded ? 1 : 0,
    clearing_micros: winner.clearingMicros,
    payout_micros: winner.payoutMicros,
  };
}

/** Whether nothing is counted or paid of it. */
export function isUnbilled({ request, traffic }: CalledAuction): boolean {
  return isTest(request) === 1 || traffic?.treatment === 'mark';
}

function isTest({ test }: IncomingRequest): 0 | 1 {
  return test === 1 ? 1 : 0;
}

/** What all impressions of an auction share of the reports' dimensions. */
function dimensionsOf({ facts, slots: [{ space }] }: DecidedAuction) {
  return {
    publisher_id: space.publisher.id,
    property_id: space.property.id,
    app_bundle: space.property.bundle ?? '',
    app_site_domain: space.property.domain ?? '',
    country_code: facts.countryAlpha3 ?? '',
    platform_demand: facts.platforms.demand,
    platform_supply: facts.platforms.supply,
    os: clip(facts.os ?? ''),
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
  const { candidate, refusal, reason, seat, submitted } = settled;
  const { dealid, crid, adomain }: Partial<Bid> = submitted?.bid ?? UNREAD;
  const known = candidate ?? refusal;
  const imp = settled.imp?.slot ?? -1;
  const winner = reason === LossReason.Won ? winners.get(imp) : undefined;
  return {
    demand_partner_id: settled.result.call.partner.id,
    lineitem_id: known?.lineItemId ?? 0,
    imp,
    // Whole, because ties break by it: a replay has to decide them alike.
    bid_id: clip(settled.bidId, ID_LENGTH_MAX),
    // The bidder's own texts; empty ones for a bid that could not be read.
    seat: clip(seat),
    dealid: clip(dealid),
    crid: clip(crid),
    adomain: clip(adomain?.[0]),
    ad_format: known === null || known.format === 0 ? '' : adFormatOf(known.format),
    price_micros: known?.priceMicros ?? 0,
    loss_reason: reason,
    in_auction: candidate === null ? 0 : 1,
    clearing_micros: winner?.clearingMicros ?? 0,
    payout_micros: winner?.payoutMicros ?? 0,
  };
}

const UNREAD = {};

/** Half a surrogate pair, also one that clipping made, is no text that a store would take. */
function clip(text = '', lengthMax = TEXT_LENGTH_MAX): string {
  return text.slice(0, lengthMax).toWellFormed();
}
