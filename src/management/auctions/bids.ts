import { CENT_MICROS, dollarsFromMicros } from '../../base/money.ts';
import { describeLossReason, LossReason } from '../../openrtb/loss-reason.ts';
import { nameOf, type Names } from './names.ts';
import type { AuctionParts, BidPart } from './parts.ts';
import { classOf, hasWon, isOfLostGroup } from './ranking.ts';
import type { BidView } from './schema.ts';
import { asClause, dollars, impressions } from './wording.ts';

/** What of bids a reader is told beside what stands in its parts. */
export interface BidTeller {
  readonly names: Names;
  /** Whether the reader knows the floor of a bid anyway. */
  readonly tellsFloor: (bid: BidPart) => boolean;
}

/** The bids of an auction, each with its reason. */
export function viewBids(parts: AuctionParts, teller: BidTeller): BidView[] {
  return parts.bids.map((bid) => {
    const { record, trace } = bid;
    const partner = teller.names.partner(record.demand_partner_id);
    const floorMicros = floorOf(bid, teller);
    return {
      bid: bid.index,
      demand_partner: partner,
      line_item:
        record.lineitem_id === 0 ? null : teller.names.lineItem(partner.id, record.lineitem_id),
      imp: record.imp < 0 ? null : record.imp,
      bid_id: record.bid_id,
      seat: record.seat,
      dealid: record.dealid,
      crid: record.crid,
      adomain: record.adomain,
      ad_format: record.ad_format,
      group: trace === null || trace.group < 0 ? null : trace.group,
      bid_cpm: cpm(record.price_micros === 0 ? null : record.price_micros),
      floor_cpm: cpm(floorMicros),
      won: hasWon(bid),
      loss_reason: record.loss_reason,
      loss_reason_text: describeLossReason(record.loss_reason),
      detail: detailOf(bid, floorMicros),
      min_to_win_cpm: cpm(minToWinOf(bid)),
      clearing_cpm: cpm(hasWon(bid) ? record.clearing_micros : null),
      sentence: describeBid(bid, parts, teller),
    };
  });
}

function cpm(micros: number | null): number | null {
  return micros === null ? null : dollarsFromMicros(micros);
}

/** Null where it is not known, was not looked at, or is not for the reader. */
function floorOf(bid: BidPart, { tellsFloor }: BidTeller): number | null {
  const { record, trace } = bid;
  if (trace === null || !tellsFloor(bid)) return null;
  const isFloorTold = record.in_auction === 1 || isBelowFloor(bid);
  return isFloorTold || trace.floor_micros > 0 ? trace.floor_micros : null;
}

function isBelowFloor({ record }: BidPart): boolean {
  return (
    record.loss_reason === LossReason.BelowFloor || record.loss_reason === LossReason.BelowDealFloor
  );
}

/** The words of a bid below its floor name the floor. */
function detailOf(bid: BidPart, floorMicros: number | null): string | null {
  const { trace } = bid;
  if (trace === null || (isBelowFloor(bid) && floorMicros === null)) return null;
  return trace.detail === '' ? null : trace.detail;
}

/** Null for a winner, and where no bid would have won. */
function minToWinOf(bid: BidPart): number | null {
  const { trace } = bid;
  return trace === null || hasWon(bid) || trace.min_to_win_micros < 0
    ? null
    : trace.min_to_win_micros;
}

/** What became of one bid: "Acme DSP bid $2.40 and lost: …". */
function describeBid(bid: BidPart, parts: AuctionParts, teller: BidTeller): string {
  const { record } = bid;
  const price = record.price_micros === 0 ? '' : ` ${dollars(record.price_micros)}`;
  const deal = record.dealid === '' ? '' : ` for deal ${record.dealid}`;
  const imp = record.imp < 0 || parts.isForOne ? '' : ` on ${impressions([record.imp])}`;
  const bade = `${nameOf(teller.names.partner(record.demand_partner_id))} bid${price}${deal}${imp}`;
  if (hasWon(bid)) return `${bade} and won${wonAt(bid, parts)}.`;
  const minMicros = minToWinOf(bid);
  // Of a group all have to win: more for one of its bids may not be enough.
  const enough = isOfLostGroup(bid) ? 'would have been needed here at least' : 'would have won';
  const least = minMicros === null ? '' : `; ${dollars(minMicros)} ${enough}`;
  return `${bade} and lost: ${whyLost(bid, parts, teller)}${least}.`;
}

function wonAt({ record }: BidPart, parts: AuctionParts): string {
  const price = ` at ${dollars(record.clearing_micros)}`;
  if (parts.isTest) return `${price}, in a test that nobody pays for`;
  if (!parts.publisherDecides) return price;
  const isTaken = isConfirmed(parts, record.imp);
  return `${price}, ${isTaken ? 'which the publisher took' : 'if the publisher takes it, which is not confirmed'}`;
}

/** Where the publisher decides: whether it has taken the bid of an impression. */
export function isConfirmed({ beacons }: AuctionParts, imp: number): boolean {
  return beacons.some(
    (beacon) => beacon.imp === imp && (beacon.kind === 'win' || beacon.kind === 'impression'),
  );
}

function whyLost(bid: BidPart, parts: AuctionParts, teller: BidTeller): string {
  const { record } = bid;
  const floorMicros = floorOf(bid, teller);
  switch (record.loss_reason) {
    case LossReason.LostToHigherBid:
    case LossReason.LostToDeal:
      return whoseWon(bid, parts, teller);
    case LossReason.BelowFloor:
    case LossReason.BelowDealFloor: {
      if (floorMicros === null) break;
      const what = record.dealid === '' ? 'the floor' : `the floor of deal ${record.dealid}`;
      return `${what} was ${dollars(floorMicros)}`;
    }
    default:
  }
  const detail = detailOf(bid, floorMicros);
  const reason = asClause(describeLossReason(record.loss_reason));
  if (detail === null) return reason;
  // What could not be done says its detail alone: that the exchange failed would say less.
  if (record.loss_reason === LossReason.InternalError) return asClause(detail);
  return `${reason} (${asClause(detail)})`;
}

/** Why a valid bid came second, as far as the reader sees who came first. */
function whoseWon(bid: BidPart, parts: AuctionParts, teller: BidTeller): string {
  const { record } = bid;
  const winner = parts.bids.find((each) => hasWon(each) && each.record.imp === record.imp);
  if (winner === undefined) return whatWon(bid, parts);
  const whose = `${nameOf(teller.names.partner(winner.record.demand_partner_id))}'s bid of ${dollars(winner.record.price_micros)}`;
  if (isOfLostGroup(bid) && winner.record.price_micros <= record.price_micros) {
    return `not all bids of its group came first, and ${whose} won instead`;
  }
  if (classOf(winner) < classOf(bid)) {
    return `${whose} was for deal ${winner.record.dealid}, which ranks above`;
  }
  if (winner.record.price_micros > record.price_micros) return `${whose} was higher`;
  if (winner.record.price_micros === record.price_micros) {
    return `${whose} was as high, and came first by lot`;
  }
  return `${whose} ranked first`;
}

/** The same without a winner that the reader may see. */
function whatWon(bid: BidPart, parts: AuctionParts): string {
  const { record, trace } = bid;
  if (parts.isWhole) return 'no bid won the impression, because groups blocked one another';
  if (record.loss_reason === LossReason.LostToDeal) return 'a bid for a deal ranked above it';
  const leastMicros = minToWinOf(bid);
  if (trace === null) return 'another bid was higher';
  if (leastMicros === null) return 'a bid for a deal ranked above it, whatever it had bid';
  if (isOfLostGroup(bid) && leastMicros - CENT_MICROS <= record.price_micros) {
    return 'not all bids of its group came first';
  }
  const isTie = leastMicros - CENT_MICROS === record.price_micros;
  return isTie ? 'another bid was as high, and came first by lot' : 'another bid was higher';
}
