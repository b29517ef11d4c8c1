/** How long a slice takes unless told otherwise: two of them together are still a short wait. */
const SLICE_MS = 1;

/** Cuts long work into slices of about a millisecond, so that auctions run in between. */
export class TimeSlices {
  readonly #pause: () => Promise<void>;
  readonly #sliceMs: number;
  #endMs: number;

  /** @param pause called after each slice; resolves when the next may run. */
  constructor(pause: () => Promise<void>, sliceMs = SLICE_MS) {
    this.#pause = pause;
    this.#sliceMs = sliceMs;
    this.#endMs = performance.now() + sliceMs;
  }

  /** True when the slice is used up; to be asked after every small step, and followed by `next`. */
  get isOver(): boolean {
    return performance.now() >= this.#endMs;
  }

  async next(): Promise<void> {
    await this.#pause();
    this.#endMs = performance.now() + this.#sliceMs;
  }
}
