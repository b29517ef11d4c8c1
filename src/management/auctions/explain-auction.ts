import type { FoundAuction } from '../../analytics/find-auction.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import type { Surroundings } from './head.ts';
import { viewForOperator } from './operator-view.ts';
import { viewForPartner } from './partner-view.ts';
import type { AuctionView } from './schema.ts';

/** Who asks about an auction. */
export type Reader =
  | { readonly role: 'operator' }
  | { readonly role: 'demand-partner'; readonly demandPartnerId: number };

/** Which auction, and whose part of it; without a partner the whole. */
interface AuctionQuestion {
  readonly auction_id: string;
  readonly demand_partner_id?: number;
}

/** The operator, or the demand partner of an id. */
export function readerOf(question: Pick<AuctionQuestion, 'demand_partner_id'>): Reader {
  const { demand_partner_id: demandPartnerId } = question;
  if (demandPartnerId === undefined) return { role: 'operator' };
  return { role: 'demand-partner', demandPartnerId };
}

/** Explains the auction of an id; null where there is none, or none of it is the reader's. */
export type AuctionExplainer = (auctionId: string, reader: Reader) => Promise<AuctionView | null>;

export interface ExplainerParts {
  /** @throws RialtoError as long as the store is not open. */
  readonly findAuction: (auctionId: string) => Promise<FoundAuction | null>;
  /** The present configuration. @throws RialtoError as long as there is none. */
  readonly snapshot: () => Promise<Snapshot>;
  /** Unix time in milliseconds. */
  readonly now: () => number;
}

export function createAuctionExplainer(parts: ExplainerParts): AuctionExplainer {
  return async (auctionId, reader) => {
    const found = await parts.findAuction(auctionId);
    if (found === null) return null;
    return explainAuction(found, reader, { snapshot: await parts.snapshot(), nowMs: parts.now() });
  };
}

/** An explained auction, or what there is not: the auction, the partner, or a part that it had. */
export type AuctionAnswer =
  | { readonly auction: AuctionView }
  | { readonly auction: null; readonly missing: 'auction' | 'partner' | 'part' };

/** Answers the questions of `rialto explain`. */
export function createAuctionAnswerer(parts: ExplainerParts) {
  return async (question: AuctionQuestion): Promise<AuctionAnswer> => {
    const found = await parts.findAuction(question.auction_id);
    const surroundings = { snapshot: await parts.snapshot(), nowMs: parts.now() };
    return answerAuction(found, readerOf(question), surroundings);
  };
}

/** For `rialto explain`: the operator may know why there is nothing to show to a partner. */
export function answerAuction(
  found: FoundAuction | null,
  reader: Reader,
  surroundings: Surroundings,
): AuctionAnswer {
  const auction = found === null ? null : explainAuction(found, reader, surroundings);
  if (auction !== null) return { auction };
  const { demandPartners } = surroundings.snapshot;
  if (reader.role === 'demand-partner' && !demandPartners.has(reader.demandPartnerId)) {
    return { auction, missing: 'partner' };
  }
  return { auction, missing: found === null ? 'auction' : 'part' };
}

/** All of an auction to the operator, its own part to a demand partner. */
export function explainAuction(
  found: FoundAuction,
  reader: Reader,
  surroundings: Surroundings,
): AuctionView | null {
  if (reader.role === 'operator') return viewForOperator(found, surroundings);
  return viewForPartner(found, reader.demandPartnerId, surroundings);
}
