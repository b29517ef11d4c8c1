import { Paper, SimpleGrid, Title } from '@mantine/core';
import { formatDecimal, formatMs, formatPart, formatShort, formatUsd } from '../../parts/format.ts';
import { TimeChart, type Series } from '../../parts/time-chart.tsx';
import type { Traffic } from '../../../../src/management/traffic/schema.ts';
import { completePoints, ratesOf, type Rates, type TrafficPoint } from './rates.ts';

const HEIGHT = 200;

/** How the figures have gone, step by step. */
export function LiveCharts({ traffic }: { readonly traffic: Traffic }) {
  const points = completePoints(traffic);
  const times = points.map(({ at }) => at);
  const rates = points.map((point) => ratesOf(point, traffic.step_seconds));
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      {chartsOf(points, rates).map(({ title, series }) => (
        <Paper p="md" key={title} miw={0}>
          <Title order={2} mb="xs">
            {title}
          </Title>
          <TimeChart label={title} times={times} series={series} height={HEIGHT} />
        </Paper>
      ))}
    </SimpleGrid>
  );
}

interface Chart {
  readonly title: string;
  readonly series: readonly Series[];
}

function chartsOf(points: readonly TrafficPoint[], rates: readonly Rates[]): readonly Chart[] {
  const line = (pick: (each: Rates) => number | null) => rates.map((each) => pick(each));
  return [
    {
      title: 'Traffic and fill',
      series: [
        {
          label: 'Ad requests /s',
          color: 'lagoon',
          format: formatShort,
          values: line((each) => each.requestsPerSecond),
        },
        {
          label: 'Fill rate',
          color: 'orange',
          format: formatPart,
          isRight: true,
          values: line((each) => each.fillRate),
        },
      ],
    },
    {
      title: 'Revenue and payout per hour',
      series: [
        {
          label: 'Revenue',
          color: 'lagoon',
          format: formatUsd,
          values: line((each) => each.revenuePerHour),
        },
        {
          label: 'Payout',
          color: 'grape',
          format: formatUsd,
          values: line((each) => each.payoutPerHour),
        },
      ],
    },
    {
      title: 'Bidder latency',
      series: [
        latency('p50', 'lagoon', points),
        latency('p95', 'orange', points),
        latency('p99', 'grape', points),
      ],
    },
    {
      title: 'Bids and failures',
      series: [
        {
          label: 'Timeouts',
          color: 'orange',
          format: formatPart,
          values: line((each) => each.timeoutShare),
        },
        {
          label: 'Errors',
          color: 'red',
          format: formatPart,
          values: line((each) => each.errorShare),
        },
        {
          label: 'Bids per auction',
          color: 'lagoon',
          format: formatDecimal,
          isRight: true,
          values: line((each) => each.bidsPerAuction),
        },
      ],
    },
  ];
}

function latency(
  part: 'p50' | 'p95' | 'p99',
  color: string,
  points: readonly TrafficPoint[],
): Series {
  const values = points.map((point) => point[`latency_ms_${part}`] ?? null);
  return { label: part, color, values, format: formatMs };
}
