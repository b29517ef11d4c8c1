import type { DecidedAuction } from './decided-auction.ts';

/** Remembers the creatives that win, and tells of them in the trace stream. */
export interface CreativeLog {
  /** Takes note of the winners of an auction, and of bids whose creative waits for its review. */
  note(auction: DecidedAuction): void;
}
