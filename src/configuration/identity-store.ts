import type { Kysely, Transaction } from 'kysely';
import type {
  Application,
  IdentityStore,
  LiveToken,
  NewToken,
} from '../identity/identity-store.ts';
import { parseScope, showScope } from '../identity/scope.ts';
import { CALLER_COLUMNS, callerFrom, liveUsers } from './live-users.ts';
import type { Database } from './schema.ts';

/**
 * Applications and access tokens in the configuration store.
 *
 * @param now Unix time in milliseconds, by which a rolled secret is good or over.
 */
export function createIdentityStore(
  db: Kysely<Database>,
  now: () => number = Date.now,
): IdentityStore {
  return {
    findApplication: (clientId) => findApplication(db, clientId, now()),
    addToken: (application, token, tokensMax) =>
      db
        .transaction()
        .execute((transaction) => addToken(transaction, { application, token, tokensMax })),
    findToken: (hash, nowMs) => findToken(db, hash, nowMs),
    noteUse: async (hash, nowMs, sinceMs) => {
      await db
        .updateTable('access_tokens')
        .set({ last_used_at: nowMs })
        .where('token_hash', '=', hash)
        .where((is) => is.or([is('last_used_at', 'is', null), is('last_used_at', '<=', sinceMs)]))
        .execute();
    },
    removeToken: async (hash, applicationId) => {
      await db
        .deleteFrom('access_tokens')
        .where('token_hash', '=', hash)
        .where('application_id', '=', applicationId)
        .execute();
    },
  };
}

function liveApplications(db: Kysely<Database>) {
  return liveUsers(db).innerJoin('applications', 'applications.user_id', 'users.id');
}

async function findApplication(
  db: Kysely<Database>,
  clientId: string,
  nowMs: number,
): Promise<Application | null> {
  // PostgreSQL has no text with this character, and would fail where there is just no such client.
  if (clientId.includes('\0')) return null;
  const row = await liveApplications(db)
    .select([
      'applications.id',
      'applications.client_id',
      'applications.secret_hash',
      'applications.previous_secret_hash',
      'applications.previous_secret_until',
    ])
    .where('applications.client_id', '=', clientId)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    id: row.id,
    clientId: row.client_id,
    secretHash: row.secret_hash,
    previousSecretHash: previousOf(row, nowMs),
  };
}

/** The hash of the secret before the present one, as long as that is good. */
function previousOf(
  row: Pick<Database['applications'], 'previous_secret_hash' | 'previous_secret_until'>,
  nowMs: number,
): string | null {
  return (row.previous_secret_until ?? 0) > nowMs ? row.previous_secret_hash : null;
}

/** A token for an application that has proved who it is. */
export interface Addition {
  readonly application: Application;
  readonly token: NewToken;
  readonly tokensMax: number;
}

/** As `IdentityStore.addToken`, within a transaction. */
export async function addToken(
  transaction: Transaction<Database>,
  { application, token, tokensMax }: Addition,
): Promise<boolean> {
  // Its user may have been paused since the application was verified.
  const still = await liveApplications(transaction)
    .select([
      'applications.secret_hash',
      'applications.previous_secret_hash',
      'applications.previous_secret_until',
    ])
    .where('applications.id', '=', application.id)
    .executeTakeFirst();
  if (still === undefined) return false;
  // It may have been rolled since the application was verified, with time for the one before.
  const good = [still.secret_hash, previousOf(still, token.createdMs)];
  if (!good.includes(application.secretHash)) return false;
  await transaction
    .deleteFrom('access_tokens')
    .where('expires_at', '<=', token.createdMs)
    .execute();
  const beyond = await transaction
    .selectFrom('access_tokens')
    .select('token_hash')
    .where('application_id', '=', application.id)
    .orderBy('created_at', 'desc')
    .orderBy('token_hash')
    .offset(tokensMax - 1)
    // SQLite knows no OFFSET without a LIMIT; there is never more than one beyond.
    .limit(tokensMax)
    .execute();
  const hashes = beyond.map((row) => row.token_hash);
  if (hashes.length > 0) {
    await transaction.deleteFrom('access_tokens').where('token_hash', 'in', hashes).execute();
  }
  await transaction
    .insertInto('access_tokens')
    .values({
      token_hash: token.hash,
      token_prefix: token.prefix,
      application_id: application.id,
      scope: showScope(token.scope),
      created_at: token.createdMs,
      expires_at: token.expiresMs,
      last_used_at: null,
    })
    .execute();
  return true;
}

/** @throws Error when the row holds another scope than `addToken` has written. */
async function findToken(
  db: Kysely<Database>,
  hash: string,
  nowMs: number,
): Promise<LiveToken | null> {
  const row = await liveApplications(db)
    .innerJoin('access_tokens', 'access_tokens.application_id', 'applications.id')
    .select([
      'access_tokens.application_id',
      'access_tokens.scope',
      'access_tokens.created_at',
      'access_tokens.expires_at',
      'access_tokens.last_used_at',
      'applications.client_id',
      ...CALLER_COLUMNS,
    ])
    .where('access_tokens.token_hash', '=', hash)
    .where('access_tokens.expires_at', '>', nowMs)
    .executeTakeFirst();
  if (row === undefined) return null;
  const scope = parseScope(row.scope);
  if (scope === null) throw new Error('a stored token has a scope that does not exist');
  return {
    caller: callerFrom(row, { clientId: row.client_id, scope }),
    applicationId: row.application_id,
    clientId: row.client_id,
    createdMs: row.created_at,
    expiresMs: row.expires_at,
    lastUsedMs: row.last_used_at,
  };
}
