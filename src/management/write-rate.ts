import type { FastifyInstance } from 'fastify';
import { RialtoError } from '../base/errors.ts';
import { Allowance } from '../identity/allowance.ts';
import { callerOf, neededScope } from './authenticate.ts';

/** Writes that a user may make a minute, by all of their programs and browsers together. */
export const WRITES_PER_MINUTE = 600;
const WINDOW_SECONDS = 60;

export interface WriteRateParts {
  /** How many writes a user may make at once, and gets back within a minute. */
  readonly writesPerMinute?: number;
}

/**
 * Limits how fast a user changes things: each change raises the version of the configuration, which
 * all nodes take. Every answer to a write says what is left, as reports do. A write that is refused
 * later counts too; one beyond the limit is refused before its body is read. It is counted in memory, so
 * that a refusal writes nothing: several controls each count on their own, and a restart forgets.
 * Runs after `requireCaller`.
 *
 * @param now milliseconds of a clock that is never set back.
 */
export function limitWrites(
  api: FastifyInstance,
  { writesPerMinute = WRITES_PER_MINUTE }: WriteRateParts,
  now: () => number,
): void {
  const rate = { atOnce: writesPerMinute, refillMs: (WINDOW_SECONDS * 1_000) / writesPerMinute };
  const writes = new Allowance(rate);
  api.addHook('onRequest', async (request, reply) => {
    if (neededScope(request) !== 'write') return;
    const key = String(callerOf(request).userId);
    const nowMs = now();
    const waitMs = writes.waitMs(key, nowMs);
    if (waitMs === 0) writes.take(key, nowMs);
    const moreInSeconds = Math.ceil(Math.max(waitMs, rate.refillMs) / 1_000);
    reply.headers({
      'ratelimit-policy': `"minute";q=${writesPerMinute};w=${WINDOW_SECONDS}`,
      ratelimit: `"minute";r=${writes.left(key, nowMs)};t=${moreInSeconds}`,
    });
    if (waitMs === 0) return;
    reply.header('retry-after', String(moreInSeconds));
    throw new RialtoError('too_many_writes');
  });
}
