import { RialtoError } from '../../base/errors.ts';
import type { Caller } from '../../identity/caller.ts';
import { EVERYBODY, NO_BODY, NO_QUERY } from '../endpoint.ts';
import type { Endpoints } from '../endpoints.ts';
import { AUCTION_EXAMPLE } from './example.ts';
import type { AuctionExplainer, Reader } from './explain-auction.ts';
import { AuctionViewSchema } from './schema.ts';

/**
 * `GET /api/auctions/{id}/`: an auction explained, to the operator as a whole, to a demand partner its
 * own part. What is not there, or has nothing for the caller, is not found.
 */
export function registerAuctions(
  endpoints: Endpoints,
  { explain }: { readonly explain: AuctionExplainer },
): void {
  endpoints.add(
    {
      id: 'getAuction',
      method: 'GET',
      path: '/auctions/:auction_id',
      tag: 'Auctions',
      summary: 'Explain an auction',
      description:
        'Operators see all of it, a demand partner its own part: who was asked, what was answered, why each bid won or lost, and what became of the notices.',
      roles: EVERYBODY,
      query: NO_QUERY,
      body: NO_BODY,
      answer: {
        status: 200,
        meaning: 'the auction',
        schema: AuctionViewSchema,
        example: AUCTION_EXAMPLE,
      },
      errors: ['analytics_unavailable'],
    },
    async ({ caller, params: { auction_id: id = '' } }) => {
      const reader = readerOf(caller);
      const auction = reader === null ? null : await explain(id, reader);
      if (auction === null) throw new RialtoError('not_found');
      return auction;
    },
  );
}

/** Publishers read what they sold in reports: auctions show them prices that are not theirs. */
function readerOf({ role, entityId }: Caller): Reader | null {
  if (role === 'operator') return { role };
  if (role === 'publisher' || entityId === null) return null;
  return { role, demandPartnerId: entityId };
}
