import type { TestContext } from 'node:test';
import { fastify, type FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { pino } from 'pino';
import { createIdentityStore } from '../../src/configuration/identity-store.ts';
import type { Database } from '../../src/configuration/schema.ts';
import { answerProblems } from '../../src/control/problem-details.ts';
import { createAccessTokens } from '../../src/identity/access-tokens.ts';
import { createSessionCookie } from '../../src/sign-in/sessions/cookie.ts';
import { SessionDoor } from '../../src/sign-in/sessions/session-door.ts';
import { createSessionStore } from '../../src/configuration/session-store.ts';
import { Sessions } from '../../src/identity/sessions.ts';
import { AUTH_URL } from './management.ts';
import { createAuthenticate, requireCaller } from '../../src/management/authenticate.ts';
import type { Endpoint } from '../../src/management/endpoint.ts';
import { Endpoints } from '../../src/management/endpoints.ts';

/** A management API of endpoints that a test makes up, over a store with tokens. */
export async function serveEndpoints(
  t: TestContext,
  db: Kysely<Database>,
  add: (endpoints: Endpoints) => void,
): Promise<{ readonly app: FastifyInstance; readonly endpoints: readonly Endpoint[] }> {
  const app = fastify();
  t.after(() => app.close());
  answerProblems(app, pino({ level: 'silent' }));
  const store = createIdentityStore(db);
  const tokens = createAccessTokens({ store, now: Date.now, onUnnoted: () => {} });
  const sessions = new Sessions({
    store: createSessionStore(db),
    now: Date.now,
    onUnnoted: () => {},
  });
  const door = new SessionDoor(createSessionCookie(AUTH_URL), sessions);
  let all: readonly Endpoint[] = [];
  app.register(
    async (api) => {
      requireCaller(
        api,
        createAuthenticate(
          (token) => tokens.findCaller(token),
          async (request) => (await door.enter(request))?.session.caller ?? null,
        ),
      );
      const endpoints = new Endpoints(api, { db, now: Date.now });
      add(endpoints);
      endpoints.answerOtherMethods();
      all = endpoints.all;
    },
    { prefix: '/api' },
  );
  await app.ready();
  return { app, endpoints: all };
}
