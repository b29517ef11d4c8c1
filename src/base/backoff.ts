/** How the waits between tries grow. */
export interface BackoffLimits {
  readonly firstMs: number;
  readonly lastMs: number;
}

/**
 * The waits between tries of something that fails: the first one, then each twice the one before,
 * up to the last. `reset` when it has worked.
 */
export class Backoff {
  readonly #limits: BackoffLimits;
  #nextMs: number;

  constructor(limits: BackoffLimits) {
    this.#limits = limits;
    this.#nextMs = limits.firstMs;
  }

  /** The wait before the next try, in milliseconds. */
  next(): number {
    const waitMs = this.#nextMs;
    this.#nextMs = Math.min(this.#limits.lastMs, waitMs * 2);
    return waitMs;
  }

  reset(): void {
    this.#nextMs = this.#limits.firstMs;
  }
}

/**
 * Spreads a wait over its second half, so that many who failed together do not come back together.
 *
 * @param random a number in [0, 1).
 */
export function jittered(waitMs: number, random: number): number {
  return waitMs * (0.5 + random / 2);
}
