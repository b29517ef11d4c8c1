/**
 * How much of an exchange-wide rate this process may use now, per second: what its lease says
 * (`LeaseHolder`), and 0 once that has expired.
 */
export type Allowance = (key: string, ratePerSecond: number, nowMs: number) => number;

export interface RateLimiter {
  /**
   * Takes one from the bucket of `key` and says whether there was one to take.
   *
   * @param key the line item or bidder that is limited
   * @param ratePerSecond the limit of the whole exchange; may differ from call to call
   * @param nowMs monotonic; a clock that stands or goes back refills nothing
   */
  take(key: string, ratePerSecond: number, nowMs: number): boolean;
  /** Puts back one that was taken and not used: as if it had not been taken. */
  giveBack(key: string): void;
}

/** A bucket holds a tenth of a second's worth, and one at least. */
const BURST_SECONDS = 0.1;

/** Fewer buckets than this are never looked through for idle ones. */
const BUCKETS_SWEPT_MIN = 1_024;

interface Bucket {
  tokens: number;
  filledMs: number;
  /** The allowance at the last take. */
  rate: number;
  /** When the bucket is full again if nothing is taken. */
  fullMs: number;
}

/**
 * One token bucket per key. With an allowance of r per second, at most `r × w + max(1, r / 10)` are
 * taken in any window of w seconds (where r changes: its integral, and the burst of the highest), so the
 * overshoot of one process is one burst; that of the exchange is one burst per process, and one more
 * for each process that starts within the window.
 * No timers, and no allocation but for a key's first call.
 */
export function createRateLimiter(allowance: Allowance): RateLimiter {
  return new TokenBuckets(allowance);
}

class TokenBuckets implements RateLimiter {
  readonly #allowance: Allowance;
  readonly #buckets = new Map<string, Bucket>();
  #sweepAtSize = BUCKETS_SWEPT_MIN;

  constructor(allowance: Allowance) {
    this.#allowance = allowance;
  }

  take(key: string, ratePerSecond: number, nowMs: number): boolean {
    const rate = this.#allowance(key, ratePerSecond, nowMs);
    // Also refuses NaN; a limit of 0 lets nothing through, not even the burst's one.
    if (!(rate > 0)) return false;
    const burst = Math.max(1, rate * BURST_SECONDS);
    const bucket =
      this.#buckets.get(key) ??
      this.#add(key, { tokens: burst, filledMs: nowMs, rate, fullMs: nowMs });
    const elapsedMs = nowMs - bucket.filledMs;
    if (elapsedMs > 0) {
      // When it was raised in between, it may have been just now; until then it was another's.
      bucket.tokens += (elapsedMs / 1000) * Math.min(rate, bucket.rate);
      bucket.filledMs = nowMs;
    }
    bucket.rate = rate;
    // The cap also takes back at once what a lowered rate no longer grants.
    if (bucket.tokens > burst) bucket.tokens = burst;
    const taken = bucket.tokens >= 1;
    if (taken) bucket.tokens -= 1;
    bucket.fullMs = bucket.filledMs + ((burst - bucket.tokens) / rate) * 1000;
    return taken;
  }

  giveBack(key: string): void {
    const bucket = this.#buckets.get(key);
    // The next `take` cuts it to what the bucket holds.
    if (bucket !== undefined) bucket.tokens += 1;
  }

  #add(key: string, bucket: Bucket): Bucket {
    if (this.#buckets.size >= this.#sweepAtSize) this.#sweep(bucket.filledMs);
    this.#buckets.set(key, bucket);
    return bucket;
  }

  /** Forgets buckets that are full again: a new one would be the same. */
  #sweep(nowMs: number): void {
    for (const [key, bucket] of this.#buckets) {
      if (bucket.fullMs <= nowMs) this.#buckets.delete(key);
    }
    this.#sweepAtSize = Math.max(BUCKETS_SWEPT_MIN, this.#buckets.size * 2);
  }
}
