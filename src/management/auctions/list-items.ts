import type { ListedRecord } from '../../analytics/list-auctions.ts';
import { dollarsFromMicros } from '../../base/money.ts';
import { describeLossReason } from '../../openrtb/loss-reason.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import type { Reader } from './explain-auction.ts';
import type { ListedAuction } from './list-schema.ts';
import { nameOf, namesIn, type Names } from './names.ts';
import { describeAuction } from './operator-view.ts';
import { allParts, offeredImps, ownParts, type AuctionParts } from './parts.ts';
import { describePart, ownNames, wasAsked } from './partner-view.ts';
import { hasWon } from './ranking.ts';
import { timeOf } from './wording.ts';

const US_PER_MS = 1_000;

/** An auction in short, as far as it is the reader's; null where none of it is. */
export function listedAuction(
  record: ListedRecord,
  reader: Reader,
  snapshot: Snapshot,
): ListedAuction | null {
  const auction = { ...record, notices: [] };
  const found = { auction, trace: null, beacons: [], deliveries: [] };
  if (reader.role === 'operator') {
    const parts = allParts(found);
    const publisher = snapshot.publishers.get(record.publisher_id);
    const property = snapshot.properties.get(record.property_id);
    return {
      ...placeOf(record),
      ...partsOf(parts, namesIn(snapshot)),
      publisher_name: publisher?.name ?? null,
      property_name: property?.name ?? null,
      ...personOf(record),
      ad_spaces: record.imps.map((imp) => ({
        id: imp.zone_id,
        name: namesIn(snapshot).adSpace(imp.zone_id),
        ad_format: imp.ad_format,
        filled: imp.filled === 1,
      })),
      sentence: describeAuction(found, parts, snapshot),
    };
  }
  const parts = ownParts(found, reader.demandPartnerId);
  if (parts === null) return null;
  const names = ownNames(snapshot, reader.demandPartnerId);
  const offered = new Set(parts.calls.flatMap((call) => offeredImps(call)));
  return {
    ...placeOf(record),
    ...partsOf(parts, names),
    publisher_name: null,
    property_name: null,
    // Who was not asked was told nothing of the person.
    ...(wasAsked(parts) ? personOf(record) : { country: null, platform: null, os: null }),
    ad_spaces: record.imps.flatMap(({ zone_id: id, ad_format }, index) =>
      offered.has(index) ? [{ id, name: null, ad_format, filled: null }] : [],
    ),
    sentence: describePart(parts, nameOf(names.partner(reader.demandPartnerId))),
  };
}

function placeOf({ publisher_id, property_id, app_bundle, app_site_domain }: ListedRecord) {
  return { publisher_id, property_id, app_bundle, app_site_domain };
}

function personOf({ country_code, platform_demand, os }: ListedRecord) {
  return { country: country_code, platform: platform_demand, os };
}

function partsOf(
  parts: AuctionParts,
  names: Names,
): Pick<ListedAuction, 'id' | 'at' | 'test' | 'calls' | 'bids'> {
  return {
    id: parts.id,
    at: timeOf(parts.atMs),
    test: parts.isTest,
    calls: parts.calls.map(({ record }) => ({
      demand_partner: names.partner(record.demand_partner_id),
      outcome: record.outcome,
      reason: record.reason,
      answered_after_ms: record.outcome === 'throttled' ? null : record.latency_us / US_PER_MS,
    })),
    bids: parts.bids.map((bid) => {
      const { record } = bid;
      const { price_micros: priceMicros, clearing_micros: clearingMicros } = record;
      return {
        demand_partner: names.partner(record.demand_partner_id),
        lineitem_id: record.lineitem_id === 0 ? null : record.lineitem_id,
        bid_cpm: priceMicros === 0 ? null : dollarsFromMicros(priceMicros),
        won: hasWon(bid),
        loss_reason: record.loss_reason,
        loss_reason_text: describeLossReason(record.loss_reason),
        clearing_cpm: hasWon(bid) ? dollarsFromMicros(clearingMicros) : null,
      };
    }),
  };
}
