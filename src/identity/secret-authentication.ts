import { GuessThrottle, networkOf, type Attempt } from './guess-throttle.ts';
import type { SecretClaim, SecretVerifier, Verdict } from './secret-verifier.ts';

/** What somebody says that they are, and what they prove it with. */
export interface Credentials {
  /** A client id, or a user's e-mail address. */
  readonly name: string;
  readonly secret: string;
}

/** What came of it. */
export type SecretVerdict<Found> =
  | { readonly outcome: 'accepted'; readonly found: Found }
  /** No such name, wrong secret, or one who may not sign in: nobody is told which. */
  | { readonly outcome: 'refused' }
  /** Too many wrong secrets before; this one was not looked at. */
  | { readonly outcome: 'throttled'; readonly waitMs: number }
  /** Too many secrets are being verified; this one was not looked at. */
  | { readonly outcome: 'busy' };

export interface SecretAuthenticationParts<Found> {
  /** Null for one that does not exist or may not sign in. */
  readonly find: (name: string) => Promise<Found | null>;
  /** PHC strings of the secrets that are good. */
  readonly hashesOf: (found: Found) => readonly string[];
  readonly verifier: SecretVerifier;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Told of each try that was refused for the wrong ones before it. */
  readonly onThrottled: (network: string) => void;
}

/**
 * Finds out who proves to be somebody by a secret, so that neither guessing secrets nor asking for
 * many verifications gains anybody anything.
 */
export class SecretAuthentication<Found> {
  readonly #parts: SecretAuthenticationParts<Found>;
  readonly #throttle = new GuessThrottle();

  constructor(parts: SecretAuthenticationParts<Found>) {
    this.#parts = parts;
  }

  /**
   * @param address of the client; null when it cannot be read.
   * @throws Error when the store fails, or holds a hash that is none.
   */
  async authenticate(
    { name, secret }: Credentials,
    address: string | null,
  ): Promise<SecretVerdict<Found>> {
    const { find, hashesOf, verifier, now } = this.#parts;
    const attempt = { clientId: name, network: networkOf(address) };
    // First of all, so that a throttled guesser neither asks the store nor learns that a guess of
    // a secret which was right before is right.
    const waitMs = this.#throttle.waitMs(attempt, now());
    if (waitMs > 0) return this.#throttled(attempt.network, waitMs);
    const found = await find(name);
    const claim = { clientId: name, secret, storedHashes: found === null ? [] : hashesOf(found) };
    // Without a pause up to the verification: of claims that come at the same time one is counted.
    const verdict = await (verifier.known(claim) ?? this.#verify(claim, attempt));
    if (typeof verdict === 'number') return this.#throttled(attempt.network, verdict);
    if (verdict === 'busy') return { outcome: 'busy' };
    if (verdict === 'wrong' || found === null) return { outcome: 'refused' };
    this.#throttle.noteRight(attempt, now());
    return { outcome: 'accepted', found };
  }

  /** A verification that counts against the attempt, unless it has to wait: then how long. */
  async #verify(claim: SecretClaim, attempt: Attempt): Promise<Verdict | number> {
    const { verifier, now } = this.#parts;
    const nowMs = now();
    const waitMs = this.#throttle.waitMs(attempt, nowMs);
    if (waitMs > 0) return waitMs;
    const giveBack = this.#throttle.take(attempt, nowMs);
    let verdict: Verdict | undefined;
    try {
      verdict = await verifier.verify(claim);
      return verdict;
    } finally {
      if (verdict !== 'wrong') giveBack();
    }
  }

  #throttled(network: string, waitMs: number): SecretVerdict<Found> {
    this.#parts.onThrottled(network);
    return { outcome: 'throttled', waitMs };
  }
}
