import { leadClicks } from '../auction/click-targets.ts';
import { substituteMacros } from '../auction/macros.ts';
import { definedField, listField } from '../base/fields.ts';
import { dollarsFromMicros } from '../base/money.ts';
import type { Bid, BidResponse, SeatBid } from '../openrtb/bid-response.ts';
import { macrosOf } from './bid-macros.ts';
import type { DecidedAuction } from './record.ts';
import type { Winner } from './winners.ts';

const MS_PER_SECOND = 1_000;

/** The addresses that a page or a publisher's server calls for one winner. */
export interface WinnerBeacons {
  /** Confirms the win; null where the auction was final. */
  readonly win: string | null;
  readonly impression: string;
  readonly view: string;
  readonly click: string;
  /** The address of a click that leads to a target of the markup's; null for an unfit target. */
  readonly clickTo: (target: string) => string | null;
}

/**
 * The OpenRTB answer to the publisher: the winners under the request's own id, one seat for each
 * demand partner. `nurl` is there where the publisher decides, and confirms the win; `burl` counts
 * the impression, until `exp` seconds have passed; `ext.rialto` has what counts a view and a click.
 * Null when nobody won.
 *
 * @param sealFor makes the beacons of a winner.
 */
export function respond(
  auction: DecidedAuction,
  sealFor: (winner: Winner) => WinnerBeacons,
): BidResponse | null {
  if (auction.winners.size === 0) return null;
  const { request, id: auctionId } = auction;
  const seats = new Map<number, SeatBid>();
  for (const winner of auction.winners.values()) {
    const { demandPartnerId } = winner.candidate;
    let seat = seats.get(demandPartnerId);
    if (seat === undefined) {
      seat = { bid: [], seat: String(demandPartnerId) };
      seats.set(demandPartnerId, seat);
    }
    seat.bid.push(describeWinner(auction, winner, sealFor(winner)));
  }
  return { id: request.id, seatbid: [...seats.values()], bidid: auctionId, cur: 'USD' };
}

function describeWinner(
  { request, id: auctionId, atMs }: DecidedAuction,
  winner: Winner,
  beacons: WinnerBeacons,
): Bid {
  const { bid, imp } = winner.candidate;
  const asked = request.imp[imp.slot];
  if (asked === undefined) throw new Error(`a winner for slot ${imp.slot}, which nobody asked for`);
  return {
    id: `${auctionId}-${imp.id}`,
    impid: asked.id,
    price: dollarsFromMicros(winner.toldMicros),
    ...definedField('nurl', beacons.win),
    burl: beacons.impression,
    adm: fillMarkup(winner, beacons),
    exp: Math.floor((winner.expiresMs - atMs) / MS_PER_SECOND),
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
    ext: { rialto: { view: beacons.view, click: beacons.click } },
  };
}

/** Markup is substituted and otherwise left as it came. */
function fillMarkup({ settled, candidate }: Winner, { click, clickTo }: WinnerBeacons): string {
  const { adm, bid } = candidate;
  if (adm === null) throw new Error(`bid ${bid.id} won without markup`);
  const macros = macrosOf(settled, bid, { clickUrl: click });
  return substituteMacros(leadClicks(adm, macros, clickTo), macros, 'markup');
}
