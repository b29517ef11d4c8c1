import type { BidderClient } from '../ports/bidder-client.ts';
import { readReply, type CallResult } from './call.ts';
import type { Composer } from './compose.ts';
import type { PlannedCall } from './plan.ts';

/** Taken off the time left when a bidder is told its `tmax`: the way there and back. */
const NETWORK_ALLOWANCE_MS = 5;
/** With less than this left nobody can answer in time, so nobody is asked. */
const BIDDER_TIME_MIN_MS = 10;

export interface FanOut {
  readonly auctionId: string;
  readonly calls: readonly PlannedCall[];
  readonly composer: Composer;
  readonly client: BidderClient;
  /** When the auction stops waiting, on the monotonic clock. */
  readonly deadlineMs: number;
  readonly now: () => number;
}

/**
 * Asks all bidders at once. Resolves when the last has answered or the deadline has passed, with
 * one result for each planned call, in their order. Nothing that bidders do makes it reject.
 */
export function fanOut(fan: FanOut): Promise<readonly CallResult[]> {
  const { calls } = fan;
  if (calls.length === 0) return Promise.resolve([]);
  return new Promise((resolve) => {
    const results: CallResult[] = [];
    let settled = 0;
    const settle = (index: number, result: CallResult): void => {
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
      ask(fan, call, requestId, (result) => settle(index, result));
    }
  });
}

function ask(
  fan: FanOut,
  call: PlannedCall,
  requestId: string,
  settle: (result: CallResult) => void,
): void {
  const startMs = fan.now();
  const deadlineMs = Math.min(fan.deadlineMs, startMs + call.bidder.timeoutMs);
  const leftMs = deadlineMs - startMs;
  const throttled = call.throttled ?? (leftMs < BIDDER_TIME_MIN_MS ? 'no_time' : null);
  if (throttled !== null) {
    settle(throttledResult(call, requestId, throttled));
    return;
  }
  const tmaxMs = Math.floor(leftMs) - NETWORK_ALLOWANCE_MS;
  fan.client.ask(
    {
      endpoint: call.bidder.endpoint,
      openrtbVersion: call.bidder.openrtbVersion,
      body: fan.composer.compose(call, requestId, tmaxMs),
      gzip: call.bidder.gzip,
      deadlineMs,
    },
    (reply) => {
      const latencyUs = Math.round((fan.now() - startMs) * 1000);
      settle(readReply(call, requestId, reply, latencyUs));
    },
  );
}

function throttledResult(call: PlannedCall, requestId: string, reason: string): CallResult {
  return {
    call,
    requestId,
    outcome: 'throttled',
    reason,
    detail: '',
    latencyUs: 0,
    answer: null,
  };
}
