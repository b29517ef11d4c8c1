import type { FloorRule } from '../resources/floors.ts';
import type { AD_SPACE } from '../resources/ad-space.ts';
import type { BIDDER } from '../resources/bidder.ts';
import type { DEAL } from '../resources/deal.ts';
import type { DEMAND_PARTNER } from '../resources/demand-partner.ts';
import type { EXCHANGE } from '../resources/exchange.ts';
import type { CarriedOf } from '../resources/field-table.ts';
import type { LINE_ITEM } from '../resources/line-item.ts';
import type { APP_FIELDS } from '../resources/property.ts';
import type { PUBLISHER } from '../resources/publisher.ts';

/**
 * What the exchange needs to know of its configuration, one record per entity. These are the lines
 * of a snapshot (see `wire.ts`): money in integer micros, shares in basis points, countries as they
 * are configured. Their fields are those of the resources, whose tables in `src/resources/` say what
 * each means; `src/configuration/compile.ts` makes them.
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

export interface ExchangeSettings extends CarriedOf<typeof EXCHANGE> {
  readonly kind: 'exchange';
}

export interface DemandPartner extends CarriedOf<typeof DEMAND_PARTNER> {
  readonly kind: 'demandPartner';
  readonly id: number;
  /** The operator has stopped all calls to it, whatever its status says. */
  readonly stopped: boolean;
  readonly bidder: Bidder | null;
}

/** Where and how a demand partner is asked for bids. */
export interface Bidder extends CarriedOf<typeof BIDDER> {}

export interface LineItem extends CarriedOf<typeof LINE_ITEM> {
  readonly kind: 'lineItem';
  readonly id: number;
  readonly demandPartnerId: number;
}

export interface Publisher extends CarriedOf<typeof PUBLISHER> {
  readonly kind: 'publisher';
  readonly id: number;
}

/** An app or a site of a publisher: what a bid request describes as `app` or `site`. */
export interface Property extends CarriedOf<typeof APP_FIELDS> {
  readonly kind: 'property';
  readonly id: number;
  readonly publisherId: number;
  readonly type: 'app' | 'site';
}

export interface AdSpace extends CarriedOf<typeof AD_SPACE> {
  readonly kind: 'adSpace';
  readonly id: number;
  readonly propertyId: number;
}

export interface Deal extends CarriedOf<typeof DEAL> {
  readonly kind: 'deal';
  /** As it stands in `imp.pmp.deals[].id` and `bid.dealid`. */
  readonly id: string;
  /** The floor, or the agreed price of a fixed-price deal. */
  readonly floorMicros: number;
}

export type Status = LineItem['status'];

/** What an exchange, publisher, property, ad space or request does not want to show. */
export type Blocking = Publisher['blocking'];

/** What the exchange wants of every bid, beyond what OpenRTB requires. */
export type BidRequirements = ExchangeSettings['bidRequirements'];

/**
 * What is done with the ad requests of known spiders and data centers: nothing, or bidders are asked
 * and what comes of it is not billed, or nobody is asked.
 */
export type TrafficTreatment = ExchangeSettings['invalidTraffic'];

/** The formats of an ad, by the names that OpenRTB's Imp object has for them. */
export type Format = FloorRule['formats'][number];

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
