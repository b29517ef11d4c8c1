/**
 * Keeps calls from a bidder of which few come to something, so that nobody waits for it and it has
 * room to recover.
 *
 * A second without anything but failures, at least five of them, opens it: one call a second is then
 * let through as a probe. Two probes in a row that come to something close it, and calls come back
 * over two and a half seconds.
 *
 * For a bidder that fails in part the share of failing calls counts, over about the last two seconds
 * or, at low rates, the last sixteen calls. Up to half nothing happens: what comes of the others is
 * worth the wait. Up to three quarters the calls are thinned out in proportion, which settles where
 * opening and closing in turns would not; above it opens.
 */
export class Breaker {
  readonly #watcher: BreakerWatcher;
  #open = false;
  #openedMs = 0;
  /** The share of calls that fail, smoothed: from 0 to 1. */
  #failing = 0;
  /** Outcomes that are not in it yet, and since when they are gathered. */
  #good = 0;
  #bad = 0;
  #foldedMs = Number.NEGATIVE_INFINITY;
  /** Failures since the last success, and when the first of them was. */
  #run = 0;
  #runStartMs = 0;
  /** Parts of calls that were held back, and make up the next that is let through. */
  #credit = 0;
  /** When a call was last let through. */
  #admittedMs = Number.NEGATIVE_INFINITY;
  /** Probes in a row that came to something. */
  #goodProbes = 0;
  #probes = 0;
  /** Until then calls come back little by little. */
  #rampEndMs = Number.NEGATIVE_INFINITY;

  constructor(watcher: BreakerWatcher) {
    this.#watcher = watcher;
  }

  get isOpen(): boolean {
    return this.#open;
  }

  /** Probes that were answered or failed since the start. */
  get probes(): number {
    return this.#probes;
  }

  /** The part of calls that is let through: 1 is all of them; 0 is probes alone. */
  share(nowMs: number): number {
    if (this.#open) return 0;
    const share = Math.min(1, (FAILING_OPEN - this.#failing) / (FAILING_OPEN - FAILING_THIN));
    const rampLeftMs = this.#rampEndMs - nowMs;
    return rampLeftMs <= 0 ? share : share * 2 ** (-rampLeftMs / RAMP_DOUBLING_MS);
  }

  /** Whether a call may be made. To be let through may be a probe. */
  admit(nowMs: number): boolean {
    if (!this.#open) {
      this.#credit += this.share(nowMs);
      if (this.#credit >= 1) {
        this.#credit -= 1;
        this.#admittedMs = nowMs;
        return true;
      }
    }
    if (nowMs - this.#admittedMs < PROBE_MS) return false;
    this.#admittedMs = nowMs;
    return true;
  }

  /** A call that was let through was not made after all: if it was a probe, the next call is. */
  giveBack(): void {
    if (this.#open) this.#admittedMs = Number.NEGATIVE_INFINITY;
  }

  /** @param sentMs when the call was made; while it is open only those made since count. */
  succeeded(sentMs: number, nowMs: number): void {
    if (!this.#open) {
      this.#good += 1;
      this.#run = 0;
      this.#foldIfDue(nowMs);
    } else if (sentMs >= this.#openedMs) {
      this.#probes += 1;
      this.#goodProbes += 1;
      if (this.#goodProbes >= GOOD_PROBES) this.#close(nowMs);
    }
  }

  failed(sentMs: number, nowMs: number): void {
    if (!this.#open) {
      this.#bad += 1;
      this.#run += 1;
      if (this.#run === 1) this.#runStartMs = nowMs;
      this.#foldIfDue(nowMs);
      const failsAlways = this.#run >= RUN_MIN && nowMs - this.#runStartMs >= RUN_MS;
      if (failsAlways || this.#failing >= FAILING_OPEN) this.#trip(nowMs);
    } else if (sentMs >= this.#openedMs) {
      this.#probes += 1;
      this.#goodProbes = 0;
    }
  }

  /**
   * Takes what was gathered into the share. Many at once weigh by the time that they stand for, few
   * by their number, so that neither a burst nor one call decides.
   */
  #foldIfDue(nowMs: number): void {
    const elapsedMs = nowMs - this.#foldedMs;
    if (elapsedMs < FOLD_MS) return;
    const calls = this.#good + this.#bad;
    const weight = Math.min(
      FOLD_WEIGHT_MAX,
      1 - (1 - CALL_WEIGHT) ** calls,
      1 - Math.exp(-elapsedMs / MEMORY_MS),
    );
    this.#failing += (this.#bad / calls - this.#failing) * weight;
    this.#good = 0;
    this.#bad = 0;
    this.#foldedMs = nowMs;
  }

  #trip(nowMs: number): void {
    this.#open = true;
    this.#openedMs = nowMs;
    this.#goodProbes = 0;
    this.#credit = 0;
    this.#watcher.opened(this.#run, this.#failing);
  }

  #close(nowMs: number): void {
    this.#open = false;
    this.#failing = FAILING_THIN;
    this.#good = 0;
    this.#bad = 0;
    this.#run = 0;
    this.#foldedMs = nowMs;
    this.#rampEndMs = nowMs + RAMP_DOUBLINGS * RAMP_DOUBLING_MS;
    this.#watcher.closed(nowMs - this.#openedMs);
  }
}

/** Who is told when a breaker opens and closes, once each. */
export interface BreakerWatcher {
  /**
   * @param inARow failures since the last success.
   * @param failing the share of calls that fail, smoothed: from 0 to 1.
   */
  opened(inARow: number, failing: number): void;
  closed(openMs: number): void;
}

/** The share of failing calls from which on calls are thinned out, and that at which they end. */
export const FAILING_THIN = 0.5;
const FAILING_OPEN = 0.75;
/** What happened so long ago counts a third of what happens now. */
const MEMORY_MS = 2_000;
/** Outcomes are gathered so long before they count: within, their order would. */
const FOLD_MS = 100;
/** The most that one outcome weighs: at low rates the last sixteen are what counts. */
const CALL_WEIGHT = 1 / 16;
/** The most that outcomes of one moment weigh, however many: a single event is no state. */
const FOLD_WEIGHT_MAX = 0.5;
/** So many failures in a row, over so long a time, open it whatever was before. */
export const RUN_MIN = 5;
const RUN_MS = 1_000;
/** While it is open, one call a second is let through. */
const PROBE_MS = 1_000;
/** Probes in a row that have to come to something. */
const GOOD_PROBES = 2;
/** After it, the calls that are let through double so often, each time in so long. */
const RAMP_DOUBLINGS = 5;
const RAMP_DOUBLING_MS = 500;
