import { Anchor, Group, Paper, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useAsk } from '../../api/use-ask.ts';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import {
  formatCount,
  formatDecimal,
  formatMs,
  formatPart,
  formatUsd,
  type Format,
} from '../../parts/format.ts';
import { Loaded, TableSkeleton } from '../../parts/loaded.tsx';
import { StatusBadge } from '../../parts/status/status-badge.tsx';
import type { BidderHealth } from '../../../../src/management/bidder-health/schema.ts';

/** How the demand partners have done in the last five minutes. */
export function PartnersPanel({ refresh }: { readonly refresh: { readonly everyMs?: number } }) {
  const health = useAsk('/api/demand-partners/health/', {}, refresh);
  return (
    <Paper p="md">
      <Group justify="space-between" mb="xs">
        <Title order={2}>Demand partners, last 5 minutes</Title>
        <Anchor component={Link} to="/operator/demand-partners" size="sm">
          All demand partners
        </Anchor>
      </Group>
      <Loaded asked={health} skeleton={<TableSkeleton rows={5} />}>
        {(rows) => (
          <DataTable
            label="Demand partners, last 5 minutes"
            columns={COLUMNS}
            rows={rows}
            rowKey={({ demand_partner_id: id }) => id}
            empty={
              <EmptyState title="No demand partners yet">
                Create one under Demand partners, and set up its bidder.
              </EmptyState>
            }
          />
        )}
      </Loaded>
    </Paper>
  );
}

const COLUMNS: readonly Column<BidderHealth>[] = [
  {
    id: 'name',
    header: 'Demand partner',
    value: ({ name }) => name,
    cell: ({ demand_partner_id: id, name }) => (
      <Anchor
        size="sm"
        className="break-anywhere"
        renderRoot={(props) => <Link to={`/operator/demand-partners/${id}`} {...props} />}
      >
        {name}
      </Anchor>
    ),
  },
  {
    id: 'state',
    header: 'Bidder',
    value: ({ state }) => state,
    cell: ({ state }) => <StatusBadge status={state} />,
  },
  numeric('qps', 'QPS', ({ qps }) => qps, formatDecimal),
  numeric(
    'bid_rate',
    'Bid rate',
    ({ responses, bid_requests: asked }) => (asked > 0 ? responses / asked : null),
    formatPart,
  ),
  numeric('timeouts', 'Timeouts', ({ timeout_share: share }) => share, formatPart),
  numeric('errors', 'Errors', ({ error_share: share }) => share, formatPart),
  numeric(
    'throttled',
    'Throttled',
    ({ throttled }) => throttled.reduce((sum, { count }) => sum + count, 0),
    formatCount,
  ),
  numeric('p95', 'Latency p95', ({ latency_ms_p95: ms }) => ms, formatMs),
  numeric('spend', 'Spend', ({ spend }) => spend, formatUsd),
];

function numeric(
  id: string,
  header: string,
  value: (row: BidderHealth) => number | null,
  format: Format,
): Column<BidderHealth> {
  return { id, header, value, format };
}
