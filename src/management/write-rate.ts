import type { FastifyInstance } from 'fastify';
import { RialtoError } from '../base/errors.ts';
import { Allowance } from '../identity/allowance.ts';
import { callerOf, neededScope } from './authenticate.ts';

/** Writes that a user may make within any minute, by all of their programs and browsers together. */
export const WRITES_MAX = 600;
const WINDOW_SECONDS = 60;

/**
 * Limits how fast a user changes things, in this process: each change raises the version of the
 * configuration, which all nodes take. Every answer to a write says what is left, as reports do. What
 * is refused was not read. Runs after `requireCaller`.
 *
 * @param now Unix time in milliseconds.
 */
export function limitWrites(api: FastifyInstance, now: () => number): void {
  const rate = { atOnce: WRITES_MAX, refillMs: (WINDOW_SECONDS * 1_000) / WRITES_MAX };
  const writes = new Allowance(rate);
  api.addHook('onRequest', async (request, reply) => {
    if (neededScope(request) !== 'write') return;
    const key = String(callerOf(request).userId);
    const nowMs = now();
    const waitMs = writes.waitMs(key, nowMs);
    if (waitMs === 0) writes.take(key, nowMs);
    const moreInSeconds = Math.ceil(Math.max(waitMs, rate.refillMs) / 1_000);
    reply.headers({
      'ratelimit-policy': `"minute";q=${WRITES_MAX};w=${WINDOW_SECONDS}`,
      ratelimit: `"minute";r=${writes.left(key, nowMs)};t=${moreInSeconds}`,
    });
    if (waitMs === 0) return;
    reply.header('retry-after', String(moreInSeconds));
    throw new RialtoError('too_many_writes');
  });
}
