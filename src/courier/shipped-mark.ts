import type { ShippingState } from './shipping-state.ts';

interface Mark {
  readonly atMs: number;
  /** How long each segment was that held something unacknowledged, in bytes. */
  readonly ends: ReadonlyMap<string, number>;
}

/**
 * Until when the whole journal is acknowledged. The age of the oldest record in flight does not tell:
 * behind it may wait an older one, of another process. So a mark is set at the end of every segment,
 * and when all that stood before it has been acknowledged the journal is whole until then.
 */
export class ShippedMark {
  #wholeUntilMs: number | null = null;
  #mark: Mark | null = null;

  /** Unix time in milliseconds; null while no mark was reached. */
  get wholeUntilMs(): number | null {
    return this.#wholeUntilMs;
  }

  /**
   * To be called every few seconds.
   *
   * @param atMs Unix time in milliseconds, from before the sizes were taken.
   * @param unacknowledged the sizes of segments that hold something not acknowledged.
   */
  look(
    atMs: number,
    unacknowledged: ReadonlyMap<string, number>,
    acknowledged: ShippingState['acknowledged'],
  ): void {
    const isReached = ([name, end]: readonly [string, number]): boolean =>
      !unacknowledged.has(name) || (acknowledged.get(name)?.offset ?? 0) >= end;
    if (this.#mark !== null) {
      if (![...this.#mark.ends].every(isReached)) return;
      this.#wholeUntilMs = this.#mark.atMs;
    }
    this.#mark = { atMs, ends: unacknowledged };
    if (unacknowledged.size === 0) this.#wholeUntilMs = atMs;
  }
}
