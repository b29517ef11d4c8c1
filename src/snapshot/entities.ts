import type { Targeting } from './targeting.ts';

/**
 * What the exchange needs to know of its configuration, one record per entity. These are the lines
 * of a snapshot (see `wire.ts`): money in integer micros, shares in basis points, countries as they
 * are configured. `src/configuration/compile.ts` makes them from the store's resources.
 */
export type Entity =
  | ExchangeSettings
  | DemandPartner
  | LineItem
  | Publisher
  | Property
  | AdSpace
  | Deal
  | CreativeReview;

export type Status = 'ACTIVE' | 'PAUSED' | 'ARCHIVED';

/** `required`: a creative that nobody has approved is not shown. */
export type ReviewPolicy = 'none' | 'required';

/** What an exchange, publisher, property, ad space or request does not want to show. */
export interface Blocking {
  /** Content taxonomy ids; a blocked parent blocks its children. */
  readonly categories: readonly string[];
  /** Advertiser domains; a blocked domain blocks its subdomains. */
  readonly advertisers: readonly string[];
  /** Android package names and iOS numeric ids. */
  readonly apps: readonly string[];
  /** Creative attributes, OpenRTB list 5.3. */
  readonly attributes: readonly number[];
}

/** What the exchange wants of every bid, beyond what OpenRTB requires. */
export interface BidRequirements {
  readonly fields: readonly ('adomain' | 'cat' | 'crid' | 'iurl')[];
  /** The most advertiser domains that a bid may name; null is no limit. */
  readonly adomainsMax: number | null;
}

/**
 * What is done with the ad requests of known spiders and data centers: nothing, or bidders are asked
 * and what comes of it is not billed, or nobody is asked.
 */
export type TrafficTreatment = 'ignore' | 'mark' | 'refuse';

export interface ExchangeSettings {
  readonly kind: 'exchange';
  readonly name: string;
  readonly blocking: Blocking;
  /** CIDR ranges of private addresses that bidders and notices may live at. */
  readonly allowPrivateAddresses: readonly string[];
  /** Time for an auction when the publisher's request names none. */
  readonly tmaxDefaultMs: number;
  /** The longest time that a publisher's request may ask for. */
  readonly tmaxMaxMs: number;
  /** Part of the auctions without a winner whose trace is kept, in basis points. All wins are kept. */
  readonly traceShareBps: number;
  /** Part of all auctions whose trace holds what was sent and answered, in basis points. */
  readonly traceBodiesBps: number;
  /** A loss notice tells the clearing price; otherwise its `${AUCTION_PRICE}` is empty. */
  readonly lossNoticePrice: boolean;
  readonly bidRequirements: BidRequirements;
  /** Whether creatives have to be approved by the operator before they are shown anywhere. */
  readonly creativeReview: ReviewPolicy;
  /** Where the exchange's sellers are listed: its `asi` in supply chains; null names it in none. */
  readonly domain: string | null;
  /** Its id in payment chains; null names it in none. */
  readonly paymentId: string | null;
  /** Its id at the Trustworthy Accountability Group; null is none. */
  readonly tagId: string | null;
  /** Whom sellers.json names for questions; null names nobody. */
  readonly contactEmail: string | null;
  readonly contactAddress: string | null;
  readonly invalidTraffic: TrafficTreatment;
  /** The exchange's own vendor id, for what it keeps in browsers; null leaves that to others. */
  readonly gvlId: number | null;
}

export interface DemandPartner {
  readonly kind: 'demandPartner';
  readonly id: number;
  readonly name: string;
  readonly status: Status;
  /** The operator has stopped all calls to it, whatever its status says. */
  readonly stopped: boolean;
  readonly bidder: Bidder | null;
}

/** Where and how a demand partner is asked for bids. */
export interface Bidder {
  readonly endpoint: string;
  readonly openrtbVersion: '2.6' | '2.5' | '2.2';
  readonly timeoutMs: number;
  /** Bid requests a second over the whole exchange; null is no limit. */
  readonly maxQps: number | null;
  /** Bid requests open at a time in one exchange process; null is what a process allows at most. */
  readonly maxConcurrency: number | null;
  readonly sendBidfloor: boolean;
  /** Bid requests go out gzipped, and gzipped answers are asked for. */
  readonly gzip: boolean;
  /** Vendor id of the global vendor list, for consent strings. */
  readonly gvlId: number | null;
  /** Content types that its creatives have; null is any. */
  readonly mimes: readonly string[] | null;
  /** It is told how likely an impression is seen, where the ad space says so. */
  readonly sendViewability: boolean;
  /** A bidder of version 2.2 gets native ads in `imp.ext.native`, also alone; without it none. */
  readonly nativeInExt: boolean;
  /** An interstitial of several formats is one impression, or a pair of which one is filled. */
  readonly interstitialImps: 'one' | 'pair';
  /** What a browser opens so that the partner tells its id of the user, with macros; null for none. */
  readonly syncUrl: string | null;
  readonly syncType: 'image' | 'iframe';
  /** Sent with every bid request, by their names; may be secrets. Null for none. */
  readonly headers: Readonly<Record<string, string>> | null;
}

export interface LineItem {
  readonly kind: 'lineItem';
  readonly id: number;
  readonly demandPartnerId: number;
  readonly name: string;
  readonly status: Status;
  /** The buyer seat whose bids belong here; null takes the bids that name no seat. */
  readonly seat: string | null;
  readonly floorMicros: number;
  readonly capping: Capping;
  readonly targeting: Targeting;
}

/** Limits of a line item; null is no limit. */
export interface Capping {
  readonly maxQps: number | null;
  readonly maxDailyImpressions: number | null;
  readonly maxDailySpendMicros: number | null;
}

/** One rule of the floors of a publisher, property or ad space; see `auction/floors.ts`. */
export interface FloorRule {
  /** ISO 3166-1 alpha-2; empty is everywhere, also where nobody knows. */
  readonly countries: readonly string[];
  /** Empty is all. */
  readonly formats: readonly Format[];
  /** As a buyer pays it. */
  readonly floorMicros: number;
}

/** The formats of an ad, by the names that OpenRTB's Imp object has for them. */
export type Format = 'banner' | 'video' | 'native';

export interface Publisher {
  readonly kind: 'publisher';
  readonly id: number;
  readonly name: string;
  readonly status: Status;
  readonly revenueShareBps: number;
  /** What an OpenRTB response tells this publisher: its share, or the clearing price. */
  readonly priceBasis: 'net' | 'gross';
  /**
   * The publisher decides which bid it shows, as `source.fd` = 1 in each of its requests: a win
   * counts once it is confirmed.
   */
  readonly confirmsWins: boolean;
  /** Whether it may ask what lost, and by which names it then knows the seats of demand partners. */
  readonly seatNonBids: 'none' | 'pseudonyms' | 'seats';
  /** Whether creatives have to be approved, by it or by the operator, before it shows them. */
  readonly creativeReview: ReviewPolicy;
  /** Its id among the exchange's sellers; null is its own id. */
  readonly sellerId: string | null;
  /** Other ids under which its requests may name it, such as its account at a Prebid Server. */
  readonly aliases: readonly string[];
  /** Whether it sells what is its own, what is others', or both; as sellers.json spells it. */
  readonly sellerType: 'PUBLISHER' | 'INTERMEDIARY' | 'BOTH';
  /** Null is as the exchange has it. */
  readonly invalidTraffic: TrafficTreatment | null;
  readonly domain: string | null;
  readonly categories: readonly string[];
  /** Bidders get the names of the publisher and its apps as blanks. */
  readonly hidesNames: boolean;
  readonly floors: readonly FloorRule[];
  readonly blocking: Blocking;
}

/** An app or a site of a publisher: what a bid request describes as `app` or `site`. */
export interface Property {
  readonly kind: 'property';
  readonly id: number;
  readonly publisherId: number;
  readonly type: 'app' | 'site';
  readonly name: string;
  readonly status: Status;
  /** Apps: Android package name or iOS numeric id. Sites: null. */
  readonly bundle: string | null;
  /** Domain of the site, or of the app's maker. */
  readonly domain: string | null;
  readonly platform: 'Android' | 'iOS' | null;
  readonly storeurl: string | null;
  readonly categories: readonly string[];
  /** Languages that creatives may have, ISO 639-1 alpha-2; empty is no restriction. */
  readonly languages: readonly string[];
  readonly floors: readonly FloorRule[];
  readonly blocking: Blocking;
}

export interface Size {
  readonly w: number;
  readonly h: number;
}

/** Fields are named and valued as in OpenRTB's Banner object (section 2.6). */
export interface BannerSettings {
  /** Sizes that may be shown, the preferred one first. */
  readonly sizes: readonly Size[];
  readonly api: readonly number[];
}

/** Fields are named and valued as in OpenRTB's Video object (section 2.7). */
export interface VideoSettings extends Size {
  readonly minduration: number;
  readonly maxduration: number;
  readonly minbitrate: number;
  readonly maxbitrate: number;
  readonly linearity: number;
  readonly startdelay: number | null;
  readonly placement: number | null;
  readonly skip: number | null;
  readonly skipmin: number | null;
  readonly skipafter: number | null;
  readonly maxextended: number | null;
  readonly boxingallowed: number | null;
  readonly playbackmethod: readonly number[];
  readonly playbackend: number | null;
  readonly delivery: readonly number[];
  readonly api: readonly number[];
  /** Sizes of the companion banners. */
  readonly companionad: readonly Size[];
  readonly companiontype: readonly number[];
  /** How companions are shown: 0 beside the video, 1 after it; null does not say. */
  readonly vcm: number | null;
  /** Shown outside of any video content. */
  readonly outstream: boolean;
}

/** The assets of a native ad space; null is not asked for. Lengths in characters. */
export interface NativeSettings {
  readonly title: number | null;
  readonly icon: ImageSettings | null;
  readonly image: ImageSettings | null;
  readonly description: number | null;
  readonly cta: number | null;
  readonly rating: boolean;
  /** Native 7.1 and 7.2. */
  readonly context: number | null;
  readonly contextsubtype: number | null;
}

/** What an image asset asks for: a size that is exact or the least, and content types, empty for any. */
export interface ImageSettings extends Size {
  readonly isMinimum: boolean;
  readonly mimes: readonly string[];
}

/** How often a page may ask for another ad in the place of the one that is there. */
export interface Refresh {
  /** The least between two ads, in seconds. */
  readonly minSeconds: number;
  /** Ads after the first that one view of a page may show there; null is no limit, 0 none. */
  readonly maxPerPage: number | null;
}

/** What a tag shows where nobody bought, by format; null is nothing. It is never a sale. */
export interface Backfill {
  /** HTML. */
  readonly banner: string | null;
  /** The address of a VAST tag. */
  readonly video: string | null;
  /** A native response as JSON text. */
  readonly native: string | null;
}

export interface AdSpace {
  readonly kind: 'adSpace';
  readonly id: number;
  readonly propertyId: number;
  readonly name: string;
  readonly status: Status;
  readonly banner: BannerSettings | null;
  readonly video: VideoSettings | null;
  readonly native: NativeSettings | null;
  /** The least that holds everywhere and for all formats; `floors` may ask for more. */
  readonly floorMicros: number;
  readonly floors: readonly FloorRule[];
  readonly auctionType: 'second_price' | 'first_price';
  readonly interstitial: boolean;
  readonly rewarded: boolean;
  /** OpenRTB list 5.4. */
  readonly pos: number | null;
  /** How likely an impression is seen, from 0 to 1; null tells nobody. */
  readonly viewability: number | null;
  /** Seconds that may pass between auction and impression; null does not say. */
  readonly exp: number | null;
  /** Names of the iframe busters that are there. */
  readonly iframebusters: readonly string[];
  /** Null is no limit. */
  readonly refresh: Refresh | null;
  readonly backfill: Backfill | null;
  readonly blocking: Blocking;
}

export interface Deal {
  readonly kind: 'deal';
  /** As it stands in `imp.pmp.deals[].id` and `bid.dealid`. */
  readonly id: string;
  readonly name: string;
  readonly status: Status;
  readonly adSpaceIds: readonly number[];
  readonly seats: readonly string[];
  /** Deal.at: first_price 1, second_price 2, fixed_price 3. */
  readonly type: 'first_price' | 'second_price' | 'fixed_price';
  /** The floor, or the agreed price of a fixed-price deal. */
  readonly floorMicros: number;
  /** Advertiser domains that may use the deal; empty is no restriction. */
  readonly advertisers: readonly string[];
}

/** What somebody has decided about a creative, or about all creatives of an advertiser. */
export interface CreativeReview {
  readonly kind: 'creativeReview';
  readonly id: number;
  /** For whose ad spaces it holds; null is the operator's, and holds everywhere. */
  readonly publisherId: number | null;
  /** Whose creatives it is about; null is anybody's. A creative id is always somebody's. */
  readonly demandPartnerId: number | null;
  /** Either the creative, by its id (see `auction/creative-id.ts`), or the advertiser's domain. */
  readonly target: 'crid' | 'domain';
  readonly value: string;
  readonly verdict: 'blocked' | 'approved';
  /** Why, in somebody's own words; may be empty. */
  readonly reason: string;
}
