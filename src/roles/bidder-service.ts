import type { Kysely } from 'kysely';
import { machineActor } from '../configuration/audit.ts';
import type { Database } from '../configuration/schema.ts';
import { listBidders, startBidder, stopBidder } from '../configuration/stopped-bidders.ts';
import type { BidderService } from '../control/bidders.ts';

/**
 * For `rialto bidders`, which anybody may use who is on the machine.
 *
 * @param now Unix time in milliseconds.
 */
export function createBidderService(db: Kysely<Database>, now: () => number): BidderService {
  const actor = machineActor('rialto bidders');
  return {
    list: () => listBidders(db),
    stop: (demandPartnerId, reason) =>
      stopBidder(db, demandPartnerId, reason, { actor, nowMs: now() }),
    start: (demandPartnerId) => startBidder(db, demandPartnerId, { actor, nowMs: now() }),
  };
}
