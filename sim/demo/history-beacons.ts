import type { AuctionRecord, BidRecord } from '../../src/events/auction-record.ts';
import type { BeaconKind, BeaconRecord } from '../../src/events/beacon-record.ts';
import { LossReason } from '../../src/openrtb/loss-reason.ts';

const MILLISECONDS_A_DAY = 86_400_000;
/** How long after its auction each beacon comes, and how often: of the one before, of impressions. */
const SHOWN = { kind: 'impression', rate: 0.9, afterMs: 2_000 } as const;
const VIEWED = { kind: 'view', rate: 0.6, afterMs: 3_500 } as const;
const CLICKED = { kind: 'click', rate: 0.008, afterMs: 9_000 } as const;
/** How long the beacons of such an impression would have been good for. */
const LIFE_MS = 3_600_000;

/**
 * What became of the winner of an imagined auction: shown mostly, seen often, clicked now and then.
 * No notice is due: nobody would want to hear today of what never was.
 *
 * @param random a number from 0 to 1 for each label.
 */
export function describeBeacons(
  auction: AuctionRecord,
  random: (label: string) => number,
): BeaconRecord[] {
  const winner = auction.bids.find(({ loss_reason: reason }) => reason === LossReason.Won);
  if (winner === undefined || random('shown') >= SHOWN.rate) return [];
  const beacons = [SHOWN, VIEWED, CLICKED].filter(
    ({ kind, rate }) => kind === 'impression' || random(kind) < rate,
  );
  return beacons.map(({ kind, afterMs }) => describeBeacon(kind, afterMs, auction, winner));
}

function describeBeacon(
  kind: BeaconKind,
  afterMs: number,
  auction: AuctionRecord,
  winner: BidRecord,
): BeaconRecord {
  const imp = auction.imps[winner.imp];
  if (imp === undefined) throw new Error('a winner without its impression');
  // On the day of its auction.
  const dayEndMs = (Math.floor(auction.at_ms / MILLISECONDS_A_DAY) + 1) * MILLISECONDS_A_DAY;
  return {
    kind,
    auction_id: auction.auction_id,
    imp: winner.imp,
    expires_ms: auction.at_ms + LIFE_MS,
    node: auction.node,
    at_ms: Math.min(auction.at_ms + afterMs, dayEndMs - 1),
    test: auction.test,
    fd: auction.fd,
    publisher_id: auction.publisher_id,
    property_id: auction.property_id,
    zone_id: imp.zone_id,
    demand_partner_id: winner.demand_partner_id,
    lineitem_id: winner.lineitem_id,
    dealid: winner.dealid,
    ad_format: imp.ad_format,
    interstitial: imp.interstitial,
    rewarded: imp.rewarded,
    app_bundle: auction.app_bundle,
    app_site_domain: auction.app_site_domain,
    country_code: auction.country_code,
    platform_demand: auction.platform_demand,
    platform_supply: auction.platform_supply,
    os: auction.os,
    clearing_micros: winner.clearing_micros,
    payout_micros: winner.payout_micros,
    notice_url: '',
  };
}
