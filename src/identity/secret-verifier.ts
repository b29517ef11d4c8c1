import { createHmac, randomBytes } from 'node:crypto';
import { BoundedCache } from '../base/bounded-cache.ts';
import { TaskQueue } from '../base/task-queue.ts';

/**
 * Verifications at a time: each takes a core and a thread of Node's four, which files need too. More
 * than those that wait are refused: with 25 ms each they wait a fifth of a second.
 */
const LIMITS = { concurrentMax: 2, waitingMax: 16 };

/** How long a secret that was right is known again without the slow hash. */
const KNOWN_FOR_MS = 86_400_000;
const KNOWN_MAX = 16_384;

/** What was presented, and what it is held against. */
export interface SecretClaim {
  readonly clientId: string;
  readonly secret: string;
  /**
   * PHC strings: the secret's, and after a roll that of the one before. None where there is no such
   * client, which takes as long to find out.
   */
  readonly storedHashes: readonly string[];
}

/** `busy`: too many verifications wait already; the secret was not looked at. */
export type Verdict = 'right' | 'wrong' | 'busy';

export interface SecretVerifierParts {
  /** The slow verification, as `verifyAnySecret` does it. */
  readonly verify: (secret: string, storedHashes: readonly string[]) => Promise<boolean>;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

/**
 * Verifies secrets with a slow hash without letting anybody occupy the process: few at a time, few
 * waiting, the same claim once however often it comes at the same time, and not at all when it was
 * right before. Claims are remembered as HMACs under a key that lives in this process alone; they
 * cover the stored hashes, so that a rolled secret is forgotten with it.
 */
export class SecretVerifier {
  readonly #parts: SecretVerifierParts;
  readonly #key = randomBytes(32);
  /** When each right claim was verified, by its HMAC. */
  readonly #known = new BoundedCache<number>(KNOWN_MAX);
  readonly #underWay = new Map<string, Promise<Verdict>>();
  readonly #verifications = new TaskQueue(LIMITS);

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
    if (this.#verifications.isFull) return Promise.resolve('busy');
    const digest = this.#digest(claim);
    const verdict = this.#verify(claim, digest).finally(() => this.#underWay.delete(digest));
    this.#underWay.set(digest, verdict);
    return verdict;
  }

  async #verify({ secret, storedHashes }: SecretClaim, digest: string): Promise<Verdict> {
    const { verify, now } = this.#parts;
    const isRight = await this.#verifications.run(() => verify(secret, storedHashes));
    if (!isRight) return 'wrong';
    this.#known.set(digest, now());
    return 'right';
  }

  /** As JSON no two claims are the same text. */
  #digest({ clientId, secret, storedHashes }: SecretClaim): string {
    const claim = JSON.stringify([clientId, storedHashes, secret]);
    return createHmac('sha256', this.#key).update(claim).digest('base64');
  }
}
