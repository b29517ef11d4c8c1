import { BoundedCache } from '../base/bounded-cache.ts';

/** How much is allowed of something, for each of its keys. */
export interface AllowanceRate {
  /** What a key may use at once. */
  readonly atOnce: number;
  /** How long it takes until one more may be used. */
  readonly refillMs: number;
}

interface Use {
  used: number;
  /** Up to when `used` has been reckoned down. */
  atMs: number;
}

/** Keys that are remembered; those that were not used for longest are forgotten first. */
const KEYS_MAX = 16_384;

/**
 * What each key has used of its allowance, which comes back with time. It holds a bounded number of
 * keys, whoever makes them up.
 */
export class Allowance {
  readonly #rate: AllowanceRate;
  readonly #uses: BoundedCache<Use>;

  constructor(rate: AllowanceRate, keysMax: number = KEYS_MAX) {
    this.#rate = rate;
    this.#uses = new BoundedCache(keysMax);
  }

  /**
   * How long until the key may use so many at once; 0 when it may now.
   *
   * @param nowMs a clock that goes back gives nothing back.
   * @param count no more than may ever be used at once.
   */
  waitMs(key: string, nowMs: number, count = 1): number {
    const use = this.#reckoned(key, nowMs);
    if (use === undefined) return 0;
    const { atOnce, refillMs } = this.#rate;
    return use.used <= atOnce - count ? 0 : Math.ceil((use.used - (atOnce - count)) * refillMs);
  }

  /** How many the key may use at once now. */
  left(key: string, nowMs: number): number {
    const used = this.#reckoned(key, nowMs)?.used ?? 0;
    return Math.max(0, Math.floor(this.#rate.atOnce - used));
  }

  /** Uses so many, also where none is left: ask `waitMs` first. */
  take(key: string, nowMs: number, count = 1): void {
    const use = this.#reckoned(key, nowMs);
    if (use === undefined) this.#uses.set(key, { used: count, atMs: nowMs });
    else use.used += count;
  }

  /** Gives one back that was taken. */
  giveBack(key: string): void {
    const use = this.#uses.get(key);
    if (use !== undefined) use.used = Math.max(0, use.used - 1);
  }

  #reckoned(key: string, nowMs: number): Use | undefined {
    const use = this.#uses.get(key);
    if (use === undefined || nowMs <= use.atMs) return use;
    use.used = Math.max(0, use.used - (nowMs - use.atMs) / this.#rate.refillMs);
    use.atMs = nowMs;
    return use;
  }
}
