import { setTimeout as delay } from 'node:timers/promises';

export interface Repetition {
  /** The pause after each time. */
  readonly everyMs: number;
  readonly signal: AbortSignal;
  /** Told of the first failure in a row. */
  readonly onFailure: (error: unknown) => void;
}

/** Does something again and again, one time after the other, until it is aborted; failures do not end it. */
export async function repeat(
  act: () => Promise<void>,
  { everyMs, signal, onFailure }: Repetition,
): Promise<void> {
  let isFailing = false;
  while (!signal.aborted) {
    try {
      // One time after the other.
      // oxlint-disable-next-line no-await-in-loop
      await act();
      isFailing = false;
    } catch (error) {
      if (!isFailing) onFailure(error);
      isFailing = true;
    }
    // oxlint-disable-next-line no-await-in-loop
    await delay(everyMs, undefined, { signal }).catch(() => {});
  }
}
