import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { createIdentityStore } from '../configuration/identity-store.ts';
import {
  choosePassword,
  createFirstOperator,
  endSecondFactor,
  findOpenLink,
} from '../configuration/one-time-link-store.ts';
import type { Database } from '../configuration/schema.ts';
import { registerReference } from '../site/reference/routes.ts';
import type { LocalOperator } from '../identity/local-operator.ts';
import { createClientAddress } from '../enrich/client-address.ts';
import { createAccessTokens } from '../identity/access-tokens.ts';
import { ClientAuthentication } from '../identity/client-authentication.ts';
import { verifyAnySecret } from '../identity/passwords.ts';
import { SecretVerifier } from '../identity/secret-verifier.ts';
import { createSecretHasher } from '../identity/secret-hasher.ts';
import { makeApplication } from '../management/applications/make-application.ts';
import { registerLinks } from '../sign-in/links/routes.ts';
import { registerManagement, type ManagementParts } from '../management/routes.ts';
import type { Endpoint } from '../management/endpoint.ts';
import { createTokenMetrics } from '../sign-in/tokens/metrics.ts';
import { registerTokens } from '../sign-in/tokens/routes.ts';
import { apiDocument } from './api-document.ts';
import { composeSessions } from './sessions.ts';

/** Guessing is told of once in this time; the metrics count all of it. */
const THROTTLED_TOLD_MS = 60_000;

/** What the application is called that somebody gets with their password. */
const FIRST_APPLICATION = 'First application';

export interface ManagementComposition {
  readonly db: Kysely<Database>;
  readonly logger: Logger;
  readonly registry: Registry;
  /** For commands on this machine. */
  readonly local: LocalOperator;
  readonly trustedProxies: readonly string[];
  /** Control's address that others see, without a slash at its end. */
  readonly authUrl: string;
  /** The tracker's, likewise; null if it is not known here. */
  readonly trackerUrl: string | null;
  /**
   * What the API asks of the analytics store, of the exchange's settings, and of control itself, and
   * how fast it lets a user write and read, where that is not the usual rate.
   */
  readonly asks: Omit<
    ManagementParts,
    'findCaller' | 'findSessionCaller' | 'db' | 'now' | 'authUrl' | 'hashSecret' | 'onEndpoints'
  >;
}

/** Composes what people's programs use of control: its token endpoints and the management API. */
export function composeManagement(
  app: FastifyInstance,
  { db, logger, registry, local, trustedProxies, authUrl, trackerUrl, asks }: ManagementComposition,
): void {
  const store = createIdentityStore(db);
  const tokens = createAccessTokens({
    store,
    now: Date.now,
    onUnnoted: (error) => logger.warn({ err: error }, 'the use of a token could not be noted'),
  });
  const now = (): number => performance.now();
  // One for people and programs: verifications take threads that files need too.
  const verifier = new SecretVerifier({ verify: verifyAnySecret, now });
  const clients = new ClientAuthentication({
    store,
    verifier,
    now,
    onThrottled: tellThrottled(logger, 'programs with wrong client secrets are kept waiting'),
  });
  const clientAddress = createClientAddress(trustedProxies);
  const addressOf = ({ headers, socket }: FastifyRequest): string | null => {
    const { 'x-forwarded-for': forwarded } = headers;
    const addresses = Array.isArray(forwarded) ? forwarded.join(',') : forwarded;
    return clientAddress(socket.remoteAddress, addresses, undefined).ip;
  };
  registerTokens(app, { clients, tokens, metrics: createTokenMetrics(registry), addressOf });
  const hashSecret = createSecretHasher();
  const findSessionCaller = composeSessions(app, {
    db,
    logger,
    registry,
    verifier,
    onThrottled: tellThrottled(logger, 'people with wrong passwords are kept waiting'),
    addresses: {
      auth_url: authUrl,
      base_url: `${authUrl}/api`,
      reporting_url: `${authUrl}/reporting`,
      exchange_url: asks.exchangeUrl,
      tracker_url: trackerUrl,
    },
    hashSecret,
    addressOf,
  });
  registerLinks(app, {
    find: (token) => findOpenLink(db, token, Date.now()),
    choosePassword: (use) => choosePassword(db, use, Date.now()),
    endSecondFactor: (token) => endSecondFactor(db, token, Date.now()),
    createFirstOperator: (use) => createFirstOperator(db, use, Date.now()),
    makeApplication: async (userId, email) => {
      const actor = { name: email, userId, clientId: null };
      const wanted = { userId, name: FIRST_APPLICATION };
      const made = await makeApplication({ db, hashSecret }, wanted, { actor, nowMs: Date.now() });
      return made === null ? null : { clientId: made.row.client_id, secret: made.secret };
    },
    authUrl,
    hashSecret,
    addressOf,
    now,
    logger,
  });
  let endpoints: readonly Endpoint[] = [];
  registerManagement(app, {
    findCaller: async (token, { headers, socket: { remoteAddress, localAddress } }) => {
      const isForwarded =
        headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
      const here = local.findCaller(token, { remoteAddress, localAddress, isForwarded });
      return here ?? tokens.findCaller(token);
    },
    findSessionCaller,
    ...asks,
    db,
    now: Date.now,
    authUrl,
    hashSecret,
    onEndpoints: (all) => (endpoints = all),
  });
  registerReference(app, { document: () => apiDocument(endpoints), address: authUrl });
}

/** The client id or address is left out: people mistake the fields, and it may be a secret. */
function tellThrottled(logger: Logger, message: string): (network: string) => void {
  let toldMs = Number.NEGATIVE_INFINITY;
  return (network) => {
    const nowMs = performance.now();
    if (nowMs - toldMs < THROTTLED_TOLD_MS) return;
    toldMs = nowMs;
    logger.warn({ network }, message);
  };
}
