import { Badge, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import type { ShownDiscovery } from '../../../src/management/discovery/schema.ts';
import { Bars } from '../parts/bars.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { Figure } from '../parts/figure.tsx';
import { formatCount, formatDecimal } from '../parts/format.ts';

const WEEKDAY = new Intl.DateTimeFormat('en-US', { weekday: 'short', timeZone: 'UTC' });

/** The traffic of seven days, day by day. */
export function DiscoveryTraffic({ found }: { readonly found: ShownDiscovery }) {
  const { days, total } = found;
  if (total.ad_requests === 0) {
    return (
      <EmptyState title="No traffic like that in seven days">
        Take something away from the targeting: fewer keys, or more codes in what is allowed.
      </EmptyState>
    );
  }
  return (
    <Stack gap="lg">
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
        <Figure label="Ad requests" value={formatCount(total.ad_requests)} note="in seven days" />
        <Figure label="QPS on average" value={formatQps(total.qps_avg)} />
        <Figure
          label="QPS at its peak"
          value={formatQps(total.qps_peak)}
          note="in the busiest hour"
        />
      </SimpleGrid>
      <Bars
        label="Ad requests by day"
        bars={days.map(
          ({ date, complete, ad_requests: requests, qps_avg: avg, qps_peak: peak }) => ({
            key: date,
            value: requests,
            color: complete ? 'lagoon' : 'lagoon.3',
            text: `${formatCount(requests)} · ${formatQps(avg)} QPS, peak ${formatQps(peak)}`,
            label: (
              <Group gap={6} component="span" display="inline-flex">
                <Text span size="sm" style={{ fontVariantNumeric: 'tabular-nums' }}>
                  {WEEKDAY.format(new Date(`${date}T00:00:00Z`))} {date.slice(5)}
                </Text>
                {!complete && (
                  <Badge size="xs" variant="light" color="gray" autoContrast>
                    today so far
                  </Badge>
                )}
              </Group>
            ),
          }),
        )}
      />
      <Text size="sm" c="dimmed">
        Days are UTC. Today&rsquo;s average is over the time that has passed of it. One ad request
        is one ad space that was asked for; how many of them you are sent is limited by your QPS.
      </Text>
    </Stack>
  );
}

/** Small ones with as many digits as say something. */
function formatQps(qps: number): string {
  if (qps === 0 || qps >= 10) return formatDecimal(qps);
  return String(Number(qps.toPrecision(2)));
}
