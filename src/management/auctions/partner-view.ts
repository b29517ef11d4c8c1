import type { FoundAuction } from '../../analytics/find-auction.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { viewBids } from './bids.ts';
import { viewCalls } from './calls.ts';
import { headOf, viewAudience, type Surroundings } from './head.ts';
import { viewOfferedImp } from './imps.ts';
import { lineItemIn, nameOf, type Names } from './names.ts';
import { viewNotMatched } from './not-called.ts';
import { viewBeacons, viewNotices } from './notices.ts';
import { offeredImps, ownParts, type AuctionParts, type BidPart } from './parts.ts';
import { hasWon } from './ranking.ts';
import type { PartnerAuction } from './schema.ts';
import { traitsOf } from './traits.ts';
import { counted, dollars, impressions, listed, timeText } from './wording.ts';

/**
 * A demand partner's part of an auction: what it was told, what it answered, what became of that.
 * Everything in it is put in by name, from its own calls, bids, beacons and notices (`ownParts`), or
 * is what bid requests say. Nothing of other partners is in it, no floor that the partner was not
 * told, and nothing of what the publisher gets.
 *
 * @returns null for an auction that had nothing for the partner.
 */
export function viewForPartner(
  found: FoundAuction,
  demandPartnerId: number,
  { snapshot, nowMs }: Surroundings,
): PartnerAuction | null {
  const parts = ownParts(found, demandPartnerId);
  if (parts === null) return null;
  const { auction } = found;
  const names = ownNames(snapshot, demandPartnerId);
  const traits = traitsOf(auction, parts.hasTrace ? found.trace : null, snapshot);
  const matched = new Set(parts.calls.flatMap(({ record }) => record.lineitem_ids));
  const offered = new Set(parts.calls.flatMap((call) => offeredImps(call)));
  return {
    view: 'demand-partner',
    ...headOf(auction, parts, snapshot),
    demand_partner: names.partner(demandPartnerId),
    // Who was not asked was told nothing of the person, maybe because the person has said so.
    audience: wasAsked(parts) ? viewAudience(auction) : null,
    imps: auction.imps.flatMap((imp, index) =>
      offered.has(index) ? [viewOfferedImp(imp, index)] : [],
    ),
    calls: viewCalls(parts, names),
    not_matched: viewNotMatched(snapshot, traits, demandPartnerId, matched),
    bids: viewBids(parts, { names, tellsFloor: (bid) => isFloorTold(bid, snapshot) }),
    beacons: viewBeacons(parts),
    notices: viewNotices(parts, names, nowMs),
    sentence: describePart(parts, nameOf(names.partner(demandPartnerId))),
  };
}

/** Whether any of the bid requests was sent. */
export function wasAsked({ calls }: AuctionParts): boolean {
  return calls.some(({ record }) => record.outcome !== 'throttled');
}

/** The name of nobody else. */
export function ownNames(snapshot: Snapshot, demandPartnerId: number): Names {
  const { demandPartners } = snapshot;
  const own = demandPartners.get(demandPartnerId);
  return {
    partner: (id) => ({ id, name: id === demandPartnerId ? (own?.name ?? null) : null }),
    adSpace: () => null,
    lineItem: (of, id) =>
      of === demandPartnerId ? lineItemIn(snapshot, of, id) : { id, name: null },
  };
}

/**
 * Deals tell their floors, bid requests theirs by agreement, and the floor of a line item is its
 * partner's own. A bid request tells the lowest of several formats; who gets that may know by what
 * floor its bid of another format lost.
 */
function isFloorTold({ record, trace }: BidPart, { demandPartners }: Snapshot): boolean {
  const { bidder } = demandPartners.get(record.demand_partner_id) ?? { bidder: null };
  const isOwn = trace !== null && trace.floor_micros === trace.lineitem_floor_micros;
  return record.dealid !== '' || bidder?.sendBidfloor === true || isOwn;
}

/** A partner's part of an auction in a few sentences. */
export function describePart(parts: AuctionParts, name: string): string {
  const sent = parts.calls.filter(({ record }) => record.outcome !== 'throttled').length;
  const asked = sent === 0 ? 'was not asked' : `got ${counted(sent, 'bid request')}`;
  const won = parts.bids.filter(hasWon).map(({ record }) => {
    return `${impressions([record.imp])} at ${dollars(record.clearing_micros)}`;
  });
  const bids =
    parts.bids.length === 0
      ? ''
      : `, bid ${parts.bids.length === 1 ? 'once' : `${parts.bids.length} times`}, and won ${won.length === 0 ? 'nothing' : listed(won)}`;
  const test = parts.isTest ? ' It was a test: nothing is called, counted or paid.' : '';
  return `In the auction of ${timeText(parts.atMs)} ${name} ${asked}${bids}.${test}`;
}
