import type { BidRequest, Imp } from '../src/openrtb/bid-request.ts';
import type { Bid, BidResponse } from '../src/openrtb/bid-response.ts';
import { createAd, type Ad } from './ads.ts';
import type { BidderProfile } from './profile.ts';
import type { Random } from './random.ts';

/** What a decision is made with. */
export interface BidContext {
  readonly profile: BidderProfile;
  /** The stream of this request alone. */
  readonly random: Random;
  /** Which bid request of the bidder this is, from 1; it makes the ids of the bids. */
  readonly sequence: number;
  /** Where the bidder listens; the notices come back here. */
  readonly origin: string;
  /** Bid wherever it is possible, above the floor: a fault needs a bid that it can spoil. */
  readonly eager: boolean;
}

/** The answer of a bidder to a bid request, or undefined for a no-bid. A pure function. */
export function decideBids(request: BidRequest, context: BidContext): BidResponse | undefined {
  if (!buysCountryOf(request, context.profile)) return undefined;
  const bidsOfSeat = new Map<string | undefined, Bid[]>();
  for (const [index, imp] of request.imp.entries()) {
    const random = context.random.fork(index);
    const terms = termsOf(request, imp, context.profile, random);
    const bid = terms && bidOn(imp, terms, { ...context, random, index });
    if (bid) bidsOfSeat.set(terms.seat, [...(bidsOfSeat.get(terms.seat) ?? []), bid]);
  }
  if (bidsOfSeat.size === 0) return undefined;
  return {
    id: request.id,
    bidid: `answer-${context.sequence}`,
    cur: 'USD',
    seatbid: Array.from(bidsOfSeat, ([seat, bid]) =>
      seat === undefined ? { bid } : { seat, bid },
    ),
  };
}

function buysCountryOf(request: BidRequest, { countries }: BidderProfile): boolean {
  const country = request.device?.geo?.country;
  return countries.length === 0 || (country !== undefined && countries.includes(country));
}

/** On what terms a bidder may bid on an impression. */
interface Terms {
  readonly seat: string | undefined;
  readonly dealId: string | undefined;
  readonly floorUsd: number;
  /** Whether the floor is the price, as in a deal with `at` 3. */
  readonly fixed: boolean;
  /** The advertisers that may be shown. */
  readonly adomains: readonly string[];
}

function termsOf(
  request: BidRequest,
  imp: Imp,
  profile: BidderProfile,
  random: Random,
): Terms | undefined {
  const blocked = request.badv ?? [];
  const adomains = profile.adomains.filter(
    (adomain) => !blocked.includes(adomain) && !isCategoryBlocked(request, profile, adomain),
  );
  const deals = imp.pmp?.deals ?? [];
  for (const deal of profile.answersDeals ? deals : []) {
    const seats = allowedSeats(request, profile).filter(
      (seat) => deal.wseat?.includes(seat) ?? true,
    );
    const welcome = adomains.filter((adomain) => deal.wadomain?.includes(adomain) ?? true);
    if (seats.length === 0 || welcome.length === 0) continue;
    return {
      seat: random.pick(seats),
      dealId: deal.id,
      floorUsd: deal.bidfloor ?? 0,
      fixed: deal.at === 3,
      adomains: welcome,
    };
  }
  // The specification's default of private_auction is 1: only the deals' seats may bid.
  if (deals.length > 0 && imp.pmp?.private_auction !== 0) return undefined;
  const seats = allowedSeats(request, profile);
  const seatless = profile.seats.length === 0 && request.wseat === undefined;
  if (adomains.length === 0 || (seats.length === 0 && !seatless)) return undefined;
  return {
    seat: seatless ? undefined : random.pick(seats),
    dealId: undefined,
    floorUsd: imp.bidfloor ?? 0,
    fixed: false,
    adomains,
  };
}

function allowedSeats(request: BidRequest, profile: BidderProfile): readonly string[] {
  return profile.seats.filter(
    (seat) => (request.wseat?.includes(seat) ?? true) && !request.bseat?.includes(seat),
  );
}

function isCategoryBlocked(request: BidRequest, profile: BidderProfile, adomain: string): boolean {
  const category = categoryOf(profile, adomain);
  return category !== undefined && (request.bcat ?? []).includes(category);
}

function categoryOf(profile: BidderProfile, adomain: string): string | undefined {
  return profile.categories[profile.adomains.indexOf(adomain) % profile.categories.length];
}

interface ImpContext extends BidContext {
  readonly index: number;
}

function bidOn(imp: Imp, terms: Terms, context: ImpContext): Bid | undefined {
  const { profile, random, eager, origin } = context;
  const wants = random.chance(profile.bidRate);
  const price = priceOf(terms, context);
  if (!eager && (!wants || price === undefined)) return undefined;
  const adomain = random.pick(terms.adomains);
  const id = `bid-${context.sequence}-${context.index + 1}`;
  // Markup for a secure page may not load over http, which is all that this bidder speaks.
  const trackerOrigin = imp.secure === 1 ? `https://track.${adomain}` : origin;
  const ad = createAd(imp, profile.formats, { bidId: id, adomain, trackerOrigin, random });
  if (ad === undefined) return undefined;
  return {
    id,
    impid: imp.id,
    price: price ?? aboveFloor(terms.floorUsd, random),
    ...noticesOf(id, origin),
    ...describe(ad, adomain, profile),
    ...(terms.dealId === undefined ? {} : { dealid: terms.dealId }),
  };
}

/** The price in USD CPM, or undefined when the impression is not worth its floor. */
function priceOf(terms: Terms, { profile, random, eager }: ImpContext): number | undefined {
  const { floorUsd, fixed } = terms;
  const valueUsd = random.logNormal(profile.price.medianUsd, profile.price.spread);
  const missesFloor = random.chance(profile.belowFloorRate);
  if (missesFloor && floorUsd > 0 && !eager) return mills(floorUsd * (0.5 + 0.4 * random.next()));
  if (fixed) return floorUsd;
  if (valueUsd >= floorUsd) return Math.max(0.01, mills(valueUsd));
  // Buyers stretch for what they know that they cannot have for less, but not without end.
  return valueUsd >= floorUsd / 3 ? aboveFloor(floorUsd, random) : undefined;
}

function aboveFloor(floorUsd: number, random: Random): number {
  return Math.max(0.01, mills(floorUsd * (1 + 0.2 * random.next())));
}

/** Rounded up to a thousandth of a dollar, so that a price at the floor stays at or above it. */
function mills(usd: number): number {
  return Math.ceil(usd * 1000) / 1000;
}

/** Addresses of this bidder with the macros that tell it what became of the bid. */
function noticesOf(bidId: string, origin: string): Pick<Bid, 'nurl' | 'burl' | 'lurl'> {
  const query =
    `?bid=${bidId}&auction=\${AUCTION_ID}&answer=\${AUCTION_BID_ID}&imp=\${AUCTION_IMP_ID}` +
    `&seat=\${AUCTION_SEAT_ID}&price=\${AUCTION_PRICE}&currency=\${AUCTION_CURRENCY}`;
  return {
    nurl: `${origin}/notice/win${query}&min_to_win=\${AUCTION_MIN_TO_WIN}`,
    burl: `${origin}/notice/billing${query}`,
    lurl: `${origin}/notice/loss${query}&loss=\${AUCTION_LOSS}&min_to_win=\${AUCTION_MIN_TO_WIN}`,
  };
}

/** The fields of a bid that say what will be shown, and for whom. */
function describe(ad: Ad, adomain: string, profile: BidderProfile): Partial<Bid> & { adm: string } {
  const category = categoryOf(profile, adomain);
  const size = ad.format === 'native' ? '' : `-${ad.w}x${ad.h}`;
  const crid = `${adomain}-${ad.format}${size}`;
  return {
    adm: ad.adm,
    adid: crid,
    adomain: [adomain],
    cid: `campaign-${profile.adomains.indexOf(adomain) + 1}`,
    crid,
    iurl: `https://media.${adomain}/${crid}.png`,
    ...(category === undefined ? {} : { cat: [category] }),
    ...(ad.format === 'native' ? {} : { w: ad.w, h: ad.h }),
    ...(ad.attr.length > 0 ? { attr: [...ad.attr] } : {}),
    ...(ad.protocol === undefined ? {} : { protocol: ad.protocol }),
  };
}
