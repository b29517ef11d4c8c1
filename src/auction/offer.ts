import type { NativeRequest } from '../openrtb/native-request.ts';
import type { Bid } from '../openrtb/bid-response.ts';
import type { BidRequirements, Blocking, Deal } from '../snapshot/entities.ts';
import type { Size } from '../resources/formats.ts';
import type { CreativeRules } from './creative-reviews.ts';
import type { LineItemMatch } from './eligibility.ts';
import type { FormatFloors } from './floors.ts';

/**
 * What bidders were told that an impression takes, as far as a creative can be held against it.
 * Fields are named and valued as in OpenRTB; what nobody was told limits nothing.
 */
export interface BannerTerms {
  readonly api?: readonly number[];
  readonly btype?: readonly number[];
}

export interface VideoTerms {
  readonly api?: readonly number[];
  /** Content types that the player shows. */
  readonly mimes?: readonly string[];
  readonly minduration: number;
  readonly maxduration: number;
  /** Seconds beyond `maxduration`; −1 without limit. */
  readonly maxextended?: number;
  readonly linearity?: number;
}

export interface NativeTerms {
  readonly api?: readonly number[];
}

/**
 * One impression on sale. `slot` is its place in the publisher's request and what gets filled:
 * the auction picks at most one winner a slot.
 */
export interface AuctionImp {
  readonly slot: number;
  /** The id that bidders see, `imp.id` of the bid request. */
  readonly id: string;
  /**
   * The publisher's floor, the highest of the request's and of those configured, as a buyer pays it.
   * Where formats have floors of their own it is the lowest of the formats that are for sale.
   */
  readonly floorMicros: number;
  /** The floors of the formats; null where `floorMicros` holds for all of them. */
  readonly formatFloors: FormatFloors | null;
  readonly firstPrice: boolean;
  /** Bit mask of what may fill it: `FORMAT_BANNER`, `FORMAT_VIDEO`, `FORMAT_NATIVE`. */
  readonly formats: number;
  /** Banner sizes that fit; an interstitial takes whatever is not larger. */
  readonly bannerSizes: readonly Size[];
  readonly interstitial: boolean;
  /** Everything that creatives load must come over HTTPS. */
  readonly secure: boolean;
  readonly blocking: Blocking;
  /** The VAST that the player takes, OpenRTB list 5.8. */
  readonly protocols: readonly number[];
  /** What a native ad has to bring; null where none fits. */
  readonly native: NativeRequest | null;
  /** Languages that creatives may have, ISO 639-1 alpha-2; empty is no restriction. */
  readonly languages: readonly string[];
  /** Seats that the publisher does not sell to. */
  readonly blockedSeats: readonly string[];
  /** What bid requests say of its media; null for a format that it is not for. */
  readonly banner: BannerTerms | null;
  readonly video: VideoTerms | null;
  readonly nativeTerms: NativeTerms | null;
  readonly requirements: BidRequirements;
  /** What people have decided about creatives; null where that is nothing. */
  readonly creativeRules: CreativeRules | null;
}

/** An impression as one bid request offers it to one demand partner. */
export interface Offer {
  readonly imp: AuctionImp;
  readonly lineItems: readonly LineItemMatch[];
  /** Formats that at least one of the line items takes. */
  readonly formats: number;
  /** Not empty makes it a private auction: a bid has to name one of these. */
  readonly deals: readonly Deal[];
}

/** A bid that passed validation and competes. */
export interface Candidate {
  readonly bid: Bid;
  readonly demandPartnerId: number;
  readonly lineItemId: number;
  readonly imp: AuctionImp;
  /** What the markup is; while it is still to come, all that it may be. */
  readonly format: number;
  /** Null while the markup is to come with the answer to the win notice. */
  readonly adm: string | null;
  readonly deal: Deal | null;
  readonly priceMicros: number;
  /** The deal's floor, else the highest of the floors that apply to the bid. */
  readonly floorMicros: number;
  /** Bids of one `seatbid` with `group` 1 share a number and win together; null stands alone. */
  readonly group: number | null;
}
