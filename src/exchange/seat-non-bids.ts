import { ownField } from '../base/fields.ts';
import { LossReason } from '../openrtb/loss-reason.ts';
import type { Publisher } from '../snapshot/entities.ts';
import type { CallResult } from './call.ts';
import type { DecidedAuction } from './decided-auction.ts';
import type { SettledBid } from './settle.ts';

/** Gives a demand partner the name that a publisher knows its seat by. */
export type NameSeat = (publisherId: number, demandPartnerId: number) => string;

/** A seat that did not win, with a status of OpenRTB's list "Non Bid Status Codes" for each impression. */
interface SeatNonBid {
  readonly seat: string;
  readonly nonbid: { readonly impid: string; readonly statuscode: number }[];
}

/** Entries of one answer; fifty impressions and a hundred partners would be five thousand. */
const NON_BIDS_MAX = 1_000;

/** The list "Non Bid Status Codes" of the community extension; from 500 on the codes are our own. */
const Code = {
  NoBid: 0,
  Failed: 100,
  TimedOut: 101,
  Invalid: 102,
  Unreachable: 103,
  NotAsked: 200,
  UnsupportedMedia: 202,
  Privacy: 204,
  Rejected: 300,
  BelowFloor: 301,
  BelowDealFloor: 304,
  Creative: 350,
  Size: 351,
  NotSecure: 352,
  Format: 353,
  Advertiser: 356,
  Category: 357,
  Outbid: 501,
  LostToDeal: 502,
} as const;

const CODES: Readonly<Record<LossReason, number>> = {
  [LossReason.Won]: Code.NoBid,
  1: Code.Failed,
  2: Code.Rejected,
  3: Code.Invalid,
  4: Code.Rejected,
  5: Code.Invalid,
  6: Code.Creative,
  7: Code.Creative,
  8: Code.Creative,
  9: Code.Invalid,
  10: Code.Creative,
  100: Code.BelowFloor,
  101: Code.BelowDealFloor,
  102: Code.Outbid,
  103: Code.LostToDeal,
  104: Code.Rejected,
  200: Code.Creative,
  201: Code.Creative,
  202: Code.Creative,
  203: Code.Size,
  204: Code.Format,
  205: Code.Advertiser,
  206: Code.Creative,
  207: Code.NotSecure,
  208: Code.Creative,
  209: Code.Category,
  210: Code.Creative,
  211: Code.Creative,
  212: Code.Creative,
  213: Code.Rejected,
};

/**
 * What lost, for a publisher that asks with `ext.rialto.seatnonbid` and that the operator allows it;
 * null for all others. There are no prices in it.
 */
export function seatNonBidsOf(auction: DecidedAuction, nameSeat: NameSeat): SeatNonBid[] | null {
  const { request, slots, results, bids } = auction;
  const { publisher } = slots[0].space;
  const asked = ownField(ownField(request.ext, 'rialto'), 'seatnonbid');
  if (publisher.seatNonBids === 'none' || (asked !== 1 && asked !== true)) return null;
  const bidsOf = Map.groupBy(bids, ({ result }) => result);
  const seats = new Map<number, SeatNonBid>();
  let left = NON_BIDS_MAX;
  for (const result of results) {
    const partnerId = result.call.partner.id;
    const seat = seats.get(partnerId) ?? {
      seat: seatNameOf(publisher, partnerId, nameSeat),
      nonbid: [],
    };
    const own = Map.groupBy(bidsOf.get(result) ?? [], ({ imp }) => imp?.slot);
    for (const slot of new Set(result.call.offers.map(({ imp }) => imp.slot))) {
      const impid = slots[slot]?.incoming.id ?? '';
      const codes = codesOf(result, own.get(slot), own.has(undefined));
      for (const statuscode of codes.slice(0, left)) seat.nonbid.push({ impid, statuscode });
      left -= Math.min(left, codes.length);
      if (left === 0) break;
    }
    if (seat.nonbid.length > 0) seats.set(partnerId, seat);
    if (left === 0) break;
  }
  return [...seats.values()];
}

/**
 * The name of a seat in all answers to a publisher, those of winners too: beside its number there,
 * a pseudonym would hide nothing.
 */
export function seatNameOf(publisher: Publisher, partnerId: number, nameSeat: NameSeat): string {
  return publisher.seatNonBids === 'pseudonyms'
    ? nameSeat(publisher.id, partnerId)
    : String(partnerId);
}

/**
 * One for each bid on the impression that lost; without any the one that says why.
 *
 * @param hasStray the answer has bids that could not be read, or are on no impression.
 */
function codesOf(
  result: CallResult,
  bids: readonly SettledBid[] | undefined,
  hasStray: boolean,
): readonly number[] {
  if (bids !== undefined) {
    return bids.flatMap(({ reason }) => (reason === LossReason.Won ? [] : [CODES[reason]]));
  }
  return [result.outcome === 'bid' && hasStray ? Code.Invalid : codeOfCall(result)];
}

function codeOfCall({ outcome, reason }: CallResult): number {
  switch (outcome) {
    case 'timeout':
      return Code.TimedOut;
    case 'error':
      return reason.startsWith('http_') ? Code.Failed : Code.Unreachable;
    case 'throttled':
      if (reason.startsWith('gdpr_')) return Code.Privacy;
      return reason === 'no_format' ? Code.UnsupportedMedia : Code.NotAsked;
    case 'no_bid':
      if (reason === 'malformed' || reason === 'oversized') return Code.Invalid;
      // The codes from 1 on are those of the no-bid reasons.
      return Number(/^nbr_(\d+)$/.exec(reason)?.[1] ?? Code.NoBid);
    case 'bid':
      return Code.NoBid;
  }
}
