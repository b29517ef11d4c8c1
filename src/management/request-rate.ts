import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
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
 * Counts a request, which has counted as one write so far, as this many. More than a user may make at once
 * need all of that, and what they take beyond it has to come back before the next.
 *
 * @throws RialtoError `too_many_writes` where too little is left; then it stays the one write.
 */
export type CountWrites = (request: FastifyRequest, reply: FastifyReply, writes: number) => void;

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
): CountWrites {
  const rates: Readonly<Record<Scope, Rate>> = {
    read: rateOf('reads', readsPerMinute),
    write: rateOf('writes', writesPerMinute),
  };
  api.addHook('onRequest', async (request, reply) => {
    const scope = neededScope(request);
    const { used } = rates[scope];
    const key = String(callerOf(request).userId);
    const nowMs = now();
    const waitMs = used.waitMs(key, nowMs);
    if (waitMs === 0) used.take(key, nowMs);
    tellRate(reply, rates[scope], key, nowMs);
    if (waitMs === 0) return;
    reply.header('retry-after', secondsOf(waitMs));
    throw new RialtoError(scope === 'write' ? 'too_many_writes' : 'too_many_reads');
  });
  return (request, reply, writes) => {
    const { perMinute, used } = rates.write;
    const key = String(callerOf(request).userId);
    const nowMs = now();
    const atOnce = Math.min(writes, perMinute);
    // It has taken one already.
    if (used.waitMs(key, nowMs, atOnce - 1) > 0) {
      // When it is sent again it takes one before it comes here.
      reply.header('retry-after', secondsOf(used.waitMs(key, nowMs, atOnce)));
      throw new RialtoError('too_many_writes');
    }
    used.take(key, nowMs, writes - 1);
    tellRate(reply, rates.write, key, nowMs);
  };
}

function tellRate(
  reply: FastifyReply,
  { policy, perMinute, refillMs, used }: Rate,
  key: string,
  nowMs: number,
): void {
  const moreIn = secondsOf(Math.max(used.waitMs(key, nowMs), refillMs));
  reply.headers({
    'ratelimit-policy': `"${policy}";q=${perMinute};w=${WINDOW_SECONDS}`,
    ratelimit: `"${policy}";r=${used.left(key, nowMs)};t=${moreIn}`,
  });
}

/** Whole ones, of which one has always to pass. */
function secondsOf(ms: number): string {
  return String(Math.max(1, Math.ceil(ms / 1_000)));
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
