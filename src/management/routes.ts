import type { FastifyInstance } from 'fastify';
import { RialtoError } from '../base/errors.ts';
import type { Caller } from '../identity/caller.ts';
import type { AuctionExplainer } from './auctions/explain-auction.ts';
import { registerAuctions } from './auctions/routes.ts';
import { createAuthenticate, requireCaller } from './authenticate.ts';
import { registerSelf } from './self/routes.ts';

/** What the management API works with. */
export interface ManagementParts {
  /** Whom the token lets in at this moment; null for a token that opens nothing (any more). */
  readonly findCaller: (accessToken: string) => Promise<Caller | null>;
  readonly explainAuction: AuctionExplainer;
}

/**
 * The management API, everything below `/api`. A resource is a folder with a function
 * `register…(api, parts)`, called from here: its paths begin after `/api`, every request that
 * reaches it comes from a caller (`callerOf` in `authenticate.ts`) whose token's scope covers the
 * route (see `serve.ts`).
 */
export function registerManagement(app: FastifyInstance, parts: ManagementParts): void {
  app.register(
    async (api) => {
      requireCaller(api, createAuthenticate(parts.findCaller));
      api.setNotFoundHandler(async () => {
        throw new RialtoError('not_found');
      });
      registerSelf(api);
      registerAuctions(api, { explain: parts.explainAuction });
    },
    { prefix: '/api' },
  );
}
