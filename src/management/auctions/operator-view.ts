import type { FoundAuction } from '../../analytics/find-auction.ts';
import type { AuctionRecord } from '../../events/auction-record.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { viewBids } from './bids.ts';
import { viewCalls } from './calls.ts';
import { headOf, viewAudience, type Surroundings } from './head.ts';
import { viewImps } from './imps.ts';
import { nameOf, namesIn, type Names } from './names.ts';
import { viewNotCalled } from './not-called.ts';
import { viewBeacons, viewNotices } from './notices.ts';
import { allParts, type AuctionParts } from './parts.ts';
import { hasWon } from './ranking.ts';
import type { OperatorAuction } from './schema.ts';
import { traitsOf } from './traits.ts';
import { counted, dollars, impressions, listed, milliseconds, timeText } from './wording.ts';

const US_PER_MS = 1_000;

/** The whole of an auction. */
export function viewForOperator(
  found: FoundAuction,
  { snapshot, nowMs }: Surroundings,
): OperatorAuction {
  const { auction } = found;
  const parts = allParts(found);
  const trace = parts.hasTrace ? found.trace : null;
  const names = namesIn(snapshot);
  const called = new Set(auction.calls.map((call) => call.demand_partner_id));
  const notCalled = viewNotCalled(snapshot, traitsOf(auction, trace, snapshot), called);
  return {
    view: 'operator',
    ...headOf(auction, parts, snapshot),
    request_id: auction.request_id,
    publisher_name: snapshot.publishers.get(auction.publisher_id)?.name ?? null,
    property_name: snapshot.properties.get(auction.property_id)?.name ?? null,
    audience: viewAudience(auction),
    tmax_ms: trace?.tmax_ms ?? null,
    duration_ms: trace === null ? null : trace.duration_us / US_PER_MS,
    imps: viewImps(auction, trace, parts, names),
    calls: viewCalls(parts, names),
    not_called: notCalled.shown,
    not_called_dropped: notCalled.dropped,
    bids: viewBids(parts, { names, tellsFloor: () => true }),
    bids_dropped: auction.bids_dropped,
    beacons: viewBeacons(parts),
    notices: viewNotices(parts, names, nowMs),
    sentence: describeAuction(found, parts, snapshot),
  };
}

/** The whole auction in a few sentences. */
export function describeAuction(
  { auction, trace }: FoundAuction,
  parts: AuctionParts,
  snapshot: Snapshot,
): string {
  const { imps, calls, bids } = auction;
  const sent = calls.filter(({ outcome }) => outcome !== 'throttled').length;
  const held = calls.length - sent;
  const asked = `${counted(sent, 'bid request')} went out${held === 0 ? '' : `, ${held} ${held === 1 ? 'was' : 'were'} held back`}`;
  const took =
    trace === null || !parts.hasTrace
      ? ''
      : ` It took ${milliseconds(trace.duration_us)} of ${trace.tmax_ms} ms.`;
  const test = parts.isTest ? ' It was a test: nothing is called, counted or paid.' : '';
  return (
    `Auction of ${timeText(parts.atMs)} for ${counted(imps.length, 'impression')} of ` +
    `${placeText(auction, snapshot)}: ${asked}, ${counted(bids.length + auction.bids_dropped, 'bid')} came back, ` +
    `and ${describeWinners(parts, namesIn(snapshot))}.${took}${test}`
  );
}

function placeText(
  { publisher_id: publisherId, property_id: propertyId }: AuctionRecord,
  { publishers, properties }: Snapshot,
): string {
  const publisher = publishers.get(publisherId);
  const property = properties.get(propertyId);
  const named = (entity: { readonly name: string } | undefined): string =>
    entity === undefined ? '' : ` (${entity.name})`;
  const type = property?.type ?? 'app or site';
  return `publisher ${publisherId}${named(publisher)}, ${type} ${propertyId}${named(property)}`;
}

function describeWinners({ bids }: AuctionParts, names: Names): string {
  const winners = bids.filter(hasWon).map(({ record }) => {
    const name = nameOf(names.partner(record.demand_partner_id));
    return `${name} won ${impressions([record.imp])} at ${dollars(record.clearing_micros)}`;
  });
  return winners.length === 0 ? 'nobody won' : listed(winners);
}
