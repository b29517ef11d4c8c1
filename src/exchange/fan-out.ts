import type { BidderClient } from '../ports/bidder-client.ts';
import type { BidderHealth } from './bidder-health.ts';
import { readReply, type CallResult } from './call.ts';
import type { Composer } from './compose.ts';
import type { PlannedCall } from './plan.ts';

/** The way there and back never takes more than this part of the time that is left. */
const ALLOWANCE_SHARE_MAX = 0.5;
/** With less than this left nobody can answer in time, so nobody is asked. */
const BIDDER_TIME_MIN_MS = 10;

export interface FanOut {
  readonly auctionId: string;
  readonly calls: readonly PlannedCall[];
  readonly composer: Composer;
  readonly client: BidderClient;
  readonly health: BidderHealth;
  /** Puts back the rates that a planned call has taken and that is not made after all. */
  readonly giveBackQps: (call: PlannedCall) => void;
  /** Told what no step of a call should throw; the call has an outcome all the same. */
  readonly onFault: (error: unknown) => void;
  /** When the auction stops waiting, on the monotonic clock. */
  readonly deadlineMs: number;
  readonly now: () => number;
}

/**
 * Asks all bidders at once. Resolves when the last has answered or the deadline has passed, with
 * one result for each planned call, in their order. Nothing makes it reject.
 */
export function fanOut(fan: FanOut): Promise<readonly CallResult[]> {
  const { calls } = fan;
  if (calls.length === 0) return Promise.resolve([]);
  return new Promise((resolve) => {
    const results: CallResult[] = [];
    let settled = 0;
    const settle = (index: number, result: CallResult): void => {
      // A call that failed may be answered all the same.
      if (results[index] !== undefined) return;
      results[index] = result;
      settled += 1;
      if (settled === calls.length) resolve(results);
    };
    const askedByPartner = new Map<number, number>();
    for (const [index, call] of calls.entries()) {
      const nth = (askedByPartner.get(call.partner.id) ?? 0) + 1;
      askedByPartner.set(call.partner.id, nth);
      // A bid request's id is its own, also where a partner gets a second one of the same auction.
      const requestId = nth === 1 ? fan.auctionId : `${fan.auctionId}${nth}`;
      const settleThis = (result: CallResult): void => settle(index, result);
      try {
        ask(fan, call, requestId, settleThis);
      } catch (error) {
        fan.onFault(error);
        settleThis(unsentResult(call, requestId, 'internal'));
      }
    }
  });
}

function ask(
  fan: FanOut,
  call: PlannedCall,
  requestId: string,
  settle: (result: CallResult) => void,
): void {
  const { health, now } = fan;
  const startMs = now();
  const deadlineMs = Math.min(fan.deadlineMs, startMs + call.bidder.timeoutMs);
  const leftMs = deadlineMs - startMs;
  if (call.throttled !== null) {
    settle(unsentResult(call, requestId, call.throttled));
    return;
  }
  if (leftMs < BIDDER_TIME_MIN_MS) {
    // It was let through, perhaps as a probe.
    const result = unsentResult(call, requestId, 'no_time');
    fan.giveBackQps(call);
    health.observe(result, startMs);
    settle(result);
    return;
  }
  const allowanceMs = Math.min(health.allowanceMs(call.partner.id), leftMs * ALLOWANCE_SHARE_MAX);
  const tmaxMs = Math.floor(leftMs - allowanceMs);
  const body = fan.composer.compose(call, requestId, tmaxMs);
  const sent = { body, tmaxMs, atMs: startMs };
  fan.client.ask(
    {
      endpoint: call.bidder.endpoint,
      openrtbVersion: call.bidder.openrtbVersion,
      headers: call.bidder.headers,
      body,
      gzip: call.bidder.gzip,
      inFlightMax: call.bidder.maxConcurrency,
      deadlineMs,
    },
    (reply) => {
      try {
        const endMs = now();
        const latencyUs = Math.round((endMs - startMs) * 1000);
        const result = readReply(call, requestId, reply, { latencyUs, sent });
        if (result.outcome === 'throttled') fan.giveBackQps(call);
        health.observe(result, endMs);
        settle(result);
      } catch (error) {
        fan.onFault(error);
        settle({ ...unsentResult(call, requestId, 'internal'), outcome: 'error', sent });
      }
    },
    () => health.observeLate(call.partner.id, now() - startMs, tmaxMs),
  );
}

function unsentResult(call: PlannedCall, requestId: string, reason: string): CallResult {
  return {
    call,
    requestId,
    outcome: 'throttled',
    reason,
    detail: '',
    latencyUs: 0,
    sent: null,
    status: 0,
    response: '',
    answer: null,
  };
}
