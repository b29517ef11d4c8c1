import { Anchor, Group, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatDecimal, formatMs, formatPart } from '../parts/format.ts';
import { StatusBadge } from '../parts/status/status-badge.tsx';
import { UtcTime } from '../parts/utc-time.tsx';
import type { Asked } from '../api/use-ask.ts';
import type { BidderHealth } from '../../../src/management/bidder-health/schema.ts';
import { pagesOf } from './partner.ts';

interface HealthStripProps {
  readonly partnerId: string;
  readonly asked: Asked<BidderHealth>;
}

/** How the bidder does at present, in one line. */
export function HealthStrip({ partnerId, asked }: HealthStripProps) {
  if (asked.data === undefined) {
    if (asked.error === null || asked.isFetching) return <Skeleton height={84} mb="lg" />;
    return null;
  }
  const health = asked.data.body;
  const { state, since, sentence, timeout_share: late, error_share: failed } = health;
  return (
    <Paper p="md" mb="lg" component="section" aria-label="Bidder">
      <Group justify="space-between" gap="md">
        <Stack gap={4} style={{ flex: '1 1 280px' }}>
          <Group gap="xs">
            <Anchor
              fw={600}
              size="sm"
              renderRoot={(root) => <Link to={`${pagesOf(partnerId)}/bidder`} {...root} />}
            >
              Bidder
            </Anchor>
            <StatusBadge status={state} />
            {since !== null && (
              <Text size="xs" c="dimmed">
                since <UtcTime at={since} />
              </Text>
            )}
          </Group>
          <Text size="sm">{sentence}</Text>
        </Stack>
        <Group gap="lg" component="dl" m={0}>
          <Detail term="QPS">{formatDecimal(health.qps)}</Detail>
          <Detail term="Timeouts">{formatPart(late)}</Detail>
          <Detail term="Errors">{formatPart(failed)}</Detail>
          <Detail term="Latency p50">{formatMs(health.latency_ms_p50)}</Detail>
          <Detail term="p95">{formatMs(health.latency_ms_p95)}</Detail>
          <Detail term="p99">{formatMs(health.latency_ms_p99)}</Detail>
        </Group>
      </Group>
    </Paper>
  );
}

function Detail({ term, children }: { readonly term: string; readonly children: ReactNode }) {
  return (
    <div>
      <Text component="dt" size="xs" c="dimmed">
        {term}
      </Text>
      <Text component="dd" m={0} size="sm" fw={600} style={{ fontVariantNumeric: 'tabular-nums' }}>
        {children}
      </Text>
    </div>
  );
}
