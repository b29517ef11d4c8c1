/**
 * What is taken off the time left when a bidder is told its `tmax`: the way there and back, and what
 * either side needs beside its work. Nobody can measure it, but a bidder that uses its time shows
 * when it is too small: its answers come just after the deadline. Then it grows quickly; it shrinks
 * slowly while answers come in before the time that was told.
 */
export class TmaxAllowance {
  #ms = START_MS;

  /** In milliseconds. */
  get ms(): number {
    return this.#ms;
  }

  /** An answer came in time. */
  answered(latencyMs: number, tmaxMs: number): void {
    if (latencyMs < tmaxMs) this.#ms -= (this.#ms - ALLOWANCE_MIN_MS) * SHRINK;
  }

  /**
   * An answer came after the deadline. One that is later than any way takes was not on its way: its
   * bidder is slow, and would be so if it was told less.
   */
  late(latencyMs: number, tmaxMs: number): void {
    const neededMs = latencyMs - tmaxMs + MARGIN_MS;
    if (neededMs > ALLOWANCE_MAX_MS || neededMs < this.#ms) return;
    this.#ms += (neededMs - this.#ms) * GROWTH;
  }
}

const START_MS = 5;
const ALLOWANCE_MIN_MS = 2;
/** As long as no bidder is told less than half of the time. */
export const ALLOWANCE_MAX_MS = 50;
/** Of what was missing, with each late answer. */
const GROWTH = 0.25;
/** Of what is above the least, with each answer in time: at 100 a second half of it in a minute. */
const SHRINK = 1 / 8192;
/** Ways differ. */
const MARGIN_MS = 2;
