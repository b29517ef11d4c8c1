import type { Caller, Scope } from './caller.ts';

/** A program that may sign in: its user is active, and the user's partner or publisher not archived. */
export interface Application {
  readonly id: number;
  readonly clientId: string;
  /** PHC string. */
  readonly secretHash: string;
  /** The hash of the secret before, as long as that is good as well. */
  readonly previousSecretHash: string | null;
}

/** A token as it is stored: never itself, only its hash. */
export interface NewToken {
  /** SHA-256 in hex. */
  readonly hash: string;
  readonly prefix: string;
  readonly scope: readonly Scope[];
  /** Unix time in milliseconds, as all instants here. */
  readonly createdMs: number;
  readonly expiresMs: number;
}

/** A token that opens something now, and for whom. */
export interface LiveToken {
  readonly caller: Caller;
  readonly applicationId: number;
  readonly clientId: string;
  readonly createdMs: number;
  readonly expiresMs: number;
  /** Null for a token that was not used yet. */
  readonly lastUsedMs: number | null;
}

/** Where applications and their tokens are kept. Every answer is of this moment: nothing is cached. */
export interface IdentityStore {
  /** Null for one that does not exist or may not sign in. */
  findApplication(clientId: string): Promise<Application | null>;
  /**
   * Adds a token, removes all that have expired, and the oldest of the application beyond
   * `tokensMax`, in one transaction.
   *
   * @returns false when the application is gone, or the secret that it had is good no longer.
   */
  addToken(application: Application, token: NewToken, tokensMax: number): Promise<boolean>;
  /** Null for one that does not exist, has expired, or whose application may not sign in any more. */
  findToken(hash: string, nowMs: number): Promise<LiveToken | null>;
  /** Notes a use, unless one after `sinceMs` is noted already. */
  noteUse(hash: string, nowMs: number, sinceMs: number): Promise<void>;
  /** Removes a token of this application; one of another application is none. */
  removeToken(hash: string, applicationId: number): Promise<void>;
}
