import { definedField, listField } from '../base/fields.ts';
import { dollarsFromMicros } from '../base/money.ts';
import type { Bid, BidResponse, SeatBid } from '../openrtb/bid-response.ts';
import type { IncomingRequest } from '../openrtb/incoming-request.ts';
import type { Winner } from './winners.ts';

/**
 * The OpenRTB answer to the publisher: the winners under the request's own id, one seat for each
 * demand partner. Null when nobody won.
 */
export function respond(
  request: IncomingRequest,
  auctionId: string,
  winners: readonly Winner[],
): BidResponse | null {
  if (winners.length === 0) return null;
  const seats = new Map<number, SeatBid>();
  for (const winner of winners) {
    const { demandPartnerId } = winner.candidate;
    let seat = seats.get(demandPartnerId);
    if (seat === undefined) {
      seat = { bid: [], seat: String(demandPartnerId) };
      seats.set(demandPartnerId, seat);
    }
    seat.bid.push(describeWinner(request, auctionId, winner));
  }
  return { id: request.id, seatbid: [...seats.values()], bidid: auctionId, cur: 'USD' };
}

function describeWinner(request: IncomingRequest, auctionId: string, winner: Winner): Bid {
  const { bid, imp } = winner.candidate;
  const asked = request.imp[imp.slot];
  if (asked === undefined) throw new Error(`a winner for slot ${imp.slot}, which nobody asked for`);
  return {
    id: `${auctionId}-${imp.id}`,
    impid: asked.id,
    price: dollarsFromMicros(winner.toldMicros),
    adm: winner.adm,
    ...listField('adomain', bid.adomain),
    ...definedField('bundle', bid.bundle),
    ...definedField('iurl', bid.iurl),
    ...definedField('cid', bid.cid),
    ...definedField('crid', bid.crid),
    ...listField('cat', bid.cat),
    ...listField('attr', bid.attr),
    ...definedField('api', bid.api),
    ...definedField('protocol', bid.protocol),
    ...definedField('language', bid.language),
    ...definedField('w', bid.w),
    ...definedField('h', bid.h),
  };
}
