import {
  accessTokenHash,
  accessTokenPrefix,
  createAccessToken,
  isAccessToken,
} from './access-token.ts';
import type { Caller, Scope } from './caller.ts';
import type { Application, IdentityStore, LiveToken, NewToken } from './identity-store.ts';

/** How long a token is good for. */
const TOKEN_LIFETIME_MS = 3_600_000;

/** Live tokens of one application: enough for a fleet whose every process asks for its own. */
export const TOKENS_MAX = 100;

/** The last use of a token is written at most this often. */
const USE_NOTED_MS = 60_000;

const SECOND_MS = 1_000;

/** A token that was just made; nobody can read it again. */
export interface IssuedToken {
  readonly accessToken: string;
  readonly scope: readonly Scope[];
  /** What is left of its life, to the nearest second. */
  readonly expiresInSeconds: number;
}

export interface AccessTokens {
  /**
   * Makes a token for an application that has proved who it is. Tokens are stored as hashes, so
   * that each request gets a new one.
   *
   * @returns null when the application was removed, or got another secret, since it was verified.
   */
  issue(application: Application, scope: readonly Scope[]): Promise<IssuedToken | null>;
  /** Whom a token lets in at this moment, noting the use; null for one that opens nothing. */
  findCaller(accessToken: string): Promise<Caller | null>;
  /** What is known of the application's own token; null for one that opens nothing, or another's. */
  introspect(accessToken: string, application: Application): Promise<LiveToken | null>;
  /** Ends the application's own token at once; leaves those of others alone. */
  revoke(accessToken: string, application: Application): Promise<void>;
}

export interface AccessTokensParts {
  readonly store: IdentityStore;
  /** Unix time in milliseconds. */
  readonly now: () => number;
  /** Told when the use of a token could not be noted, which keeps nobody out. */
  readonly onUnnoted: (error: unknown) => void;
}

/** The access tokens of all applications: opaque, and good for an hour. */
export function createAccessTokens({ store, now, onUnnoted }: AccessTokensParts): AccessTokens {
  const find = async (accessToken: string, hash: string): Promise<LiveToken | null> =>
    isAccessToken(accessToken) ? store.findToken(hash, now()) : null;

  const noteUse = async (hash: string, lastUsedMs: number | null): Promise<void> => {
    const nowMs = now();
    const sinceMs = nowMs - USE_NOTED_MS;
    if (lastUsedMs !== null && lastUsedMs > sinceMs) return;
    try {
      await store.noteUse(hash, nowMs, sinceMs);
    } catch (error) {
      onUnnoted(error);
    }
  };

  return {
    issue: async (application, scope) => {
      const { accessToken, token } = makeToken(scope, now());
      if (!(await store.addToken(application, token, TOKENS_MAX))) return null;
      return { accessToken, scope, expiresInSeconds: secondsLeft(token.expiresMs, now()) };
    },
    findCaller: async (accessToken) => {
      const hash = accessTokenHash(accessToken);
      const token = await find(accessToken, hash);
      if (token === null) return null;
      await noteUse(hash, token.lastUsedMs);
      return token.caller;
    },
    introspect: async (accessToken, application) => {
      const token = await find(accessToken, accessTokenHash(accessToken));
      return token?.applicationId === application.id ? token : null;
    },
    revoke: async (accessToken, { id }) => {
      if (isAccessToken(accessToken)) await store.removeToken(accessTokenHash(accessToken), id);
    },
  };
}

/** A new token, and what is stored of it. */
export function makeToken(
  scope: readonly Scope[],
  createdMs: number,
): { readonly accessToken: string; readonly token: NewToken } {
  const accessToken = createAccessToken();
  const token = {
    hash: accessTokenHash(accessToken),
    prefix: accessTokenPrefix(accessToken),
    scope,
    createdMs,
    expiresMs: createdMs + TOKEN_LIFETIME_MS,
  };
  return { accessToken, token };
}

/** What is left of a token's life, to the nearest second. */
export function secondsLeft(expiresMs: number, nowMs: number): number {
  return Math.round((expiresMs - nowMs) / SECOND_MS);
}
