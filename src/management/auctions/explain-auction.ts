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

/** All of an auction to the operator, its own part to a demand partner. */
export function explainAuction(
  found: FoundAuction,
  reader: Reader,
  surroundings: Surroundings,
): AuctionView | null {
  if (reader.role === 'operator') return viewForOperator(found, surroundings);
  return viewForPartner(found, reader.demandPartnerId, surroundings);
}
