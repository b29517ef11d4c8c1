import { createHmac } from 'node:crypto';
import { createRandomSecret, digestSecret, randomSecretPattern } from './random-secret.ts';
import type { LiveSession, PasswordUser, SessionStore, StoredSession } from './session-store.ts';

/** Lets people and scanners of leaked secrets see what it is. */
const MARK = 'rialto_session_';
const SESSION_ID = randomSecretPattern(MARK);

const HOUR_MS = 3_600_000;

/** A session that nobody uses ends after this time. */
const IDLE_MS = 12 * HOUR_MS;
/** However much it is used. */
const LIFETIME_MS = 7 * 24 * HOUR_MS;
/** Browsers in which one user is signed in: more than anybody has, fewer than fill the store. */
export const SESSIONS_MAX = 20;
/** The last use of a session is written at most this often. */
const USE_NOTED_MS = 60_000;

/** What the token is of: the same key makes nothing else. */
const CSRF_LABEL = 'rialto csrf token';

export interface SessionsParts {
  readonly store: SessionStore;
  /** Unix time in milliseconds. */
  readonly now: () => number;
  /** Told when the use of a session could not be noted, which keeps nobody out. */
  readonly onUnnoted: (error: unknown) => void;
}

/** The browsers in which people are signed in. Ids are opaque, and each sign-in gets a new one. */
export class Sessions {
  readonly #parts: SessionsParts;

  constructor(parts: SessionsParts) {
    this.#parts = parts;
  }

  /**
   * Begins a session of a user who has proved who they are.
   *
   * @param step of the code that they have shown; null for a user without a second factor.
   * @returns its id, which nobody can read again; null when the user may not sign in any more, got
   *   another password or second factor since they were verified, or the code was used meanwhile.
   */
  async begin(user: PasswordUser, step: number | null): Promise<string | null> {
    const { store, now } = this.#parts;
    const id = createRandomSecret(MARK);
    const createdMs = now();
    const isBegun = await store.addSession(
      user,
      { hash: digestSecret(id), step, createdMs, expiresMs: createdMs + LIFETIME_MS },
      { sessionsMax: SESSIONS_MAX, idleSinceMs: createdMs - IDLE_MS },
    );
    return isBegun ? id : null;
  }

  /** The session of an id at this moment; null for one that has ended, or never was. */
  async find(id: string): Promise<LiveSession | null> {
    const { store, now } = this.#parts;
    if (!SESSION_ID.test(id)) return null;
    const nowMs = now();
    const stored = await store.findSession(digestSecret(id), {
      nowMs,
      idleSinceMs: nowMs - IDLE_MS,
    });
    return stored === null ? null : liveSession(stored);
  }

  /** Notes that the session is used, and returns it as it is then. */
  async noteUse(session: LiveSession): Promise<LiveSession> {
    const { store, now, onUnnoted } = this.#parts;
    const nowMs = now();
    const sinceMs = nowMs - USE_NOTED_MS;
    if (session.lastUsedMs > sinceMs) return session;
    try {
      await store.noteSessionUse(session.hash, nowMs, sinceMs);
    } catch (error) {
      onUnnoted(error);
      return session;
    }
    return liveSession({ ...session, lastUsedMs: nowMs });
  }

  /** Ends the session of an id, if there is one. */
  async end(id: string): Promise<void> {
    if (SESSION_ID.test(id)) await this.#parts.store.removeSession(digestSecret(id));
  }
}

/**
 * The token that a session's requests show beside its cookie. It follows from the id, which only the
 * cookie has, so that nothing more is stored, and says nothing about it.
 */
export function csrfTokenOf(sessionId: string): string {
  return createHmac('sha256', sessionId).update(CSRF_LABEL).digest('base64url');
}

function liveSession(stored: StoredSession): LiveSession {
  const { lifetimeEndsMs, lastUsedMs } = stored;
  return { ...stored, expiresMs: Math.min(lifetimeEndsMs, lastUsedMs + IDLE_MS) };
}
