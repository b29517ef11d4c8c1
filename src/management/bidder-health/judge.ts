import { addBidder, type BidderSums } from '../../analytics/traffic.ts';
import { NO_TRAFFIC } from '../../analytics/traffic.ts';
import type { BidderState } from '../../configuration/stopped-bidders.ts';
import { isSpoiled } from '../../exchange/bidder-health.ts';
import { FAILING_THIN, RUN_MIN } from '../../exchange/breaker.ts';
import type { BidderHealth } from './schema.ts';

/** A bidder's last minutes, by the begin of each ten seconds in Unix seconds. */
export type Steps = ReadonlyMap<number, BidderSums>;

export interface Judgement {
  readonly state: BidderHealth['state'];
  /** Unix time in milliseconds; null where it does not matter, or is not known. */
  readonly sinceMs: number | null;
}

/** What a bidder does now is told by so much of its last minutes, if there was any traffic. */
const NOW_S = 60;
const NOTHING: BidderSums = { ...NO_TRAFFIC, reasons: new Map() };

/** How a bidder does: what has been decided about it first, then what its calls come to. */
export function judge(
  bidder: BidderState,
  steps: Steps,
  { fromS, toS }: { readonly fromS: number; readonly toS: number },
): Judgement {
  if (bidder.endpoint === null) return { state: 'not_set_up', sinceMs: null };
  if (bidder.stop !== null) return { state: 'stopped', sinceMs: bidder.stop.atMs };
  const all = sumOf(steps.values());
  const recent = sumOf([...steps].filter(([atS]) => atS >= toS - NOW_S).map(([, sums]) => sums));
  const now = callsOf(recent) + heldBackOf(recent) >= RUN_MIN ? recent : all;
  if (isHeldBack(now)) return { state: 'held_back', sinceMs: sinceOf(steps, fromS, isHeldBack) };
  if (isFailing(now)) return { state: 'failing', sinceMs: sinceOf(steps, fromS, isFailing) };
  const enough = callsOf(recent) >= UNRELIABLE_CALLS_MIN ? recent : all;
  if (isUnreliable(enough)) return { state: 'unreliable', sinceMs: null };
  return { state: callsOf(all) === 0 ? 'idle' : 'healthy', sinceMs: null };
}

/** All of them together. */
export function sumOf(steps: Iterable<BidderSums>): BidderSums {
  let sum = NOTHING;
  for (const each of steps) sum = addBidder(sum, each);
  return sum;
}

/** Calls of which nothing came, as the breaker counts them. */
export function failuresOf({ timeouts, errors, reasons }: BidderSums): number {
  let spoiled = 0;
  for (const [reason, count] of reasons) {
    if (reason.startsWith(NO_BID) && isSpoiled(reason.slice(NO_BID.length))) spoiled += count;
  }
  return timeouts + errors + spoiled;
}

const NO_BID = 'no_bid ';

function callsOf({ bid_requests: calls }: BidderSums): number {
  return calls;
}

/** Calls that the breaker did not let through. */
function heldBackOf({ reasons }: BidderSums): number {
  return reasons.get('throttled unhealthy') ?? 0;
}

/** The breaker is open, and lets one call a second through, or thins most of them out. */
function isHeldBack(sums: BidderSums): boolean {
  return heldBackOf(sums) > callsOf(sums);
}

/** Calls are thinned out from this share on; few calls say something if all of them fail. */
function isFailing(sums: BidderSums): boolean {
  const calls = callsOf(sums);
  const failures = failuresOf(sums);
  if (calls < RUN_MIN) return calls > 0 && failures === calls;
  return failures > calls * FAILING_THIN;
}

/** The share of lost calls that somebody should look into, and how many calls say so. */
const UNRELIABLE_SHARE = 0.1;
const UNRELIABLE_CALLS_MIN = 50;

/** Not so bad that the exchange would spare it, and worth a look: each of these calls could have sold. */
function isUnreliable(sums: BidderSums): boolean {
  const calls = callsOf(sums);
  return calls >= UNRELIABLE_CALLS_MIN && failuresOf(sums) >= calls * UNRELIABLE_SHARE;
}

/** The begin of the last run of such steps; null where it may have begun before the first. */
function sinceOf(
  steps: Steps,
  fromS: number,
  isSuch: (sums: BidderSums) => boolean,
): number | null {
  let sinceS: number | null = null;
  for (const [atS, sums] of [...steps].toSorted(([a], [b]) => b - a)) {
    if (isSuch(sums)) sinceS = atS;
    else if (callsOf(sums) + heldBackOf(sums) > 0) return sinceS === null ? null : sinceS * 1_000;
  }
  const first = Math.min(...steps.keys());
  return sinceS === null || first <= fromS ? null : sinceS * 1_000;
}
