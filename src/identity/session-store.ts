import type { Caller } from './caller.ts';

/** Somebody who may sign in with a password. */
export interface PasswordUser {
  readonly id: number;
  readonly email: string;
  /** PHC string. */
  readonly passwordHash: string;
}

/** A session as it is stored: never its id, only the hash. */
export interface NewSession {
  /** SHA-256 in hex. */
  readonly hash: string;
  /** Of the code that was shown beside the password, which is used up; null without a second factor. */
  readonly step: number | null;
  /** Unix time in milliseconds, as all instants here. */
  readonly createdMs: number;
  readonly expiresMs: number;
}

/** Whoever has a second factor has shown it to begin the session. */
export interface SecondFactorState {
  readonly isSetUp: boolean;
  /** Whether the exchange requires it of those who change anything. */
  readonly isRequired: boolean;
}

/** A session that is good now, and whose. */
export interface StoredSession {
  readonly hash: string;
  readonly caller: Caller;
  readonly secondFactor: SecondFactorState;
  readonly createdMs: number;
  /** To the nearest minute. */
  readonly lastUsedMs: number;
  /** However much it is used. */
  readonly lifetimeEndsMs: number;
}

/** The same with when it ends unless it is used. */
export interface LiveSession extends StoredSession {
  readonly expiresMs: number;
}

/** A session that was not used since `idleSinceMs` has ended, as one whose time is over. */
export interface SessionMoment {
  readonly nowMs: number;
  readonly idleSinceMs: number;
}

/** Where sessions are kept. Every answer is of this moment: nothing is cached. */
export interface SessionStore {
  /** Null for who does not exist, may not sign in, or has no password. */
  findPasswordUser(email: string): Promise<PasswordUser | null>;
  /**
   * Adds a session, removes all that have ended, and the oldest of the user beyond `sessionsMax`, in
   * one transaction.
   *
   * @returns false when the user may not sign in any more, has another password, or the code was used.
   */
  addSession(
    user: PasswordUser,
    session: NewSession,
    limits: { readonly sessionsMax: number; readonly idleSinceMs: number },
  ): Promise<boolean>;
  /** Null for one that does not exist, has ended, or whose user may not sign in any more. */
  findSession(hash: string, moment: SessionMoment): Promise<StoredSession | null>;
  /** Notes a use, unless one after `sinceMs` is noted already. */
  noteSessionUse(hash: string, nowMs: number, sinceMs: number): Promise<void>;
  removeSession(hash: string): Promise<void>;
}
