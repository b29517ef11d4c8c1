import { dollarsFromMicros } from '../base/money.ts';
import type { LogOwner, LogRow, LogTrace, OwnAuction } from './log-rows.ts';

/** One event of a log; `docs/reference/exports.md` says what each of its keys holds. */
export type LogLine = Readonly<Record<string, unknown>>;

/** What lines are made with beside their record. */
export interface LogContext {
  readonly owner: LogOwner;
  readonly traces: ReadonlyMap<string, LogTrace>;
  /** The auctions of beacons and notices. */
  readonly auctions: ReadonlyMap<string, OwnAuction>;
}

const US_PER_MS = 1_000;

/** The lines that one record comes to, in their order; none of it is anybody else's. */
export function logLinesOf(row: LogRow, context: LogContext): LogLine[] {
  // A confirmation that nobody waits for counts nothing: the win stands with its auction.
  if (row.kind === 'win' && row.fd === 0) return [];
  if (context.owner.side === 'supply') return [supplyLine(row)];
  if (row.kind === 'auction') return auctionLines(row, context.traces.get(row.auction_id) ?? null);
  if (row.kind === 'delivery') return deliveryLines(row, context.auctions);
  return beaconLines(row, context.auctions.get(row.auction_id) ?? null);
}

/** Bid requests that were sent, bids, and the wins that are final with the auction. */
function auctionLines(row: LogRow, trace: LogTrace | null): LogLine[] {
  const sent = row.calls.filter(({ outcome }) => outcome !== 'throttled');
  // Where the publisher decides a beacon says so.
  const won = row.fd === 1 ? [] : row.bids.filter(({ loss_reason: reason }) => reason === 0);
  return [
    ...sent.map((call) => requestLine(row, call, trace)),
    ...row.bids.map((bid) => bidLine(row, bid, trace)),
    ...won.map((bid) => winLine(row, bid)),
  ];
}

function requestLine(row: LogRow, call: LogRow['calls'][number], trace: LogTrace | null): LogLine {
  const traced = trace?.calls[call.place - 1] ?? null;
  const places = traced === null ? [call.imp] : [...new Set(traced.imps)];
  return {
    type: 'request',
    at: timeOf(row.at_ms),
    auction_id: row.auction_id,
    request_id: requestIdOf(row, call),
    ...placeOf(row),
    platform: row.platform_demand,
    lineitem_ids: call.lineitem_ids,
    // Without a trace only the first impression that was offered is known.
    imps_known: traced === null ? 'first' : 'all',
    imps: places.flatMap((imp) => {
      const offered = row.imps[imp];
      return offered === undefined ? [] : [offeredImp(offered, imp)];
    }),
    outcome: call.outcome,
    reason: call.reason,
    latency_ms: call.latency_us / US_PER_MS,
  };
}

function bidLine(row: LogRow, bid: LogRow['bids'][number], trace: LogTrace | null): LogLine {
  const minMicros = trace?.bids[bid.place - 1]?.min_to_win_micros ?? -1;
  const isWon = bid.loss_reason === 0;
  return {
    type: 'bid',
    at: timeOf(row.at_ms),
    ...bidKeys(row, bid),
    seat: bid.seat,
    crid: bid.crid,
    adomain: bid.adomain,
    ad_format: bid.ad_format,
    bid_cpm: bid.price_micros === 0 ? null : dollarsFromMicros(bid.price_micros),
    loss_reason: bid.loss_reason,
    min_to_win_cpm: isWon || minMicros < 0 ? null : dollarsFromMicros(minMicros),
    clearing_cpm: isWon ? dollarsFromMicros(bid.clearing_micros) : null,
    test: row.test === 1,
  };
}

function winLine(row: LogRow, bid: LogRow['bids'][number]): LogLine {
  const imp = row.imps[bid.imp];
  return {
    type: 'win',
    at: timeOf(row.at_ms),
    ...bidKeys(row, bid),
    ...placeOf(row),
    ad_space_id: imp?.zone_id ?? null,
    ad_format: bid.ad_format === '' ? (imp?.ad_format ?? '') : bid.ad_format,
    clearing_cpm: dollarsFromMicros(bid.clearing_micros),
  };
}

function beaconLines(row: LogRow, auction: OwnAuction | null): LogLine[] {
  const bid = auction?.bids.find((each) => each.imp === row.imp && each.loss_reason === 0);
  const isPriced = row.kind === 'win' || row.kind === 'impression';
  return [
    {
      type: row.kind,
      at: timeOf(row.at_ms),
      auction_id: row.auction_id,
      request_id: auction === null ? null : answeredRequest(auction),
      bid_id: bid?.bid_id ?? null,
      imp: row.imp,
      lineitem_id: row.lineitem_id,
      dealid: row.dealid,
      ...placeOf(row),
      ad_space_id: row.zone_id,
      ad_format: row.ad_format,
      ...(isPriced ? { clearing_cpm: dollarsFromMicros(row.clearing_micros) } : {}),
      ...(row.kind === 'impression' ? { billing_notice_due: row.has_notice === 1 } : {}),
    },
  ];
}

/** What became of win and billing notices. */
function deliveryLines(row: LogRow, auctions: ReadonlyMap<string, OwnAuction>): LogLine[] {
  return row.deliveries.map((delivery): LogLine => {
    const { auction_id, event, imp, lineitem_id, due_ms, outcome, status, tries } = delivery;
    const auction = auctions.get(auction_id);
    const bid = auction?.bids.find((each) => each.imp === imp && each.loss_reason === 0);
    return {
      type: event === 'billing' ? 'billing_notice' : 'win_notice',
      at: timeOf(row.at_ms),
      auction_id,
      request_id: auction === undefined ? null : answeredRequest(auction),
      bid_id: bid?.bid_id ?? null,
      imp,
      lineitem_id,
      due_at: timeOf(due_ms),
      outcome,
      status: status === 0 ? null : status,
      tries,
    };
  });
}

/** What a publisher is told of an impression that it sold: no buyer, and nothing of what it pays. */
function supplyLine(row: LogRow): LogLine {
  const isPaid = row.kind === 'win' || row.kind === 'impression';
  return {
    type: row.kind,
    at: timeOf(row.at_ms),
    auction_id: row.auction_id,
    imp: row.imp,
    ...placeOf(row),
    platform: row.platform_supply,
    ad_space_id: row.zone_id,
    ad_format: row.ad_format,
    interstitial: row.interstitial === 1,
    rewarded: row.rewarded === 1,
    ...(isPaid ? { payout_cpm: dollarsFromMicros(row.payout_micros) } : {}),
  };
}

/** What every bid request says of its place, and whether anything is counted. */
function placeOf(row: LogRow): LogLine {
  return {
    publisher_id: row.publisher_id,
    property_id: row.property_id,
    app_bundle: row.app_bundle,
    app_site_domain: row.app_site_domain,
    country_code: row.country_code,
    os: row.os,
    test: row.test === 1,
  };
}

function offeredImp(imp: LogRow['imps'][number], index: number): LogLine {
  return {
    imp: index,
    ad_space_id: imp.zone_id,
    sizes: imp.sizes,
    interstitial: imp.interstitial === 1,
    rewarded: imp.rewarded === 1,
    secure: imp.secure === 1,
  };
}

function bidKeys(row: LogRow, bid: LogRow['bids'][number]): LogLine {
  return {
    auction_id: row.auction_id,
    request_id: answeredRequest(row),
    bid_id: bid.bid_id,
    imp: bid.imp < 0 ? null : bid.imp,
    lineitem_id: bid.lineitem_id === 0 ? null : bid.lineitem_id,
    dealid: bid.dealid,
  };
}

/**
 * `BidRequest.id`: the auction's for a partner's first bid request, with a number behind it for
 * those that follow.
 */
function requestIdOf(auction: OwnAuction, call: OwnAuction['calls'][number]): string {
  const nth = auction.calls.indexOf(call) + 1;
  return nth === 1 ? auction.auction_id : `${auction.auction_id}${nth}`;
}

/** The bid request that a bid answers; null where several were answered with bids. */
function answeredRequest(auction: OwnAuction): string | null {
  const [answered, second] = auction.calls.filter(({ outcome }) => outcome === 'bid');
  return answered === undefined || second !== undefined ? null : requestIdOf(auction, answered);
}

function timeOf(atMs: number): string {
  return new Date(atMs).toISOString();
}
