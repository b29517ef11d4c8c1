import { latencyWithin } from '../../analytics/latencies.ts';
import { dollarsOf } from '../../analytics/revenue.ts';
import type { TrafficSums } from '../../analytics/traffic.ts';
import type { TrafficFigures } from './schema.ts';

/** Who looks, and at what: an operator at all or a publisher, or at one demand partner. */
export type View = 'operator' | 'operator_of_partner' | 'publisher' | 'demand_partner';

/** What of the figures of a time is for a view. */
export function figuresOf(sums: TrafficSums, view: View): TrafficFigures {
  const hasSupply = view === 'operator' || view === 'publisher';
  const { wins, impressions, clicks } = sums;
  return {
    ...(hasSupply ? { ad_requests: sums.ad_requests, filled_requests: sums.filled_requests } : {}),
    ...(view === 'publisher' ? {} : callsOf(sums)),
    wins,
    impressions,
    clicks,
    ...(view === 'publisher' ? {} : { gross_revenue: dollarsOf(sums.grossCpmMicros) }),
    ...(view === 'demand_partner' ? {} : { payout: dollarsOf(sums.payoutCpmMicros) }),
    ...(view === 'publisher' ? {} : latenciesOf(sums)),
  };
}

function callsOf(sums: TrafficSums): TrafficFigures {
  const { bid_requests, responses, no_bids, timeouts, errors, throttled, bids } = sums;
  return { bid_requests, responses, no_bids, timeouts, errors, throttled, bids };
}

/** The latencies that half, most and nearly all of the answers kept within. */
export function latenciesOf({ latencies }: Pick<TrafficSums, 'latencies'>) {
  return {
    latency_ms_p50: latencyWithin(latencies, 0.5),
    latency_ms_p95: latencyWithin(latencies, 0.95),
    latency_ms_p99: latencyWithin(latencies, 0.99),
  };
}
