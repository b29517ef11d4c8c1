import { createHmac, randomBytes } from 'node:crypto';
import { BoundedCache } from '../base/bounded-cache.ts';

/** Verifications at a time: each takes a core and a thread of Node's four, which files need too. */
const CONCURRENT_MAX = 2;
/** More than these are refused rather than kept waiting: with 25 ms each it is a fifth of a second. */
const WAITING_MAX = 16;

/** How long a secret that was right is known again without the slow hash. */
const KNOWN_FOR_MS = 86_400_000;
const KNOWN_MAX = 16_384;

/** What was presented, and what it is held against. */
export interface SecretClaim {
  readonly clientId: string;
  readonly secret: string;
  /** PHC string; null where there is no such client, which takes as long to find out. */
  readonly storedHash: string | null;
}

/** `busy`: too many verifications wait already; the secret was not looked at. */
export type Verdict = 'right' | 'wrong' | 'busy';

export interface SecretVerifierParts {
  /** The slow verification, as `verifySecret` does it. */
  readonly verify: (secret: string, storedHash: string | null) => Promise<boolean>;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

/**
 * Verifies secrets with a slow hash without letting anybody occupy the process: few at a time, few
 * waiting, the same claim once however often it comes at the same time, and not at all when it was
 * right before. Claims are remembered as HMACs under a key that lives in this process alone; they
 * cover the stored hash, so that a rolled secret is forgotten with it.
 */
export class SecretVerifier {
  readonly #parts: SecretVerifierParts;
  readonly #key = randomBytes(32);
  /** When each right claim was verified, by its HMAC. */
  readonly #known = new BoundedCache<number>(KNOWN_MAX);
  readonly #underWay = new Map<string, Promise<Verdict>>();
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(parts: SecretVerifierParts) {
    this.#parts = parts;
  }

  /**
   * The verdict when it costs nothing: on a claim that was right before, or one that is being
   * verified now; undefined when it takes a verification.
   */
  known(claim: SecretClaim): Promise<Verdict> | undefined {
    const digest = this.#digest(claim);
    const verifiedMs = this.#known.get(digest);
    if (verifiedMs !== undefined && this.#parts.now() - verifiedMs < KNOWN_FOR_MS) {
      return Promise.resolve('right');
    }
    return this.#underWay.get(digest);
  }

  /** @throws Error when the stored hash is none. */
  verify(claim: SecretClaim): Promise<Verdict> {
    const known = this.known(claim);
    if (known !== undefined) return known;
    if (this.#waiting.length >= WAITING_MAX) return Promise.resolve('busy');
    const digest = this.#digest(claim);
    const verdict = this.#verify(claim, digest).finally(() => this.#underWay.delete(digest));
    this.#underWay.set(digest, verdict);
    return verdict;
  }

  async #verify({ secret, storedHash }: SecretClaim, digest: string): Promise<Verdict> {
    await this.#begin();
    try {
      if (!(await this.#parts.verify(secret, storedHash))) return 'wrong';
      this.#known.set(digest, this.#parts.now());
      return 'right';
    } finally {
      this.#end();
    }
  }

  async #begin(): Promise<void> {
    if (this.#running < CONCURRENT_MAX) this.#running += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Hands the place on to the next, or leaves it free. */
  #end(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#running -= 1;
    else next();
  }

  /** As JSON no two claims are the same text. */
  #digest({ clientId, secret, storedHash }: SecretClaim): string {
    const claim = JSON.stringify([clientId, storedHash, secret]);
    return createHmac('sha256', this.#key).update(claim).digest('base64');
  }
}
