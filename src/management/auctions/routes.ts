import Type from 'typebox';
import { RialtoError } from '../../base/errors.ts';
import { ID } from '../../resources/vocabulary.ts';
import type { Caller } from '../../identity/caller.ts';
import { EVERYBODY, NO_BODY } from '../endpoint.ts';
import type { Endpoints } from '../endpoints.ts';
import { AUCTION_EXAMPLE } from './example.ts';
import type { AuctionExplainer, Reader } from './explain-auction.ts';
import { AuctionViewSchema } from './schema.ts';

const QUERY = Type.Object(
  { demand_partner_id: Type.Optional(ID) },
  { additionalProperties: false, title: 'this address' },
);

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
        'Operators see all of it, a demand partner its own part: who was asked, what was answered, why each bid won or lost, and what became of the notices. With `demand_partner_id` operators see what that demand partner may see.',
      roles: EVERYBODY,
      query: QUERY,
      body: NO_BODY,
      answer: {
        status: 200,
        meaning: 'the auction',
        schema: AuctionViewSchema,
        example: AUCTION_EXAMPLE,
      },
      errors: ['analytics_unavailable'],
    },
    async ({ caller, params: { auction_id: id = '' }, query }) => {
      const reader = readerOf(caller, query.demand_partner_id);
      const auction = reader === null ? null : await explain(id, reader);
      if (auction === null) throw new RialtoError('not_found');
      return auction;
    },
  );
}

/** Publishers read what they sold in reports: auctions show them prices that are not theirs. */
function readerOf({ role, entityId }: Caller, asked: number | undefined): Reader | null {
  if (role === 'operator') {
    return asked === undefined ? { role } : { role: 'demand-partner', demandPartnerId: asked };
  }
  if (asked !== undefined && asked !== entityId) return null;
  if (role === 'publisher' || entityId === null) return null;
  return { role, demandPartnerId: entityId };
}
