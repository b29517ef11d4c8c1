import { createEligibility, type Eligibility } from '../auction/eligibility.ts';
import {
  createCreativeReviews,
  type CreativeReviews,
  type CreativeRules,
} from '../auction/creative-reviews.ts';
import { compileFloors, type FloorTable } from '../auction/floors.ts';
import { FORMAT_BANNER, FORMAT_NATIVE, FORMAT_VIDEO } from '../auction/formats.ts';
import type { AdSpace, Blocking, Property, Publisher } from '../snapshot/entities.ts';
import type { FloorRule } from '../resources/floors.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { nativeRequestOf } from '../auction/native-request.ts';
import type { NativeOffer } from './native-offer.ts';

/**
 * One version of the configuration, made ready for auctions. An auction takes the market that is
 * current when it starts and keeps it to its end.
 */
export interface Market {
  readonly snapshot: Snapshot;
  readonly eligibility: Eligibility;
  /** The ad space with this `imp.tagid`, with everything about it that no request changes. */
  space(tagid: string): Space | undefined;
  /**
   * The market of the next version, which shares with this one what the snapshots share; this one
   * stays as it is.
   *
   * @param pause as in {@link createMarket}.
   */
  next(snapshot: Snapshot, pause: () => Promise<void>): Promise<Market>;
}

/** An ad space together with what it belongs to. Built when it is first asked for. */
export interface Space {
  readonly adSpace: AdSpace;
  readonly property: Property;
  readonly publisher: Publisher;
  /** Formats that the ad space takes. */
  readonly formats: number;
  /** What it asks native ads for; null where it takes none. */
  readonly native: NativeOffer | null;
  /** The floors by country and format, of publisher, property and ad space; each has to be reached. */
  readonly floors: readonly FloorTable[];
  /** The union of what exchange, publisher, property and ad space block. */
  readonly blocking: Blocking;
  /** What people have decided about creatives; null where that is nothing. */
  readonly creativeRules: CreativeRules | null;
}

/**
 * @param pause runs between slices of work, so that a large snapshot does not hold up auctions.
 */
export async function createMarket(
  snapshot: Snapshot,
  pause: () => Promise<void>,
): Promise<Market> {
  return marketOf({
    snapshot,
    eligibility: await createEligibility(snapshot, pause),
    reviews: await creativeReviewsOf(snapshot, pause),
    spaces: new Map(),
  });
}

interface MarketParts {
  readonly snapshot: Snapshot;
  readonly eligibility: Eligibility;
  readonly reviews: CreativeReviews;
  /** Those that were asked for. */
  readonly spaces: Map<string, Space>;
}

function marketOf(parts: MarketParts): Market {
  const { snapshot, eligibility, reviews, spaces } = parts;
  return {
    snapshot,
    eligibility,
    space(tagid) {
      let space = spaces.get(tagid);
      if (space === undefined) {
        space = createSpace(snapshot, reviews, tagid);
        if (space !== undefined) spaces.set(tagid, space);
      }
      return space;
    },
    next: (after, pause) => nextMarket(parts, after, pause),
  };
}

async function nextMarket(
  present: MarketParts,
  snapshot: Snapshot,
  pause: () => Promise<void>,
): Promise<Market> {
  const eligibility = await present.eligibility.next(snapshot, pause);
  const isSame = (...kinds: readonly (keyof Snapshot)[]): boolean =>
    kinds.every((kind) => snapshot[kind] === present.snapshot[kind]);
  const sameReviews = isSame('exchange', 'publishers', 'demandPartners', 'creativeReviews');
  const reviews = sameReviews ? present.reviews : await creativeReviewsOf(snapshot, pause);
  const sameSpaces = sameReviews && isSame('properties', 'adSpaces');
  const spaces = sameSpaces ? present.spaces : new Map<string, Space>();
  return marketOf({ snapshot, eligibility, reviews, spaces });
}

function creativeReviewsOf(
  { exchange, publishers, demandPartners, creativeReviews }: Snapshot,
  pause: () => Promise<void>,
): Promise<CreativeReviews> {
  const sources = {
    operatorRequires: exchange.creativeReview === 'required',
    publishers: publishers.values(),
    reviews: creativeReviews,
    partnerName: (id: number) => demandPartners.get(id)?.name ?? `partner ${id}`,
  };
  return createCreativeReviews(sources, pause);
}

function createSpace(
  snapshot: Snapshot,
  reviews: CreativeReviews,
  tagid: string,
): Space | undefined {
  const adSpace = snapshot.adSpaces.get(tagid);
  if (adSpace === undefined) return undefined;
  const property = snapshot.properties.get(adSpace.propertyId);
  const publisher = property && snapshot.publishers.get(property.publisherId);
  if (property === undefined || publisher === undefined) {
    throw new Error(`ad space ${tagid} of the snapshot belongs to nobody`);
  }
  const owners = [publisher, property, adSpace];
  const native = adSpace.native === null ? null : nativeRequestOf(adSpace.native);
  return {
    adSpace,
    property,
    publisher,
    native: native === null ? null : { request: native, text: JSON.stringify(native), leftOut: [] },
    formats:
      (adSpace.banner === null ? 0 : FORMAT_BANNER) |
      (adSpace.video === null ? 0 : FORMAT_VIDEO) |
      (adSpace.native === null ? 0 : FORMAT_NATIVE),
    floors: owners.flatMap(({ floors }) => (floors.length === 0 ? [] : [tableOf(floors)])),
    blocking: owners.reduce(
      (blocking, owner) => uniteBlocking(blocking, owner.blocking),
      snapshot.exchange.blocking,
    ),
    creativeRules: reviews.rulesFor(publisher.id),
  };
}

/** Those of a publisher or property are compiled once for all its ad spaces. */
const tables = new WeakMap<readonly FloorRule[], FloorTable>();

function tableOf(rules: readonly FloorRule[]): FloorTable {
  let table = tables.get(rules);
  if (table === undefined) {
    table = compileFloors(rules);
    tables.set(rules, table);
  }
  return table;
}

/** Blocking adds up: nobody can allow what somebody else has blocked. */
export function uniteBlocking(one: Blocking, other: Blocking): Blocking {
  return {
    categories: unite(one.categories, other.categories),
    advertisers: unite(one.advertisers, other.advertisers),
    apps: unite(one.apps, other.apps),
    attributes: unite(one.attributes, other.attributes),
  };
}

/** Most lists are empty on one side, and a request's are short. */
function unite<Item>(one: readonly Item[], other: readonly Item[]): readonly Item[] {
  if (other.length === 0) return one;
  if (one.length === 0) return other;
  return [...new Set([...one, ...other])];
}
