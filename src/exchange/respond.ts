import { leadClicks } from '../auction/click-targets.ts';
import { adFormatOf } from '../auction/formats.ts';
import { substituteMacros } from '../auction/macros.ts';
import { definedField, listField, unlessEmpty } from '../base/fields.ts';
import { dollarsFromMicros } from '../base/money.ts';
import type { Bid, BidResponse, SeatBid } from '../openrtb/bid-response.ts';
import { MarkupType } from '../openrtb/later-lists.ts';
import { macrosOf } from './bid-macros.ts';
import type { AdFormat } from '../events/dimensions.ts';
import type { DecidedAuction } from './decided-auction.ts';
import { notesOf } from './notes.ts';
import { seatNameOf, seatNonBidsOf, type NameSeat } from './seat-non-bids.ts';
import type { Size } from '../resources/formats.ts';
import type { Winner } from './winners.ts';

const MS_PER_SECOND = 1_000;

/**
 * What `bid.mtype` says. It is of OpenRTB 2.6 and goes to every publisher: without it a client that
 * offered several formats cannot tell what the markup is, and Prebid.js takes no bid.
 */
const MARKUP_TYPES: Readonly<Record<AdFormat, number>> = {
  banner: MarkupType.Banner,
  video: MarkupType.Video,
  native: MarkupType.Native,
};

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
 * Null when nobody won, unless the publisher is told what lost.
 *
 * @param sealFor makes the beacons of a winner.
 */
export function respond(
  auction: DecidedAuction,
  sealFor: (winner: Winner) => WinnerBeacons,
  nameSeat: NameSeat,
): BidResponse | null {
  const seatnonbid = seatNonBidsOf(auction, nameSeat);
  if (auction.winners.size === 0 && seatnonbid === null) return null;
  const { request, id: auctionId } = auction;
  const rialto = unlessEmpty({
    ...listField('notes', notesOf(auction)),
    ...definedField('seatnonbid', seatnonbid),
  });
  const { publisher } = auction.slots[0].space;
  const seats = new Map<number, SeatBid>();
  for (const winner of auction.winners.values()) {
    const { demandPartnerId } = winner.candidate;
    let seat = seats.get(demandPartnerId);
    if (seat === undefined) {
      seat = { bid: [], seat: seatNameOf(publisher, demandPartnerId, nameSeat) };
      seats.set(demandPartnerId, seat);
    }
    seat.bid.push(describeWinner(auction, winner, sealFor(winner)));
  }
  return {
    id: request.id,
    seatbid: [...seats.values()],
    bidid: auctionId,
    cur: 'USD',
    ...(rialto === undefined ? {} : { ext: { rialto } }),
  };
}

function describeWinner(
  { slots, id: auctionId, atMs }: DecidedAuction,
  winner: Winner,
  beacons: WinnerBeacons,
): Bid {
  const { bid, imp, deal, format } = winner.candidate;
  const asked = slots[imp.slot]?.incoming;
  if (asked === undefined) throw new Error(`a winner for slot ${imp.slot}, which nobody asked for`);
  const id = `${auctionId}-${imp.id}`;
  const adFormat = adFormatOf(format);
  const sold: Bid = {
    id,
    impid: asked.id,
    price: dollarsFromMicros(winner.toldMicros),
    burl: beacons.impression,
    adm: fillMarkup(winner, beacons),
    exp: Math.floor((winner.expiresMs - atMs) / MS_PER_SECOND),
    // Bidders need not say it, but header bidding clients drop what has none.
    crid: bid.crid ?? bid.adid ?? id,
    mtype: MARKUP_TYPES[adFormat],
    ext: {
      // Where Prebid's own extension has it.
      prebid: { type: adFormat },
      rialto: { view: beacons.view, click: beacons.click },
    },
  };
  if (beacons.win !== null) sold.nurl = beacons.win;
  if (deal !== null) sold.dealid = deal.id;
  passOn(bid, sold);
  sizeInto(sold, bid, adFormat === 'banner' ? imp.bannerSizes[0] : undefined);
  return sold;
}

/** What the publisher gets as the bidder said it; what was not said is left out. */
function passOn(bid: Bid, sold: Bid): void {
  const { adomain, bundle, iurl, cid, cat, cattax, attr, api, apis, protocol, language } = bid;
  if (adomain !== undefined && adomain.length > 0) sold.adomain = adomain;
  if (bundle !== undefined) sold.bundle = bundle;
  if (iurl !== undefined) sold.iurl = iurl;
  if (cid !== undefined) sold.cid = cid;
  if (cat !== undefined && cat.length > 0) sold.cat = cat;
  if (attr !== undefined && attr.length > 0) sold.attr = attr;
  if (api !== undefined) sold.api = api;
  if (protocol !== undefined) sold.protocol = protocol;
  if (language !== undefined) sold.language = language;
  if (bid.langb !== undefined) sold.langb = bid.langb;
  if (cattax !== undefined) sold.cattax = cattax;
  if (apis !== undefined && apis.length > 0) sold.apis = apis;
  if (bid.dur !== undefined) sold.dur = bid.dur;
}

/** The bid's own size; a banner that does not say it has the one that was offered. */
function sizeInto(sold: Bid, { w, h }: Bid, offered: Size | undefined): void {
  const width = w ?? offered?.w;
  const height = h ?? offered?.h;
  if (width !== undefined) sold.w = width;
  if (height !== undefined) sold.h = height;
}

/** Markup is substituted and otherwise left as it came. */
function fillMarkup({ settled, candidate }: Winner, { click, clickTo }: WinnerBeacons): string {
  const { adm, bid } = candidate;
  if (adm === null) throw new Error(`bid ${bid.id} won without markup`);
  const macros = macrosOf(settled, bid, { clickUrl: click });
  return substituteMacros(leadClicks(adm, macros, clickTo), macros, 'markup');
}
