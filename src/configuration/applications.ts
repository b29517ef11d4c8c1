import type { Kysely, Transaction } from 'kysely';
import { makeToken, TOKENS_MAX } from '../identity/access-tokens.ts';
import type { Scope } from '../identity/caller.ts';
import type { NewToken } from '../identity/identity-store.ts';
import { showScope } from '../identity/scope.ts';
import { fieldChanges, writeAudit, type Actor } from './audit.ts';
import { addToken } from './identity-store.ts';
import { FIRST_ID } from './plan.ts';
import type { Database } from './schema.ts';

/** Who does something, and when. */
export interface By {
  readonly actor: Actor;
  /** Unix time in milliseconds. */
  readonly nowMs: number;
}

type Application = Database['applications'];

/** Enough for every program of a person; it bounds what one of them can make the store keep. */
export const APPLICATIONS_MAX = 100;

/** Adds an application of a user; null where they have as many as anybody may. */
export async function createApplication(
  db: Kysely<Database>,
  made: Pick<Application, 'user_id' | 'name' | 'client_id' | 'secret_hash'>,
  by: By,
): Promise<Application | null> {
  return db.transaction().execute(async (transaction) => {
    const { total, last } = await transaction
      .selectFrom('applications')
      .select((is) => [
        is.fn.count<number>('id').filterWhere('user_id', '=', made.user_id).as('total'),
        is.fn.max('id').as('last'),
      ])
      .executeTakeFirstOrThrow();
    if (total >= APPLICATIONS_MAX) return null;
    const row: Application = {
      id: Math.max(FIRST_ID - 1, last) + 1,
      ...made,
      previous_secret_hash: null,
      previous_secret_until: null,
      created_at: by.nowMs,
      updated_at: by.nowMs,
    };
    await transaction.insertInto('applications').values(row).execute();
    const changes = fieldChanges(null, { name: row.name, user_id: row.user_id });
    const entry = { action: 'created', resourceId: row.client_id, changes } as const;
    await writeAudit(transaction, { ...entry, resource: NOUN }, by);
    return row;
  });
}

const NOUN = 'application';

/** Gives an application another name; the same name changes nothing. */
export async function renameApplication(
  transaction: Transaction<Database>,
  row: Application,
  { name, by }: { readonly name: string; readonly by: By },
): Promise<Application> {
  const changes = fieldChanges({ name: row.name }, { name });
  if (changes.length === 0) return row;
  const next = { ...row, name, updated_at: by.nowMs };
  await transaction
    .updateTable('applications')
    .set({ name, updated_at: by.nowMs })
    .where('id', '=', row.id)
    .execute();
  const entry = { action: 'updated', resource: NOUN, resourceId: row.client_id, changes } as const;
  await writeAudit(transaction, entry, by);
  return next;
}

/** What takes the place of an application's secret. */
export interface SecretRoll {
  readonly secretHash: string;
  readonly previous: { readonly hash: string | null; readonly untilMs: number | null };
}

/**
 * Rolls the secret of an application; null when another roll came first, which would otherwise end
 * the secret that it has promised a grace to.
 */
export async function rollSecret(
  db: Kysely<Database>,
  row: Application,
  { secretHash, previous, by }: SecretRoll & { readonly by: By },
): Promise<Application | null> {
  const next = {
    secret_hash: secretHash,
    previous_secret_hash: previous.hash,
    previous_secret_until: previous.untilMs,
    updated_at: by.nowMs,
  };
  return db.transaction().execute(async (transaction) => {
    const rolled = await transaction
      .updateTable('applications')
      .set(next)
      .where('id', '=', row.id)
      .where('secret_hash', '=', row.secret_hash)
      .returning('id')
      .execute();
    if (rolled.length === 0) return null;
    const { untilMs } = previous;
    const until = untilMs === null ? null : new Date(untilMs).toISOString();
    const changes = [{ field: 'previous_secret_until', after: until }];
    const entry = { action: 'rolled', resource: NOUN, resourceId: row.client_id, changes } as const;
    await writeAudit(transaction, entry, by);
    return { ...row, ...next };
  });
}

/** Removes an application; its tokens go with it. */
export async function deleteApplication(
  transaction: Transaction<Database>,
  row: Application,
  by: By,
): Promise<void> {
  await transaction.deleteFrom('applications').where('id', '=', row.id).execute();
  const changes = [{ field: 'name', before: row.name, after: null }];
  const entry = { action: 'deleted', resource: NOUN, resourceId: row.client_id, changes } as const;
  await writeAudit(transaction, entry, by);
}

/** A token of an application, without itself. */
export type StoredToken = Database['access_tokens'];

/** The tokens of an application that open something, the newest first. */
export async function liveTokens(
  db: Kysely<Database>,
  applicationId: number,
  nowMs: number,
): Promise<readonly StoredToken[]> {
  return db
    .selectFrom('access_tokens')
    .selectAll()
    .where('application_id', '=', applicationId)
    .where('expires_at', '>', nowMs)
    .orderBy('created_at', 'desc')
    .orderBy('token_hash')
    .execute();
}

/** A token that was just made; nobody can read it again. */
export interface GeneratedToken {
  readonly accessToken: string;
  readonly token: NewToken;
}

/** Makes a token for an application whose user asks for it; the oldest goes where there are too many. */
export async function generateToken(
  transaction: Transaction<Database>,
  { id, client_id: clientId, secret_hash: secretHash }: Application,
  { scope, by }: { readonly scope: readonly Scope[]; readonly by: By },
): Promise<GeneratedToken> {
  const { accessToken, token } = makeToken(scope, by.nowMs);
  const application = { id, clientId, secretHash, previousSecretHash: null };
  const added = await addToken(transaction, { application, token, tokensMax: TOKENS_MAX });
  if (!added) throw new Error('an application changed within the transaction that has read it');
  const changes = [
    { field: 'prefix', after: token.prefix },
    { field: 'scope', after: showScope(scope) },
  ];
  const entry = { action: 'created', resource: TOKEN_NOUN, resourceId: clientId, changes } as const;
  await writeAudit(transaction, entry, by);
  return { accessToken, token };
}

const TOKEN_NOUN = 'access token of';

/** Ends a token at once. */
export async function revokeToken(
  transaction: Transaction<Database>,
  { client_id: clientId }: Application,
  { token, by }: { readonly token: StoredToken; readonly by: By },
): Promise<void> {
  await transaction
    .deleteFrom('access_tokens')
    .where('token_hash', '=', token.token_hash)
    .execute();
  const changes = [{ field: 'prefix', before: token.token_prefix, after: null }];
  const entry = { action: 'revoked', resource: TOKEN_NOUN, resourceId: clientId, changes } as const;
  await writeAudit(transaction, entry, by);
}
