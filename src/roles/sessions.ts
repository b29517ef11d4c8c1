import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Database } from '../configuration/schema.ts';
import { changePassword, createSessionStore } from '../configuration/session-store.ts';
import { createSecondFactorStore } from '../configuration/second-factor-store.ts';
import { SignInLog } from '../configuration/sign-in-log.ts';
import type { Caller } from '../identity/caller.ts';
import {
  SecretAuthentication,
  type SecretAuthenticationParts,
} from '../identity/secret-authentication.ts';
import type { SecretHasher } from '../identity/secret-hasher.ts';
import { SecondFactors } from '../identity/second-factors.ts';
import type { PasswordUser } from '../identity/session-store.ts';
import { Sessions } from '../identity/sessions.ts';
import { createSessionCookie } from '../sign-in/sessions/cookie.ts';
import { createSignInMetrics } from '../sign-in/sessions/metrics.ts';
import { registerSessions } from '../sign-in/sessions/routes.ts';
import type { Addresses } from '../sign-in/sessions/schema.ts';
import { SessionDoor } from '../sign-in/sessions/session-door.ts';

export interface SessionComposition extends Pick<
  SecretAuthenticationParts<PasswordUser>,
  'verifier' | 'onThrottled'
> {
  readonly db: Kysely<Database>;
  readonly logger: Logger;
  readonly registry: Registry;
  readonly addresses: Addresses;
  readonly hashSecret: SecretHasher;
  readonly addressOf: (request: FastifyRequest) => string | null;
}

/**
 * Composes the sessions of browsers.
 *
 * @returns whose browser sends a request; null for one without a session's cookie.
 */
export function composeSessions(
  app: FastifyInstance,
  composition: SessionComposition,
): (request: FastifyRequest) => Promise<Caller | null> {
  const { db, logger, registry, verifier, onThrottled, ...parts } = composition;
  const store = createSessionStore(db);
  const sessions = new Sessions({
    store,
    now: Date.now,
    onUnnoted: (error) => logger.warn({ err: error }, 'the use of a session could not be noted'),
  });
  const signIns = new SignInLog(db, Date.now);
  const cookie = createSessionCookie(parts.addresses.auth_url);
  const door = new SessionDoor(cookie, sessions);
  const passwords = new SecretAuthentication<PasswordUser>({
    find: (email) => store.findPasswordUser(email),
    hashesOf: ({ passwordHash }) => [passwordHash],
    verifier,
    now: () => performance.now(),
    onThrottled,
  });
  const secondFactors = new SecondFactors({
    store: createSecondFactorStore(db, Date.now),
    now: Date.now,
    monotonicNow: () => performance.now(),
  });
  registerSessions(app, {
    ...parts,
    sessions,
    door,
    cookie,
    passwords,
    secondFactors,
    changePassword: (change) => changePassword(db, change, Date.now()),
    metrics: createSignInMetrics(registry),
    // What cannot be written down keeps nobody out: the store that fails here holds the sessions too.
    noteSignIn: (attempt) =>
      signIns
        .note(attempt)
        .catch((error: unknown) => logger.error({ err: error }, 'a sign-in could not be noted')),
  });
  return async (request) => (await door.enterApi(request))?.session.caller ?? null;
}
