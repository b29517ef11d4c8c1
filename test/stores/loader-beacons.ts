import type { Random } from '../../sim/random.ts';
import type { AuctionRecord, BidRecord } from '../../src/events/auction-record.ts';
import type { BeaconKind, BeaconRecord, WonImp } from '../../src/events/beacon-record.ts';
import type { Delivery, DeliveryRecord } from '../../src/events/delivery-record.ts';

/** Of the node that writes the records. */
export const NODE = 'aaaaaaaaaaaaaaaa';

/** As many deliveries as stand in one record. */
const DELIVERIES_A_RECORD = 5;

/**
 * What comes of auctions: beacons of impressions that were won, each kind once at most, and what
 * became of the notices that auctions and beacons made due. An impression follows its win, where the
 * publisher decides a confirmed one; view and click follow the impression. Some notices stay open.
 */
export function followUp(
  random: Random,
  auctions: readonly AuctionRecord[],
): (BeaconRecord | DeliveryRecord)[] {
  const beacons = auctions.flatMap((auction) =>
    auction.bids
      .filter(({ loss_reason: reason }) => reason === 0)
      .flatMap((bid) => makeBeacons(random, auction, bid)),
  );
  const deliveries = [...auctions.flatMap(winNotices), ...beacons.flatMap(beaconNotices)].flatMap(
    (due) => deliver(random, due),
  );
  return [...beacons, ...recordsOf(random, deliveries)];
}

function makeBeacons(random: Random, auction: AuctionRecord, bid: BidRecord): BeaconRecord[] {
  const won = wonImp(auction, bid);
  const kinds: BeaconKind[] = [];
  // Some publishers call the win's address although nobody waits for it: it counts nothing then.
  if (random.chance(auction.fd === 1 ? 0.7 : 0.1)) kinds.push('win');
  const isDelivered = auction.fd === 0 || kinds.includes('win');
  if (isDelivered && random.chance(0.9)) {
    kinds.push('impression');
    if (random.chance(0.6)) kinds.push('view');
    if (random.chance(0.2)) kinds.push('click');
  }
  let atMs = auction.at_ms;
  return kinds.map((kind) => {
    atMs += random.integer(1, 900);
    const isCalled = kind === 'impression' || (kind === 'win' && auction.fd === 1);
    const calls = isCalled && auction.test === 0 && random.chance(0.7);
    const url = calls ? `https://partner.example/${kind}?id=${auction.auction_id}` : '';
    return { kind, ...won, node: auction.node, at_ms: atMs, notice_url: url };
  });
}

function wonImp(auction: AuctionRecord, bid: BidRecord): WonImp {
  const imp = auction.imps[bid.imp];
  if (imp === undefined) throw new Error('a winner of an impression that is not there');
  return {
    auction_id: auction.auction_id,
    imp: bid.imp,
    expires_ms: auction.at_ms + 3_600_000,
    test: auction.test,
    fd: auction.fd,
    publisher_id: auction.publisher_id,
    property_id: auction.property_id,
    zone_id: imp.zone_id,
    demand_partner_id: bid.demand_partner_id,
    lineitem_id: bid.lineitem_id,
    dealid: bid.dealid,
    ad_format: imp.ad_format,
    interstitial: imp.interstitial,
    rewarded: imp.rewarded,
    app_bundle: auction.app_bundle,
    app_site_domain: auction.app_site_domain,
    country_code: auction.country_code,
    platform_demand: auction.platform_demand,
    platform_supply: auction.platform_supply,
    os: auction.os,
    clearing_micros: bid.clearing_micros,
    payout_micros: bid.payout_micros,
  };
}

/** A notice that is due, as the courier knows it. */
type Due = Omit<Delivery, 'outcome' | 'status' | 'tries'>;

function winNotices({ auction_id, at_ms, notices }: AuctionRecord): Due[] {
  return notices.flatMap(({ event, imp, demand_partner_id, lineitem_id }) =>
    event === 'win'
      ? [{ event, auction_id, imp, demand_partner_id, lineitem_id, due_ms: at_ms }]
      : [],
  );
}

function beaconNotices(beacon: BeaconRecord): Due[] {
  const { kind, auction_id, imp, demand_partner_id, lineitem_id, at_ms: due_ms } = beacon;
  if (beacon.notice_url === '') return [];
  const event = kind === 'win' ? 'win' : 'billing';
  return [{ event, auction_id, imp, demand_partner_id, lineitem_id, due_ms }];
}

/** Most are delivered, a few of them twice, some given up, and some are under way still. */
function deliver(random: Random, due: Due): Delivery[] {
  if (random.chance(0.08)) return [];
  if (random.chance(0.06)) return [{ ...due, outcome: 'given_up', status: 503, tries: 40 }];
  const delivered: Delivery = {
    ...due,
    outcome: 'delivered',
    status: 204,
    tries: random.integer(1, 3),
  };
  return random.chance(0.03) ? [delivered, delivered] : [delivered];
}

function recordsOf(random: Random, deliveries: readonly Delivery[]): DeliveryRecord[] {
  const records: DeliveryRecord[] = [];
  for (let from = 0; from < deliveries.length; from += DELIVERIES_A_RECORD) {
    const some = deliveries.slice(from, from + DELIVERIES_A_RECORD);
    const atMs = Math.max(...some.map(({ due_ms: dueMs }) => dueMs)) + random.integer(5, 400);
    records.push({ kind: 'delivery', node: NODE, at_ms: atMs, deliveries: some });
  }
  return records;
}
