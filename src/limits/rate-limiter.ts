/**
 * How much of an exchange-wide rate this process may use now, per second. Today an even share of it
 * (`evenShare`); a lease handed out by control takes its place, answering 0 once it has expired.
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
}

/** A bucket holds a tenth of a second's worth, and one at least. */
const BURST_SECONDS = 0.1;

/** Fewer buckets than this are never looked through for idle ones. */
const BUCKETS_SWEPT_MIN = 1_024;

interface Bucket {
  tokens: number;
  filledMs: number;
  /** When the bucket is full again if nothing is taken. */
  fullMs: number;
}

/**
 * One token bucket per key. With an allowance of r per second, at most `r × w + max(1, r / 10)` are
 * taken in any window of w seconds, so the overshoot of one process is one burst; that of the
 * exchange is one burst per process, and one more for each process that starts within the window.
 * No timers, and no allocation but for a key's first call.
 */
export function createRateLimiter(allowance: Allowance): RateLimiter {
  return new TokenBuckets(allowance);
}

/** Gives each of the exchange's processes the same part of every rate. */
export function evenShare(processes: number): Allowance {
  return (_key, ratePerSecond) => ratePerSecond / processes;
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
    const bucket = this.#buckets.get(key) ?? this.#add(key, burst, nowMs);
    const elapsedMs = nowMs - bucket.filledMs;
    if (elapsedMs > 0) {
      bucket.tokens += (elapsedMs / 1000) * rate;
      bucket.filledMs = nowMs;
    }
    // The cap also takes back at once what a lowered rate no longer grants.
    if (bucket.tokens > burst) bucket.tokens = burst;
    const taken = bucket.tokens >= 1;
    if (taken) bucket.tokens -= 1;
    bucket.fullMs = bucket.filledMs + ((burst - bucket.tokens) / rate) * 1000;
    return taken;
  }

  #add(key: string, burst: number, nowMs: number): Bucket {
    if (this.#buckets.size >= this.#sweepAtSize) this.#sweep(nowMs);
    const bucket = { tokens: burst, filledMs: nowMs, fullMs: nowMs };
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
