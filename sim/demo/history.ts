import { parse } from 'yaml';
import { tieBreak } from '../../src/auction/tie-break.ts';
import { CENT_MICROS, shareOf } from '../../src/base/money.ts';
import type { AdFormat } from '../../src/events/dimensions.ts';
import type { AuctionRecord, BidRecord, CallRecord } from '../../src/events/auction-record.ts';
import type { BeaconRecord } from '../../src/events/beacon-record.ts';
import { TIME_DIGITS } from '../../src/events/auction-id.ts';
import { RANDOM_BYTES } from '../../src/exchange/auction-id.ts';
import { LossReason } from '../../src/openrtb/loss-reason.ts';
import { describeBeacons } from './history-beacons.ts';
import { historyMoments } from './volume.ts';

const BASIS_POINTS = 10_000;

/** Countries by how much of the traffic is theirs. */
const COUNTRIES =
  'USA USA USA USA USA USA USA USA USA GBR GBR GBR DEU DEU FRA FRA ESP ITA NLD BRA MEX IND'.split(
    ' ',
  );

/** What partners pay at most, in dollars, by the last digit of their ids: none bids like another. */
const PRICES = [2, 4, 5, 8, 11];
const BID_RATE = 0.6;
/** What becomes of calls without a bid, mostly an answer that says no. */
const LATE_RATE = 0.07;
const ERROR_RATE = 0.02;
/** Bids of advertisers that the publisher blocks. */
const BLOCKED_RATE = 0.04;

/** What a demo's history is made for. */
export interface DemoHistoryOptions {
  /** Unix time in milliseconds; nothing of it is later. */
  readonly now: number;
  /** Ad requests a second of the demo, to which the last hours lead. */
  readonly rate: number;
  /** The incarnation whose journal the records stand in. */
  readonly node: string;
}

/**
 * Months of auctions that were never held, for a demo's reports: the records that the exchange of a
 * configuration file could have written until now, with growth, weeks, days and countries, each
 * followed by the beacons of its winner. The newest days come first. They go the way of all records,
 * from the journal through the loader into the same rollups.
 *
 * @param configuration the demo's configuration file.
 */
export function* demoHistory(
  configuration: string,
  { now, rate, node }: DemoHistoryOptions,
): Generator<AuctionRecord | BeaconRecord> {
  const { demand_partners: partners, publishers }: Configured = parse(configuration);
  const places = publishers.flatMap(placesOf);
  let count = 0;
  for (const { atMs, seed } of historyMoments(now, rate, (of, label) => chance(of)(label))) {
    const random = chance(seed);
    const place = pick(places, random('place'));
    count += 1;
    const id = auctionId(atMs, count);
    const asked = partners.filter((partner) => takes(partner, formatOf(place.adSpace)));
    const auction = describeAuction({ id, node, atMs, place, partners: asked, random });
    yield auction;
    for (const beacon of describeBeacons(auction, random)) if (beacon.at_ms < now) yield beacon;
  }
}

/** By its time, as of all auctions, and by what no other has. */
function auctionId(atMs: number, count: number): string {
  const time = atMs.toString(16).padStart(TIME_DIGITS, '0');
  return time + count.toString(16).padStart(2 * RANDOM_BYTES, '0');
}

/** Whether its first line item wants such ads. */
function takes({ line_items: [lineItem] }: Partner, format: AdFormat): boolean {
  const wanted = lineItem?.targeting?.ad_formats?.identifiers;
  return wanted === undefined || wanted.some(({ code }) => code === format);
}

interface Configured {
  readonly demand_partners: readonly Partner[];
  readonly publishers: readonly ConfiguredPublisher[];
}

interface Partner {
  readonly id: number;
  readonly line_items: readonly {
    readonly id: number;
    readonly seat?: string;
    readonly targeting?: {
      readonly ad_formats?: { readonly identifiers: readonly { readonly code: string }[] };
    };
  }[];
}

interface ConfiguredPublisher {
  readonly id: number;
  readonly revenue_share: number;
  readonly apps?: readonly ConfiguredProperty[];
  readonly sites?: readonly ConfiguredProperty[];
}

interface ConfiguredProperty {
  readonly id: number;
  readonly bundle?: string;
  readonly domain?: string;
  readonly platform?: 'Android' | 'iOS';
  readonly categories: readonly string[];
  readonly ad_spaces: readonly ConfiguredAdSpace[];
}

interface ConfiguredAdSpace {
  readonly id: number;
  readonly floor: number;
  readonly banner?: { readonly sizes: readonly string[] };
  readonly video?: { readonly w: number; readonly h: number };
  readonly interstitial?: boolean;
  readonly rewarded?: boolean;
}

/** Where an auction can have been. */
interface Place {
  readonly publisher: ConfiguredPublisher;
  readonly property: ConfiguredProperty;
  readonly adSpace: ConfiguredAdSpace;
}

function placesOf(publisher: ConfiguredPublisher): Place[] {
  const { apps = [], sites = [] } = publisher;
  return [...apps, ...sites].flatMap((property) =>
    property.ad_spaces.map((adSpace) => ({ publisher, property, adSpace })),
  );
}

/** A number from 0 to 1 for each label: the same one whenever it is asked. */
type Chance = (label: string) => number;

function chance(seed: string): Chance {
  return (label) => scatter(tieBreak(seed, label)) / 2 ** 32;
}

/** MurmurHash3's last step: labels that differ in one letter get numbers that have nothing in common. */
function scatter(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return (twice ^ (twice >>> 16)) >>> 0;
}

function pick<Item>(items: readonly Item[], part: number): Item {
  const item = items[Math.floor(part * items.length)];
  if (item === undefined) throw new Error('the demo’s configuration has an empty list');
  return item;
}

interface Imagined {
  readonly id: string;
  readonly node: string;
  readonly atMs: number;
  readonly place: Place;
  readonly partners: readonly Partner[];
  readonly random: Chance;
}

function describeAuction(imagined: Imagined): AuctionRecord {
  const { id, node, atMs, place, random } = imagined;
  const { publisher, property, adSpace } = place;
  const bids = describeBids(imagined);
  const os = property.platform ?? pick(['Windows', 'macOS', 'Android', 'iOS'], random('os'));
  const isHandheld = os === 'Android' || os === 'iOS';
  return {
    kind: 'auction',
    auction_id: id,
    node,
    request_id: id,
    at_ms: atMs,
    snapshot: 'history.0',
    test: 0,
    fd: 0,
    publisher_id: publisher.id,
    property_id: property.id,
    app_bundle: property.bundle ?? '',
    app_site_domain: property.domain ?? '',
    country_code: pick(COUNTRIES, random('country')),
    platform_demand: property.platform ?? 'Web',
    platform_supply: property.platform ?? (isHandheld ? 'Mobile Web' : 'Web'),
    os,
    categories: [...property.categories],
    language: 'en',
    connectiontype: pick([0, 2, 6], random('connection')),
    has_location: random('location') < 0.2 ? 1 : 0,
    imps: [
      {
        zone_id: adSpace.id,
        ad_format: formatOf(adSpace),
        sizes: sizesOf(adSpace),
        interstitial: adSpace.interstitial === true ? 1 : 0,
        rewarded: adSpace.rewarded === true ? 1 : 0,
        secure: 1,
        floor_micros: Math.round(adSpace.floor * 1e6),
        filled: bids.some(({ loss_reason: reason }) => reason === LossReason.Won) ? 1 : 0,
      },
    ],
    calls: imagined.partners.map((partner) => describeCall(partner, bids, random)),
    bids,
    bids_dropped: 0,
    notices: [],
  };
}

/** Each partner bids now and then; the highest bid above the floor pays a cent above the second. */
function describeBids({ id, place, partners, random }: Imagined): BidRecord[] {
  const floorMicros = Math.round(place.adSpace.floor * 1e6);
  const bids = partners.flatMap((partner) => {
    if (random(`bids ${partner.id}`) > BID_RATE) return [];
    const dollars =
      0.05 + random(`price ${partner.id}`) * (PRICES[partner.id % PRICES.length] ?? 1);
    return [describeBid(id, partner, place.adSpace, Math.round(dollars * 1_000) * 1_000)];
  });
  const blocked = new Set(
    bids.filter((bid) => random(`blocked ${bid.demand_partner_id}`) < BLOCKED_RATE),
  );
  const [winner, second] = bids
    .filter((bid) => bid.price_micros >= floorMicros && !blocked.has(bid))
    .sort((a, b) => b.price_micros - a.price_micros);
  return bids.map((bid) => {
    if (bid.price_micros < floorMicros) {
      return { ...bid, loss_reason: LossReason.BelowFloor, in_auction: 0 };
    }
    if (blocked.has(bid))
      return { ...bid, loss_reason: LossReason.AdvertiserBlocked, in_auction: 0 };
    if (bid !== winner) return bid;
    const runnerUp = (second?.price_micros ?? 0) + CENT_MICROS;
    const clearing = Math.min(bid.price_micros, Math.max(floorMicros, runnerUp));
    const share = Math.round(place.publisher.revenue_share * BASIS_POINTS);
    return {
      ...bid,
      loss_reason: LossReason.Won,
      clearing_micros: clearing,
      payout_micros: shareOf(clearing, share),
    };
  });
}

function describeBid(
  id: string,
  partner: Partner,
  adSpace: ConfiguredAdSpace,
  priceMicros: number,
): BidRecord {
  const lineItem = partner.line_items[0];
  return {
    demand_partner_id: partner.id,
    lineitem_id: lineItem?.id ?? 0,
    imp: 0,
    bid_id: `${id}-${partner.id}`,
    seat: lineItem?.seat ?? '',
    dealid: '',
    crid: `creative-${partner.id}`,
    adomain: `advertiser-${partner.id}.example`,
    ad_format: formatOf(adSpace),
    price_micros: priceMicros,
    loss_reason: LossReason.LostToHigherBid,
    in_auction: 1,
    clearing_micros: 0,
    payout_micros: 0,
  };
}

function describeCall(partner: Partner, bids: readonly BidRecord[], random: Chance): CallRecord {
  const hasBid = bids.some((bid) => bid.demand_partner_id === partner.id);
  const fate = random(`fate ${partner.id}`);
  const [outcome, reason] = hasBid
    ? (['bid', ''] as const)
    : fate < ERROR_RATE
      ? (['error', 'http_500'] as const)
      : fate < ERROR_RATE + LATE_RATE
        ? (['timeout', ''] as const)
        : (['no_bid', ''] as const);
  return {
    demand_partner_id: partner.id,
    imp: 0,
    lineitem_ids: partner.line_items.slice(0, 1).map((lineItem) => lineItem.id),
    outcome,
    reason,
    latency_us: Math.round(15_000 + random(`latency ${partner.id}`) ** 3 * 130_000),
  };
}

function formatOf({ banner, video }: ConfiguredAdSpace): AdFormat {
  if (video !== undefined) return 'video';
  return banner === undefined ? 'native' : 'banner';
}

function sizesOf({ banner, video }: ConfiguredAdSpace): string[] {
  return banner === undefined
    ? video === undefined
      ? []
      : [`${video.w}x${video.h}`]
    : [...banner.sizes];
}
