import type { NoticeEvent } from '../events/delivery-record.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** One try of a notice takes at most so long, everything included. */
export const NOTICE_WITHIN_MS = 2 * SECOND_MS;

/** During the first minute after it was due, a notice is called again after so long. */
const FIRST_WAIT_MS = 10 * SECOND_MS;
const FIRST_TRIES_FOR_MS = MINUTE_MS;

/** After it, waits are this part of the time since it was due, up to the longest. */
const WAIT_SHARE = 1 / 3;
export const WAIT_MAX_MS = 5 * MINUTE_MS;

/**
 * How long after it was due a notice is called again while it has no answer: that of an impression
 * for the minute and the hour after it, that of a win for the minute, that of a loss never.
 */
const LIFE_MS: Record<NoticeEvent, number> = {
  win: FIRST_TRIES_FOR_MS,
  billing: FIRST_TRIES_FOR_MS + HOUR_MS,
  loss: 0,
};

/** Unix time in milliseconds after which a notice that has been tried is given up. */
export function lifeEndsMs(event: NoticeEvent, dueMs: number): number {
  return dueMs + LIFE_MS[event];
}

/**
 * When a notice is called again after a try without an answer; null when it is given up. Its last
 * try is at the end of its life.
 *
 * @param triedMs when the try began, in Unix time in milliseconds.
 */
export function nextTryMs(event: NoticeEvent, dueMs: number, triedMs: number): number | null {
  const endsMs = lifeEndsMs(event, dueMs);
  if (triedMs >= endsMs) return null;
  const ageMs = triedMs - dueMs;
  const waitMs =
    ageMs < FIRST_TRIES_FOR_MS ? FIRST_WAIT_MS : Math.min(ageMs * WAIT_SHARE, WAIT_MAX_MS);
  return Math.min(Math.round(triedMs + waitMs), endsMs);
}
