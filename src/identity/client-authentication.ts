import { Allowance } from './allowance.ts';
import { GuessThrottle, networkOf, type Attempt } from './guess-throttle.ts';
import type { Application, IdentityStore } from './identity-store.ts';
import {
  SecretVerifier,
  type SecretClaim,
  type SecretVerifierParts,
  type Verdict,
} from './secret-verifier.ts';

/** What a program says that it is, and what it proves it with. */
export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** What came of it. */
export type ClientVerdict =
  | { readonly outcome: 'accepted'; readonly application: Application }
  /** No such client, wrong secret, or a client that may not sign in: nobody is told which. */
  | { readonly outcome: 'refused' }
  /** Too many wrong secrets before; this one was not looked at. */
  | { readonly outcome: 'throttled'; readonly waitMs: number }
  /** Too many secrets are being verified; this one was not looked at. */
  | { readonly outcome: 'busy' };

export interface ClientAuthenticationParts extends SecretVerifierParts {
  readonly store: Pick<IdentityStore, 'findApplication'>;
  /** Told of each try that was refused for the wrong ones before it. */
  readonly onThrottled: (network: string) => void;
}

/** Tokens that one application may ask for: a hundred at once, then one a second. */
const ISSUE_RATE = { atOnce: 100, refillMs: 1_000 };

/**
 * Finds out which application sends a request, so that neither guessing secrets nor asking for many
 * verifications gains anybody anything.
 */
export class ClientAuthentication {
  readonly #parts: ClientAuthenticationParts;
  readonly #throttle = new GuessThrottle();
  readonly #issues = new Allowance(ISSUE_RATE);
  readonly #verifier: SecretVerifier;

  constructor(parts: ClientAuthenticationParts) {
    this.#parts = parts;
    this.#verifier = new SecretVerifier(parts);
  }

  /**
   * @param address of the client; null when it cannot be read.
   * @throws Error when the store fails, or holds a hash that is none.
   */
  async authenticate(
    { clientId, clientSecret }: ClientCredentials,
    address: string | null,
  ): Promise<ClientVerdict> {
    const { store, now } = this.#parts;
    const attempt = { clientId, network: networkOf(address) };
    // First of all, so that a throttled guesser neither asks the store nor learns that a guess of
    // a secret which was right before is right.
    const waitMs = this.#throttle.waitMs(attempt, now());
    if (waitMs > 0) return this.#throttled(attempt.network, waitMs);
    const application = await store.findApplication(clientId);
    const claim = { clientId, secret: clientSecret, storedHashes: hashesOf(application) };
    // Without a pause up to the verification: of claims that come at the same time one is counted.
    const verdict = await (this.#verifier.known(claim) ?? this.#verify(claim, attempt));
    if (typeof verdict === 'number') return this.#throttled(attempt.network, verdict);
    if (verdict === 'busy') return { outcome: 'busy' };
    if (verdict === 'wrong' || application === null) return { outcome: 'refused' };
    this.#throttle.noteRight(attempt, now());
    return { outcome: 'accepted', application };
  }

  /**
   * Counts a token that the application asks for.
   *
   * @returns how long it has to wait for it; 0 when it may have it now.
   */
  takeIssue({ clientId }: Application): number {
    const nowMs = this.#parts.now();
    const waitMs = this.#issues.waitMs(clientId, nowMs);
    if (waitMs === 0) this.#issues.take(clientId, nowMs);
    return waitMs;
  }

  /** A verification that counts against the attempt, unless it has to wait: then how long. */
  async #verify(claim: SecretClaim, attempt: Attempt): Promise<Verdict | number> {
    const nowMs = this.#parts.now();
    const waitMs = this.#throttle.waitMs(attempt, nowMs);
    if (waitMs > 0) return waitMs;
    const giveBack = this.#throttle.take(attempt, nowMs);
    let verdict: Verdict | undefined;
    try {
      verdict = await this.#verifier.verify(claim);
      return verdict;
    } finally {
      if (verdict !== 'wrong') giveBack();
    }
  }

  #throttled(network: string, waitMs: number): ClientVerdict {
    this.#parts.onThrottled(network);
    return { outcome: 'throttled', waitMs };
  }
}

/** After a roll the secret before is good for a while, too. */
function hashesOf(application: Application | null): readonly string[] {
  if (application === null) return [];
  const { secretHash, previousSecretHash } = application;
  return previousSecretHash === null ? [secretHash] : [secretHash, previousSecretHash];
}
