import { Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import type { Traffic } from '../../../src/management/traffic/schema.ts';
import { useAsk } from '../api/use-ask.ts';
import { formatCount, formatShare, formatShort, formatUsd } from '../parts/format.ts';
import { Loaded } from '../parts/loaded.tsx';
import { TimeChart } from '../parts/time-chart.tsx';
import { usePublisher } from './use-publisher.ts';

const EVERY_MS = 5_000;
const MINUTES = 15;
const HEIGHT = 120;

/** What goes on now, a few seconds old. */
export function LiveStrip() {
  const { id } = usePublisher();
  const query = { minutes: MINUTES, publisher_id: id };
  const traffic = useAsk('/api/traffic/', query, { everyMs: EVERY_MS });
  return (
    <Paper p="md" component="section" aria-label="The last 15 minutes">
      <Loaded asked={traffic} skeleton={<Skeleton height={HEIGHT + 60} />}>
        {(body) => <Live traffic={body} />}
      </Loaded>
    </Paper>
  );
}

function Live({
  traffic: { points, total, complete_until: completeUntil },
}: {
  readonly traffic: Traffic;
}) {
  // A step that is still being counted would look like a fall.
  const counted = points.filter(({ at }) => at < completeUntil).slice(0, -1);
  const { ad_requests: requests = 0, filled_requests: filled = 0, payout = 0 } = total;
  return (
    <Stack gap="xs">
      <Group justify="space-between" gap="xs">
        <Title order={2}>The last {MINUTES} minutes</Title>
        <Group gap="lg">
          <Now label="requests" value={formatCount(requests)} />
          <Now label="fill rate" value={formatShare(filled, requests)} />
          <Now label="impressions" value={formatCount(total.impressions ?? 0)} />
          <Now label="payout" value={formatUsd(payout)} />
        </Group>
      </Group>
      <TimeChart
        label="Requests of each 10 seconds"
        height={HEIGHT}
        times={counted.map(({ at }) => at)}
        series={[
          {
            label: 'Requests',
            color: 'orange',
            values: counted.map(({ ad_requests: each = 0 }) => each),
            format: formatShort,
          },
          {
            label: 'Filled',
            color: 'lagoon',
            values: counted.map(({ filled_requests: each = 0 }) => each),
            format: formatShort,
          },
        ]}
      />
    </Stack>
  );
}

function Now({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <Text size="sm">
      <Text span fw={650} style={{ fontVariantNumeric: 'tabular-nums' }}>
        {value}
      </Text>{' '}
      <Text span c="dimmed">
        {label}
      </Text>
    </Text>
  );
}
