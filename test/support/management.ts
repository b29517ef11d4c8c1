import type { ReportRow } from '../../src/analytics/report.ts';
import { PassThrough } from 'node:stream';
import type { TestContext } from 'node:test';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { Registry } from 'prom-client';
import { RialtoError } from '../../src/base/errors.ts';
import { createLogger } from '../../src/base/logger.ts';
import { applyFile } from '../../src/configuration/apply.ts';
import { exportConfiguration } from '../../src/configuration/export-file.ts';
import { fileAnswer } from '../../src/management/configuration/file-answer.ts';
import { createIdentityStore } from '../../src/configuration/identity-store.ts';
import type { Database } from '../../src/configuration/schema.ts';
import { createSessionStore } from '../../src/configuration/session-store.ts';
import { LocalOperator } from '../../src/identity/local-operator.ts';
import { createPublicServer } from '../../src/site/public.ts';
import { createAccessTokens } from '../../src/identity/access-tokens.ts';
import type { Scope } from '../../src/identity/caller.ts';
import { csrfTokenOf, Sessions } from '../../src/identity/sessions.ts';
import type { ExportSource } from '../../src/management/exports/parts.ts';
import { composeManagement, type ManagementComposition } from '../../src/roles/management.ts';
import { hashCheaply, openTestStore, readExample } from './configuration-store.ts';

/** What the server takes for its own address. */
export const AUTH_URL = 'http://localhost:8080';

/** Control's public server over a store with the example's users, in this process. */
export interface ManagementServer {
  readonly app: FastifyInstance;
  readonly db: Kysely<Database>;
  /** The file that the store is in. */
  readonly path: string;
  readonly registry: Registry;
  /** All that was logged so far. */
  readonly log: () => string;
}

/**
 * @param edit changes the configuration file before it is applied.
 * @param asks what the API asks beside the configuration store; unavailable where nothing is given.
 *   The rate of writes is the usual one where nothing is given.
 */
export async function openManagement(
  t: TestContext,
  edit: (yaml: string) => string = (yaml) => yaml,
  asks: Partial<ManagementComposition['asks']> = {},
): Promise<ManagementServer> {
  const { db, path } = await openTestStore(t);
  const applied = await applyFile(db, edit(await readExample()), {
    hashSecret: hashCheaply,
  });
  if (!applied.ok) throw new Error(`the example was refused: ${JSON.stringify(applied.problems)}`);
  const registry = new Registry();
  const stream = new PassThrough();
  let log = '';
  stream.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const logger = createLogger({ level: 'trace', role: 'control' }, stream);
  const app = createPublicServer({
    logger,
    isReady: () => true,
  });
  composeManagement(app, {
    db,
    logger,
    registry,
    local: new LocalOperator(),
    trustedProxies: ['127.0.0.1'],
    authUrl: AUTH_URL,
    trackerUrl: null,
    asks: {
      explainAuction: () => Promise.resolve(null),
      listAuctions: notOpen,
      presentSnapshot: notOpen,
      findCreatives: () => Promise.resolve({ creatives: [], total: 0 }),
      exports: NOTHING_TO_EXPORT,
      exchangeUrl: 'https://ads.example',
      readKpis: () => {
        throw new RialtoError('analytics_unavailable');
      },
      readFunnel: notOpen,
      readLosses: notOpen,
      discover: notOpen,
      readStatus: notOpen,
      filledUntilMs: Date.now,
      readTraffic: notOpen,
      readBidderSums: notOpen,
      readPulse: notOpen,
      readFirsts: notOpen,
      testBidder: async () => 'no_bidder',
      files: {
        apply: async (file) => fileAnswer(await applyFile(db, file.text, file)),
        export: () => exportConfiguration(db),
      },
      quarantine: {
        list: async () => [],
        show: async () => null,
        retry: async () => null,
        drop: async () => null,
      },
      ...asks,
    },
  });
  t.after(() => app.close());
  await app.ready();
  return { app, db, path, registry, log: () => log };
}

/** For tests that write and read faster than a user may. */
export const MANY_REQUESTS = { writesPerMinute: 1_000_000, readsPerMinute: 1_000_000 } as const;

/** Of accounts without any traffic. */
export const NOTHING_TO_EXPORT: ExportSource = {
  log: async function* nothing() {},
  demandReport: async () => ({ columns: ['date'], rows: rowsOf() }),
  supplyReport: async () => ({ columns: ['date'], rows: rowsOf() }),
  daySums: async () => [],
  idSums: async () => [],
  countFacts: async () => ({ hours: new Map(), days: new Map() }),
  loadedUntilMs: Date.now,
};

/** The rows of a report, all at once. */
export async function* rowsOf(...rows: readonly ReportRow[]): AsyncGenerator<readonly ReportRow[]> {
  yield rows;
}

/** As control without its analytics store. */
async function notOpen(): Promise<never> {
  throw new RialtoError('analytics_unavailable');
}

/** What a call of the API came to. */
export interface ApiAnswer {
  readonly status: number;
  /** The parsed body; null where there is none. */
  readonly body: ReturnType<typeof JSON.parse>;
  readonly headers: Readonly<Record<string, unknown>>;
}

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** Calls the API with the token of a user, who gets an application and a token for it. */
export async function apiOf(
  { app, db }: Pick<ManagementServer, 'app' | 'db'>,
  email: string,
  scope: readonly Scope[] = ['read', 'write'],
) {
  const token = await tokenOf(db, email, scope);
  return async (
    method: Method,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<ApiAnswer> => {
    const answer = await app.inject({
      method,
      url: `/api${path}`,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : {
            body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
          }),
    });
    const isJson = /[/+]json\b/.test(String(answer.headers['content-type']));
    return {
      status: answer.statusCode,
      body: isJson ? answer.json() : answer.body || null,
      headers: answer.headers,
    };
  };
}

/** A new token of the user's own application, which is made where there is none. */
export async function tokenOf(
  db: Kysely<Database>,
  email: string,
  scope: readonly Scope[] = ['read', 'write'],
): Promise<string> {
  const user = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  const clientId = `test-of-${email.replaceAll(/[^a-z0-9]/g, '-')}`;
  const nowMs = Date.now();
  await db
    .insertInto('applications')
    .values({
      id: 900_000_000 + user.id,
      user_id: user.id,
      name: 'test',
      client_id: clientId,
      secret_hash: 'none',
      previous_secret_hash: null,
      previous_secret_until: null,
      created_at: nowMs,
      updated_at: nowMs,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const store = createIdentityStore(db);
  const application = await store.findApplication(clientId);
  if (application === null) throw new Error(`${email} cannot sign in`);
  const tokens = createAccessTokens({ store, now: Date.now, onUnnoted: () => {} });
  const issued = await tokens.issue(application, scope);
  if (issued === null) throw new Error(`${email} got no token`);
  return issued.accessToken;
}

/** The headers of a browser in which the user has just signed in; who has no password gets one. */
export async function sessionOf(
  db: Kysely<Database>,
  email: string,
): Promise<Readonly<Record<'cookie' | 'x-csrf-token', string>>> {
  await db
    .updateTable('users')
    .set({ password_hash: 'none' })
    .where('email', '=', email)
    .where('password_hash', 'is', null)
    .execute();
  const store = createSessionStore(db);
  const user = await store.findPasswordUser(email);
  const sessions = new Sessions({ store, now: Date.now, onUnnoted: () => {} });
  const id = user === null ? null : await sessions.begin(user, null);
  if (id === null) throw new Error(`${email} cannot sign in`);
  return { cookie: `rialto_session=${id}`, 'x-csrf-token': csrfTokenOf(id) };
}
