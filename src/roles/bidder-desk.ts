import type { Kysely } from 'kysely';
import type { Database } from '../configuration/schema.ts';
import { listBidders, startBidder, stopBidder } from '../configuration/stopped-bidders.ts';
import type { BidderDesk } from '../control/bidders.ts';

/** @param now Unix time in milliseconds. */
export function createBidderDesk(db: Kysely<Database>, now: () => number): BidderDesk {
  return {
    list: () => listBidders(db),
    stop: (demandPartnerId, reason) => stopBidder(db, demandPartnerId, { reason, atMs: now() }),
    start: (demandPartnerId) => startBidder(db, demandPartnerId),
  };
}
