import type { FastifyInstance } from 'fastify';
import { RialtoError } from '../base/errors.ts';
import type { Scope } from '../identity/caller.ts';
import { Allowance } from '../identity/allowance.ts';
import { callerOf, neededScope } from './authenticate.ts';

/** Writes that a user may make a minute, by all of their programs and browsers together. */
export const WRITES_PER_MINUTE = 600;
/** Reads, likewise: a hundred a second, where an open page of the console makes less than ten. */
export const READS_PER_MINUTE = 6_000;
const WINDOW_SECONDS = 60;

export interface RequestRateParts {
  /** How many writes a user may make at once, and gets back within a minute. */
  readonly writesPerMinute?: number;
  /** How many reads, likewise. */
  readonly readsPerMinute?: number;
}

/**
 * Limits how fast a user changes things and reads them, each by itself: a change raises the version of
 * the configuration, which all nodes take, and a question may read the analytics store. Every answer
 * says what is left, as reports do. A request that is refused later counts too; one beyond the limit is
 * refused before its body is read. It is counted in memory, so that a refusal writes nothing: several
 * controls each count on their own, and a restart forgets. Runs after `requireCaller`.
 *
 * @param now milliseconds of a clock that is never set back.
 */
export function limitRequests(
  api: FastifyInstance,
  { writesPerMinute = WRITES_PER_MINUTE, readsPerMinute = READS_PER_MINUTE }: RequestRateParts,
  now: () => number,
): void {
  const rates: Readonly<Record<Scope, Rate>> = {
    read: rateOf('reads', readsPerMinute),
    write: rateOf('writes', writesPerMinute),
  };
  api.addHook('onRequest', async (request, reply) => {
    const scope = neededScope(request);
    const { policy, perMinute, refillMs, used } = rates[scope];
    const key = String(callerOf(request).userId);
    const nowMs = now();
    const waitMs = used.waitMs(key, nowMs);
    if (waitMs === 0) used.take(key, nowMs);
    const moreInSeconds = Math.ceil(Math.max(waitMs, refillMs) / 1_000);
    reply.headers({
      'ratelimit-policy': `"${policy}";q=${perMinute};w=${WINDOW_SECONDS}`,
      ratelimit: `"${policy}";r=${used.left(key, nowMs)};t=${moreInSeconds}`,
    });
    if (waitMs === 0) return;
    reply.header('retry-after', String(moreInSeconds));
    throw new RialtoError(scope === 'write' ? 'too_many_writes' : 'too_many_reads');
  });
}

/** What users may do of one kind, and have done. */
interface Rate {
  readonly policy: string;
  readonly perMinute: number;
  readonly refillMs: number;
  readonly used: Allowance;
}

function rateOf(policy: string, perMinute: number): Rate {
  const refillMs = (WINDOW_SECONDS * 1_000) / perMinute;
  return { policy, perMinute, refillMs, used: new Allowance({ atOnce: perMinute, refillMs }) };
}
