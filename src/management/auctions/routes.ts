import type { FastifyInstance } from 'fastify';
import { RialtoError } from '../../base/errors.ts';
import type { Caller } from '../../identity/caller.ts';
import { callerOf } from '../authenticate.ts';
import { refuseOthers, serve } from '../serve.ts';
import type { AuctionExplainer, Reader } from './explain-auction.ts';

/**
 * `GET /api/auctions/{id}/`: an auction explained, to the operator as a whole, to a demand partner its
 * own part. What is not there, or has nothing for the caller, is not found.
 */
export function registerAuctions(
  api: FastifyInstance,
  { explain }: { readonly explain: AuctionExplainer },
): void {
  serve(api, { method: 'GET', path: '/auctions/:id' }, async (request) => {
    const reader = readerOf(callerOf(request));
    const { id } = Object(request.params);
    const auction = reader === null ? null : await explain(String(id), reader);
    if (auction === null) throw new RialtoError('not_found');
    return auction;
  });
  refuseOthers(api, '/auctions/:id', ['GET']);
}

/** Publishers read what they sold in reports: auctions show them prices that are not theirs. */
function readerOf({ role, entityId }: Caller): Reader | null {
  if (role === 'operator') return { role };
  if (role === 'publisher' || entityId === null) return null;
  return { role, demandPartnerId: entityId };
}
