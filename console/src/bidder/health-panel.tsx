import { Group, Paper, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useAsk } from '../api/use-ask.ts';
import { Bars } from '../parts/bars.tsx';
import { Figure, Figures } from '../parts/figure.tsx';
import {
  formatCount,
  formatDecimal,
  formatDuration,
  formatMs,
  formatPart,
  formatShare,
  formatUsd,
} from '../parts/format.ts';
import { Loaded } from '../parts/loaded.tsx';
import { StatusBadge } from '../parts/status/status-badge.tsx';
import { UtcTime } from '../parts/utc-time.tsx';
import type { BidderHealth, CallReason } from '../../../src/management/bidder-health/schema.ts';

const EVERY_MS = 5_000;
const COLORS: Readonly<Record<BidderHealth['state'], string>> = {
  healthy: 'teal',
  unreliable: 'orange',
  failing: 'red',
  held_back: 'orange',
  stopped: 'red',
  idle: 'gray',
  not_set_up: 'gray',
};

/** How the bidder has done in the last minutes, and what to do. */
export function HealthPanel({ path }: { readonly path: `/api/demand-partners/${string}` }) {
  const asked = useAsk(`${path}/health/`, {}, { everyMs: EVERY_MS });
  return (
    <Loaded asked={asked} skeleton={<HealthSkeleton />}>
      {(health) => <Health health={health} />}
    </Loaded>
  );
}

function Health({ health }: { readonly health: BidderHealth }) {
  const { bid_requests: calls } = health;
  const window = formatDuration(health.window_seconds).replace(' 0 s', '');
  return (
    <>
      <Paper
        p="md"
        mb="lg"
        style={{ borderInlineStart: `4px solid var(--mantine-color-${COLORS[health.state]}-7)` }}
      >
        <Group gap="xs" mb={4}>
          <StatusBadge status={health.state} />
          {health.since !== null && (
            <Text size="sm">
              since <UtcTime at={health.since} exact /> UTC
            </Text>
          )}
        </Group>
        <Text style={{ overflowWrap: 'anywhere' }}>{health.sentence}</Text>
        {health.action !== null && (
          <Text size="sm" mt={4} fw={600}>
            {health.action}
          </Text>
        )}
      </Paper>
      <Figures>
        <Figure
          label="Bid requests"
          value={formatCount(calls)}
          note={`${formatDecimal(health.qps)} a second, in ${window}`}
        />
        <Figure
          label="Answered with bids"
          value={formatShare(health.responses, calls)}
          note={`${formatCount(health.bids)} bids`}
        />
        <Figure
          label="Timeouts"
          value={formatShare(health.timeouts, calls)}
          note={formatCount(health.timeouts)}
        />
        <Figure
          label="Errors"
          value={formatPart(health.error_share)}
          note={formatCount(sum(health.errors))}
        />
        <Figure label="Wins" value={formatCount(health.wins)} note="bids that won" />
        <Figure label="Spend" value={formatUsd(health.spend)} note="for counted impressions" />
      </Figures>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <Latency health={health} />
        <Reasons
          title="Errors"
          reasons={health.errors}
          color="red"
          empty="No bid request failed in transport or by its status."
        />
        <Reasons
          title="Answers without a bid"
          reasons={health.no_bid_reasons}
          color="gray"
          empty="No answer without a bid said why."
          note={`${formatCount(health.no_bids)} answers had no bid.`}
        />
        <Reasons
          title="Not sent"
          reasons={health.throttled}
          color="grape"
          empty="Every call that matched was sent."
        />
      </SimpleGrid>
    </>
  );
}

function Latency({ health }: { readonly health: BidderHealth }) {
  const parts = [
    { key: 'p50', label: 'Median answer time (p50)', ms: health.latency_ms_p50 },
    { key: 'p95', label: '95% of them (p95)', ms: health.latency_ms_p95 },
    { key: 'p99', label: '99% of them (p99)', ms: health.latency_ms_p99 },
  ];
  return (
    <Part title="Latency">
      {parts.every(({ ms }) => ms === null) ? (
        <Text size="sm">No answer came in this time.</Text>
      ) : (
        <Bars
          label="Latency"
          bars={parts.map(({ key, label, ms }) => ({
            key,
            label,
            value: ms ?? 0,
            text: formatMs(ms),
          }))}
        />
      )}
    </Part>
  );
}

interface ReasonsProps {
  readonly title: string;
  readonly reasons: readonly CallReason[];
  readonly color: string;
  readonly empty: string;
  readonly note?: string;
}

function Reasons({ title, reasons, color, empty, note }: ReasonsProps) {
  return (
    <Part title={title}>
      {note !== undefined && (
        <Text size="sm" c="dimmed" mb="xs">
          {note}
        </Text>
      )}
      {reasons.length === 0 ? (
        <Text size="sm">{empty}</Text>
      ) : (
        <Bars
          label={title}
          bars={reasons.map(({ reason, text, count }) => ({
            key: reason,
            label: (
              <>
                {text.slice(0, 1).toUpperCase() + text.slice(1)}{' '}
                <Text span size="xs" c="dimmed" ff="monospace">
                  {reason}
                </Text>
              </>
            ),
            value: count,
            text: formatCount(count),
            color,
          }))}
        />
      )}
    </Part>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: React.ReactNode }) {
  return (
    <Paper p="md" component="section" aria-label={title}>
      <Title order={2} mb="sm">
        {title}
      </Title>
      {children}
    </Paper>
  );
}

function HealthSkeleton() {
  return (
    <Stack gap="md">
      <Skeleton height={92} />
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="sm">
        {Array.from({ length: 6 }, (_, figure) => (
          <Skeleton key={figure} height={96} />
        ))}
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        {Array.from({ length: 4 }, (_, part) => (
          <Skeleton key={part} height={180} />
        ))}
      </SimpleGrid>
    </Stack>
  );
}

function sum(reasons: readonly CallReason[]): number {
  return reasons.reduce((total, { count }) => total + count, 0);
}
