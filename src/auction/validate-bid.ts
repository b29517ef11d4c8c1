import { dollarsFromMicros, microsFromPrice, PRICE_MAX_MICROS } from '../base/money.ts';
import type { Bid } from '../openrtb/bid-response.ts';
import { LossReason } from '../openrtb/loss-reason.ts';
import type { Deal } from '../snapshot/entities.ts';
import { findBlockedDomain } from './block-lists.ts';
import { checkCreative, checkFormat, formatOfMarkup } from './creative.ts';
import type { Objection } from './objection.ts';
import { checkReviews } from './creative-reviews.ts';
import { isDomain } from './domains.ts';
import type { LineItemMatch } from './eligibility.ts';
import { highestFloorMicros } from './floors.ts';
import type { Candidate, Offer } from './offer.ts';

/** Characters of a malformed domain that are told. */
const DOMAIN_CHARS_MAX = 64;

/** A bid that cannot compete, and why: the reason and, in words, the values that were compared. */
export interface Refusal {
  readonly reason: LossReason;
  readonly detail: string;
  /** What could be established before the bid was refused; 0 when it could not. */
  readonly lineItemId: number;
  readonly format: number;
  readonly priceMicros: number;
  /** What the bid had to reach; 0 where it was refused for something else before it could compete. */
  readonly floorMicros: number;
}

export type BidVerdict =
  | { readonly ok: true; readonly candidate: Candidate }
  | { readonly ok: false; readonly refusal: Refusal };

/** A bid to be judged: its partner, its seat and its group. */
export interface SubmittedBid {
  /** As of `canonicalBid`. */
  readonly bid: Bid;
  readonly demandPartnerId: number;
  /** `seatbid.seat`; undefined when the bidder named none. */
  readonly seat: string | undefined;
  readonly group: number | null;
}

/**
 * Decides whether a bid may compete for the impression that it names. Money first (impression,
 * deal, seat, price, floor), then the creative.
 *
 * @param offers what this bid request offered, by `imp.id`.
 * @param takesLateMarkup whether the markup may come with the answer to the win notice.
 */
export function validateBid(
  submitted: SubmittedBid,
  offers: ReadonlyMap<string, Offer>,
  takesLateMarkup: boolean,
): BidVerdict {
  const { bid } = submitted;
  const state = startOf(bid);
  const offer = offers.get(bid.impid);
  if (offer === undefined) {
    const offered = [...offers.keys()].join(', ');
    return refuse(state, LossReason.InvalidResponse, `impid ${bid.impid} is none of ${offered}`);
  }

  const deal = findDeal(submitted, offer);
  if (deal === undefined) {
    const offered = offer.deals.map((each) => each.id).join(', ') || 'none';
    const named = bid.dealid === undefined ? 'no dealid' : `dealid ${bid.dealid}`;
    return refuse(state, LossReason.InvalidDealId, `${named}; deals offered: ${offered}`);
  }

  const adm = bid.adm === undefined || bid.adm.trim() === '' ? null : bid.adm;
  const format = adm === null ? offer.formats : formatOfMarkup(adm);
  const matched = findLineItem(submitted, offer, { deal, format });
  if (matched === null) {
    const seats = offer.lineItems.map(({ lineItem }) => lineItem.seat).join(', ');
    return refuse(state, LossReason.SeatBlocked, `seat ${submitted.seat}; seats allowed: ${seats}`);
  }
  state.lineItemId = matched.lineItem.id;

  const formats = offer.formats & matched.formats;
  // A deal's floor replaces the other floors; an explicit 0 is 0. Markup that is still to come may be
  // of any of the formats, and its price is told before it comes.
  const floorMicros =
    deal === null
      ? Math.max(highestFloorMicros(offer.imp, format & formats), matched.lineItem.floorMicros)
      : deal.floorMicros;
  const tooLow = checkPrice(bid, deal, floorMicros);
  if (tooLow !== null) {
    state.floorMicros = floorMicros;
    return refuse(state, tooLow.reason, tooLow.detail);
  }
  const foreign = checkDomains(bid) ?? checkDealAdvertiser(bid, deal);
  if (foreign !== null) return refuse(state, foreign.reason, foreign.detail);

  const missing = adm === null ? objectToLateMarkup(bid, takesLateMarkup) : null;
  if (missing !== null) return refuse(state, LossReason.MissingMarkup, missing);
  const mismatch = checkFormat(format, formats);
  if (mismatch !== null) return refuse(state, mismatch.reason, mismatch.detail);
  state.format = format & formats;
  const dislike =
    checkCreative(bid, adm, state.format, offer.imp) ??
    checkReviews(bid, adm, submitted.demandPartnerId, offer.imp.creativeRules);
  if (dislike !== null) return refuse(state, dislike.reason, dislike.detail);

  const { priceMicros, lineItemId } = state;
  const { demandPartnerId, group } = submitted;
  const { imp } = offer;
  return {
    ok: true,
    candidate: {
      bid,
      demandPartnerId,
      lineItemId,
      imp,
      format: state.format,
      adm,
      deal,
      priceMicros,
      floorMicros,
      group,
    },
  };
}

/** Where every bid starts: refused as invalid until more is known of it. */
function startOf(bid: Bid): MutableRefusal {
  return {
    reason: LossReason.InvalidResponse,
    detail: '',
    lineItemId: 0,
    format: 0,
    priceMicros: isPrice(bid.price) ? microsFromPrice(bid.price) : 0,
    floorMicros: 0,
  };
}

/** Why the markup cannot come later; null where it can. */
function objectToLateMarkup({ nurl }: Bid, takesLateMarkup: boolean): string | null {
  if (nurl === undefined) return 'neither adm nor nurl brings markup';
  if (takesLateMarkup) return null;
  return 'adm is missing; no win notice brings it where the publisher decides, or in a test';
}

/** Above zero also once it is in micros: a price too small to be counted is none. */
function isPrice(dollars: number): boolean {
  if (!(dollars > 0 && dollars <= dollarsFromMicros(PRICE_MAX_MICROS))) return false;
  return microsFromPrice(dollars) > 0;
}

type MutableRefusal = { -readonly [Key in keyof Refusal]: Refusal[Key] };

function refuse(state: MutableRefusal, reason: LossReason, detail: string): BidVerdict {
  state.reason = reason;
  state.detail = detail;
  return { ok: false, refusal: state };
}

/** The deal that the bid answers, null for an open bid, undefined when that is not allowed. */
function findDeal(submitted: SubmittedBid, offer: Offer): Deal | null | undefined {
  const { dealid } = submitted.bid;
  if (offer.deals.length === 0) return dealid === undefined ? null : undefined;
  return offer.deals.find(
    (deal) =>
      deal.id === dealid && (submitted.seat === undefined || deal.seats.includes(submitted.seat)),
  );
}

/**
 * The line item that the bid belongs to: the deal's, else the one of its seat, else the lowest id
 * that binds no seat (any, when the bid names none). Of several it is the lowest id that takes the
 * bid's format, because one that does not never matched what the bid is for. Null: the seat is not
 * among those allowed.
 */
function findLineItem(
  { seat }: SubmittedBid,
  { imp, lineItems }: Offer,
  { deal, format }: { readonly deal: Deal | null; readonly format: number },
): LineItemMatch | null {
  const lowest = (belongs: (seat: string | null) => boolean): LineItemMatch | null => {
    let found: LineItemMatch | null = null;
    for (const match of lineItems) {
      if (!belongs(match.lineItem.seat)) continue;
      if ((match.formats & format) !== 0) return match;
      found ??= match;
    }
    return found;
  };
  if (seat !== undefined && imp.blockedSeats.includes(seat)) return null;
  if (seat !== undefined) return lowest((own) => own === seat) ?? lowest((own) => own === null);
  if (deal === null) return lowest(() => true);
  return lowest((own) => own !== null && deal.seats.includes(own)) ?? lowest(() => true);
}

function checkPrice({ price }: Bid, deal: Deal | null, floorMicros: number): Objection | null {
  if (!isPrice(price)) {
    const reason = price > 0 ? LossReason.InvalidResponse : LossReason.MissingPrice;
    return { reason, detail: `price ${price}; allowed: above 0, at most 10000 USD CPM` };
  }
  if (microsFromPrice(price) >= floorMicros) return null;
  return {
    reason: deal === null ? LossReason.BelowFloor : LossReason.BelowDealFloor,
    detail: `price ${price} is below the floor of ${dollarsFromMicros(floorMicros)}`,
  };
}

/** An advertiser whose name cannot be read could be any that is blocked. */
function checkDomains({ adomain }: Bid): Objection | null {
  const malformed = adomain?.find((domain) => !isDomain(domain));
  if (malformed === undefined) return null;
  const detail = `adomain ${malformed.slice(0, DOMAIN_CHARS_MAX)} is no domain`;
  return { reason: LossReason.InvalidAdvertiserDomain, detail };
}

function checkDealAdvertiser({ adomain }: Bid, deal: Deal | null): Objection | null {
  if (deal === null || deal.advertisers.length === 0) return null;
  const domains = adomain ?? [];
  // Looked up as in a list of blocked ones, because a bid may name thousands.
  const isAllowed = (domain: string): boolean =>
    findBlockedDomain(domain, deal.advertisers) !== null;
  if (domains.length > 0 && domains.every(isAllowed)) return null;
  return {
    reason: LossReason.NotAllowedInDeal,
    detail: `adomain ${domains.join(', ') || 'missing'}; deal ${deal.id} is for ${deal.advertisers.join(', ')}`,
  };
}
