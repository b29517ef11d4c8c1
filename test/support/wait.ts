import { setTimeout as delay } from 'node:timers/promises';
import { IS_SOAK } from './effort.ts';

/** For conditions that ask for a report, of which an account gets a hundred an hour. */
export const REPORT_PAUSE_MS = 300;

/**
 * What a test waits for may take this long on a busy machine: to be patient costs nothing but when
 * the test fails. In soak, where nothing else runs, what is asked for holds.
 */
const PATIENCE_MS = 60_000;

/** A condition that takes long, such as a command or a whole journal, is asked for a third of the time at most. */
const PAUSES_FOR_TIME = 2;
const PAUSE_MS_MAX = 500;

/** How long a test that waits for so long at most waits on this machine. */
export function patienceMs(withinMs: number): number {
  return IS_SOAK ? withinMs : Math.max(withinMs, PATIENCE_MS);
}

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
  const limitMs = patienceMs(withinMs);
  const deadlineMs = performance.now() + limitMs;
  for (;;) {
    const askedMs = performance.now();
    const value = await condition();
    if (value !== undefined && value !== false) return value;
    const nowMs = performance.now();
    if (nowMs > deadlineMs) throw new Error(`not within ${limitMs} ms: ${what}`);
    const longMs = Math.min(PAUSES_FOR_TIME * (nowMs - askedMs), PAUSE_MS_MAX);
    await delay(Math.max(pauseMs, longMs));
  }
}
