import type { Traffic, TrafficFigures } from '../../../../src/management/traffic/schema.ts';

/** The figures of one step. */
export type TrafficPoint = Traffic['points'][number];

/** Live figures as people read them: by the second, by the hour, as shares. */
export interface Rates {
  readonly requestsPerSecond: number;
  /** 0 to 1; null where nothing was on sale, as all shares are. */
  readonly fillRate: number | null;
  readonly revenuePerHour: number;
  readonly payoutPerHour: number;
  readonly bidsPerAuction: number | null;
  readonly callsPerSecond: number;
  readonly timeoutShare: number | null;
  readonly errorShare: number | null;
  readonly impressionsPerSecond: number;
}

const HOUR_S = 3_600;

/** The rates of figures that are of so many seconds. */
export function ratesOf(figures: TrafficFigures, seconds: number): Rates {
  const { ad_requests: requests = 0, bid_requests: calls = 0, bids = 0 } = figures;
  return {
    requestsPerSecond: per(requests, seconds),
    fillRate: share(figures.filled_requests ?? 0, requests),
    revenuePerHour: per(figures.gross_revenue ?? 0, seconds) * HOUR_S,
    payoutPerHour: per(figures.payout ?? 0, seconds) * HOUR_S,
    bidsPerAuction: share(bids, requests),
    callsPerSecond: per(calls, seconds),
    timeoutShare: share(figures.timeouts ?? 0, calls),
    errorShare: share(figures.errors ?? 0, calls),
    impressionsPerSecond: per(figures.impressions ?? 0, seconds),
  };
}

/**
 * The steps of which all is counted: the one that is under way would look as if everything had
 * fallen to nothing.
 */
export function completePoints(traffic: Traffic): readonly TrafficPoint[] {
  const untilMs = Date.parse(traffic.complete_until);
  const stepMs = traffic.step_seconds * 1_000;
  return traffic.points.filter(({ at }) => Date.parse(at) + stepMs <= untilMs);
}

/** For how long the figures of all of it are, in seconds. */
export function secondsOf({ from, to, complete_until: until }: Traffic): number {
  const endMs = Math.min(Date.parse(to), Date.parse(until));
  return Math.max(0, (endMs - Date.parse(from)) / 1_000);
}

function per(amount: number, seconds: number): number {
  return seconds > 0 ? amount / seconds : 0;
}

function share(part: number, whole: number): number | null {
  return whole > 0 ? part / whole : null;
}
