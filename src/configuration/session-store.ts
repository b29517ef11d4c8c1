import type { Kysely, Transaction } from 'kysely';
import { SCOPES } from '../identity/caller.ts';
import type {
  NewSession,
  PasswordUser,
  SessionMoment,
  SessionStore,
  StoredSession,
} from '../identity/session-store.ts';
import { writeAudit } from './audit.ts';
import { CALLER_COLUMNS, callerFrom, liveUsers } from './live-users.ts';
import { emailKey } from './resources/user.ts';
import type { Database } from './schema.ts';
import { useStep } from './second-factor-store.ts';

/** Sessions in the configuration store. */
export function createSessionStore(db: Kysely<Database>): SessionStore {
  return {
    findPasswordUser: (email) => findPasswordUser(db, email),
    addSession: (user, session, limits) =>
      db.transaction().execute((transaction) => addSession(transaction, user, session, limits)),
    findSession: (hash, moment) => findSession(db, hash, moment),
    noteSessionUse: async (hash, nowMs, sinceMs) => {
      await db
        .updateTable('sessions')
        .set({ last_used_at: nowMs })
        .where('session_hash', '=', hash)
        .where('last_used_at', '<=', sinceMs)
        .execute();
    },
    removeSession: async (hash) => {
      await db.deleteFrom('sessions').where('session_hash', '=', hash).execute();
    },
  };
}

/** A password that its owner changes. */
export interface PasswordChange {
  /** As they were when the present password was verified. */
  readonly user: PasswordUser;
  readonly newHash: string;
  /** The hash of the session in which it is changed: it goes on, all others end. */
  readonly sessionHash: string;
}

/**
 * Sets the password of a user who has shown the present one.
 *
 * @returns false when the user may not sign in any more, or has another password meanwhile.
 */
export async function changePassword(
  db: Kysely<Database>,
  { user, newHash, sessionHash }: PasswordChange,
  nowMs: number,
): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    if (!(await isUnchanged(transaction, user))) return false;
    const { id, email } = user;
    await transaction
      .updateTable('users')
      .set({ password_hash: newHash, updated_at: nowMs })
      .where('id', '=', id)
      .execute();
    await transaction
      .deleteFrom('sessions')
      .where('user_id', '=', id)
      .where('session_hash', '!=', sessionHash)
      .execute();
    const changes = [{ field: 'has_password', before: true, after: true }];
    const entry = { action: 'updated', resource: 'user', resourceId: email, changes } as const;
    const actor = { name: email, userId: id, clientId: null };
    await writeAudit(transaction, entry, { actor, nowMs });
    return true;
  });
}

/** Ends all sessions of a user. */
export async function endSessionsOf(
  transaction: Transaction<Database>,
  userId: number,
): Promise<void> {
  await transaction.deleteFrom('sessions').where('user_id', '=', userId).execute();
}

async function findPasswordUser(db: Kysely<Database>, email: string): Promise<PasswordUser | null> {
  // PostgreSQL has no text with this character, and would fail where there is just no such user.
  if (email.includes('\0')) return null;
  const row = await liveUsers(db)
    .select(['users.id', 'users.email', 'users.password_hash'])
    .where('users.email', '=', emailKey(email))
    .executeTakeFirst();
  if (row === undefined || row.password_hash === null) return null;
  return { id: row.id, email: row.email, passwordHash: row.password_hash };
}

/** Whether the user may still sign in, with the password that was verified. */
async function isUnchanged(
  transaction: Transaction<Database>,
  { id, passwordHash }: PasswordUser,
): Promise<boolean> {
  const still = await liveUsers(transaction)
    .select('users.password_hash')
    .where('users.id', '=', id)
    .executeTakeFirst();
  return still?.password_hash === passwordHash;
}

async function addSession(
  transaction: Transaction<Database>,
  user: PasswordUser,
  { hash, createdMs, expiresMs, step }: NewSession,
  { sessionsMax, idleSinceMs }: { readonly sessionsMax: number; readonly idleSinceMs: number },
): Promise<boolean> {
  if (!(await isUnchanged(transaction, user))) return false;
  if (!(await useStep(transaction, user.id, step))) return false;
  await transaction
    .deleteFrom('sessions')
    .where((is) =>
      is.or([is('expires_at', '<=', createdMs), is('last_used_at', '<=', idleSinceMs)]),
    )
    .execute();
  const beyond = await transaction
    .selectFrom('sessions')
    .select('session_hash')
    .where('user_id', '=', user.id)
    .orderBy('created_at', 'desc')
    .orderBy('session_hash')
    .offset(sessionsMax - 1)
    // SQLite knows no OFFSET without a LIMIT; there is never more than one beyond.
    .limit(sessionsMax)
    .execute();
  const hashes = beyond.map((row) => row.session_hash);
  if (hashes.length > 0) {
    await transaction.deleteFrom('sessions').where('session_hash', 'in', hashes).execute();
  }
  await transaction
    .insertInto('sessions')
    .values({
      session_hash: hash,
      user_id: user.id,
      created_at: createdMs,
      expires_at: expiresMs,
      last_used_at: createdMs,
    })
    .execute();
  return true;
}

async function findSession(
  db: Kysely<Database>,
  hash: string,
  { nowMs, idleSinceMs }: SessionMoment,
): Promise<StoredSession | null> {
  const row = await liveUsers(db)
    .innerJoin('sessions', 'sessions.user_id', 'users.id')
    .leftJoin('second_factors', 'second_factors.user_id', 'users.id')
    // One row, or none while nobody has changed a setting.
    .leftJoin('exchange_settings', (join) => join.onTrue())
    .select(['sessions.created_at', 'sessions.expires_at', 'sessions.last_used_at'])
    .select(['second_factors.confirmed_at', 'exchange_settings.require_second_factor'])
    .select(CALLER_COLUMNS)
    .where('sessions.session_hash', '=', hash)
    .where('sessions.expires_at', '>', nowMs)
    .where('sessions.last_used_at', '>', idleSinceMs)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    hash,
    caller: callerFrom(row, { clientId: null, scope: SCOPES }),
    secondFactor: {
      isSetUp: row.confirmed_at !== null,
      isRequired: row.require_second_factor === 1,
    },
    createdMs: row.created_at,
    lastUsedMs: row.last_used_at,
    lifetimeEndsMs: row.expires_at,
  };
}
