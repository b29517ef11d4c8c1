import { Text } from '@mantine/core';
import { Figure, Figures } from '../../parts/figure.tsx';
import {
  formatCount,
  formatDecimal,
  formatMs,
  formatPart,
  formatTime,
  formatUsd,
  NOTHING,
} from '../../parts/format.ts';
import type { Traffic } from '../../../../src/management/traffic/schema.ts';
import { ratesOf, secondsOf } from './rates.ts';

interface LiveFiguresProps {
  readonly traffic: Traffic;
  readonly isPaused: boolean;
}

/** The numbers of the time that is shown. */
export function LiveFigures({ traffic, isPaused }: LiveFiguresProps) {
  const { total } = traffic;
  const rates = ratesOf(total, secondsOf(traffic));
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs">
        {isPaused ? 'Paused. ' : ''}All of it is counted until {formatTime(traffic.complete_until)}{' '}
        UTC.
      </Text>
      <Figures>
        <Figure
          label="Ad requests"
          value={`${formatDecimal(rates.requestsPerSecond)} /s`}
          note={`${formatCount(total.ad_requests ?? 0)} in all`}
          help="Impressions that were on sale, by the second."
        />
        <Figure
          label="Fill rate"
          value={formatPart(rates.fillRate)}
          note={`${formatCount(total.filled_requests ?? 0)} sold`}
          help="The share of ad requests that were sold."
        />
        <Figure
          label="Revenue /h"
          value={formatUsd(rates.revenuePerHour)}
          note={`${formatUsd(total.gross_revenue ?? 0)} in all`}
          help="What demand partners pay for counted impressions."
        />
        <Figure
          label="Payout /h"
          value={formatUsd(rates.payoutPerHour)}
          note={`${formatUsd(total.payout ?? 0)} in all`}
          help="What publishers get of it."
        />
        <Figure
          label="Impressions"
          value={`${formatDecimal(rates.impressionsPerSecond)} /s`}
          note={`${formatCount(total.clicks ?? 0)} clicks`}
        />
        <Figure
          label="Bids per auction"
          value={rates.bidsPerAuction === null ? NOTHING : formatDecimal(rates.bidsPerAuction)}
          note={`${formatCount(total.bids ?? 0)} bids`}
        />
        <Figure
          label="Bid requests"
          value={`${formatDecimal(rates.callsPerSecond)} /s`}
          note={`${formatCount(total.throttled ?? 0)} throttled`}
          help="Calls of bidders. Throttled are those that matched and were not sent: limits, health or consent."
        />
        <Figure
          label="Timeouts"
          value={formatPart(rates.timeoutShare)}
          note={`${formatCount(total.timeouts ?? 0)} calls`}
          help="The share of bid requests that were answered too late or not at all."
        />
        <Figure
          label="Errors"
          value={formatPart(rates.errorShare)}
          note={`${formatCount(total.errors ?? 0)} calls`}
          help="The share of bid requests that failed in transport or with a status other than 200 and 204."
        />
        <Figure label="Latency p50" value={formatMs(total.latency_ms_p50)} />
        <Figure label="Latency p95" value={formatMs(total.latency_ms_p95)} />
        <Figure label="Latency p99" value={formatMs(total.latency_ms_p99)} />
      </Figures>
    </>
  );
}
