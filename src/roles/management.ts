import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { createIdentityStore } from '../configuration/identity-store.ts';
import type { Database } from '../configuration/schema.ts';
import { createClientAddress } from '../enrich/client-address.ts';
import { createAccessTokens } from '../identity/access-tokens.ts';
import { ClientAuthentication } from '../identity/client-authentication.ts';
import { verifySecret } from '../identity/passwords.ts';
import type { AuctionExplainer } from '../management/auctions/explain-auction.ts';
import { registerManagement } from '../management/routes.ts';
import { createTokenMetrics } from '../management/tokens/metrics.ts';
import { registerTokens } from '../management/tokens/routes.ts';

/** Guessing is told of once in this time; the metrics count all of it. */
const THROTTLED_TOLD_MS = 60_000;

export interface ManagementComposition {
  readonly db: Kysely<Database>;
  readonly logger: Logger;
  readonly registry: Registry;
  readonly trustedProxies: readonly string[];
  readonly explainAuction: AuctionExplainer;
}

/** Composes what people's programs use of control: its token endpoints and the management API. */
export function composeManagement(
  app: FastifyInstance,
  { db, logger, registry, trustedProxies, explainAuction }: ManagementComposition,
): void {
  const store = createIdentityStore(db);
  const tokens = createAccessTokens({
    store,
    now: Date.now,
    onUnnoted: (error) => logger.warn({ err: error }, 'the use of a token could not be noted'),
  });
  const clients = new ClientAuthentication({
    store,
    verify: verifySecret,
    now: () => performance.now(),
    onThrottled: tellThrottled(logger),
  });
  const clientAddress = createClientAddress(trustedProxies);
  registerTokens(app, {
    clients,
    tokens,
    metrics: createTokenMetrics(registry),
    addressOf: ({ headers, socket }) => {
      const { 'x-forwarded-for': forwarded } = headers;
      const addresses = Array.isArray(forwarded) ? forwarded.join(',') : forwarded;
      return clientAddress(socket.remoteAddress, addresses, undefined).ip;
    },
  });
  registerManagement(app, {
    findCaller: (accessToken) => tokens.findCaller(accessToken),
    explainAuction,
  });
}

/** The client id is left out: people mistake the fields, and it may be a secret. */
function tellThrottled(logger: Logger): (network: string) => void {
  let toldMs = Number.NEGATIVE_INFINITY;
  return (network) => {
    const nowMs = performance.now();
    if (nowMs - toldMs < THROTTLED_TOLD_MS) return;
    toldMs = nowMs;
    logger.warn({ network }, 'programs with wrong client secrets are kept waiting');
  };
}
