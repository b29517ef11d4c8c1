import { setTimeout as delay } from 'node:timers/promises';

/** For conditions that ask for a report, of which an account gets a hundred an hour. */
export const REPORT_PAUSE_MS = 300;

/**
 * Waits until the condition holds and gives its value.
 *
 * @param condition gives undefined or false while it does not hold.
 * @throws Error that says what was waited for, when it does not in time.
 */
export async function until<T>(
  what: string,
  withinMs: number,
  condition: () => T | undefined | false | Promise<T | undefined | false>,
  pauseMs = 20,
): Promise<T> {
  const deadlineMs = performance.now() + withinMs;
  for (;;) {
    const value = await condition();
    if (value !== undefined && value !== false) return value;
    if (performance.now() > deadlineMs) throw new Error(`not within ${withinMs} ms: ${what}`);
    await delay(pauseMs);
  }
}
