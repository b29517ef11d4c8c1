import { Allowance } from './allowance.ts';
import type { Application, IdentityStore } from './identity-store.ts';
import {
  SecretAuthentication,
  type SecretAuthenticationParts,
  type SecretVerdict,
} from './secret-authentication.ts';

/** What a program says that it is, and what it proves it with. */
export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** What came of it. */
export type ClientVerdict = SecretVerdict<Application>;

export interface ClientAuthenticationParts extends Omit<
  SecretAuthenticationParts<Application>,
  'find' | 'hashesOf'
> {
  readonly store: Pick<IdentityStore, 'findApplication'>;
}

/** Tokens that one application may ask for: a hundred at once, then one a second. */
const ISSUE_RATE = { atOnce: 100, refillMs: 1_000 };

/** Finds out which application sends a request, and how many tokens it may ask for. */
export class ClientAuthentication {
  readonly #now: () => number;
  readonly #secrets: SecretAuthentication<Application>;
  readonly #issues = new Allowance(ISSUE_RATE);

  constructor({ store, ...parts }: ClientAuthenticationParts) {
    this.#now = parts.now;
    const find = (clientId: string) => store.findApplication(clientId);
    this.#secrets = new SecretAuthentication({ ...parts, find, hashesOf });
  }

  /** As `SecretAuthentication.authenticate`. */
  async authenticate(
    { clientId, clientSecret }: ClientCredentials,
    address: string | null,
  ): Promise<ClientVerdict> {
    return this.#secrets.authenticate({ name: clientId, secret: clientSecret }, address);
  }

  /**
   * Counts a token that the application asks for.
   *
   * @returns how long it has to wait for it; 0 when it may have it now.
   */
  takeIssue({ clientId }: Application): number {
    const nowMs = this.#now();
    const waitMs = this.#issues.waitMs(clientId, nowMs);
    if (waitMs === 0) this.#issues.take(clientId, nowMs);
    return waitMs;
  }
}

/** After a roll the secret before is good for a while, too. */
function hashesOf({ secretHash, previousSecretHash }: Application): readonly string[] {
  return previousSecretHash === null ? [secretHash] : [secretHash, previousSecretHash];
}
