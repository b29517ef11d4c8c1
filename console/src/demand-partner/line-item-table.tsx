import { Anchor, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo, useState, type ReactNode } from 'react';
import type { Kpi } from '../../../src/management/kpi/schema.ts';
import type { ShownLineItem } from '../../../src/management/line-items/schema.ts';
import type { ApiProblem } from '../api/problem.ts';
import { Id } from '../parts/copyable.tsx';
import { DataTable, type Column } from '../parts/data-table.tsx';
import { formatCount, formatPart, formatUsd, type Format } from '../parts/format.ts';
import { StatusBadge } from '../parts/status/status-badge.tsx';
import { describeTargeting } from '../parts/targeting/describe-targeting.ts';
import { describeCapping } from './capping.ts';
import { sumKpisBy, type KpiSums } from './kpis.ts';
import { pagesOf } from './partner.ts';
import { StatusButton } from './status-button.tsx';

const SHOWN_AT_FIRST = 200;

interface Sorted {
  readonly id: string;
  readonly desc: boolean;
}

const BY_NAME: Sorted = { id: 'name', desc: false };

interface LineItemTableProps {
  readonly partnerId: string;
  readonly lineItems: readonly ShownLineItem[];
  /** Undefined as long as they are on their way. */
  readonly kpis: readonly Kpi[] | undefined;
  /** Why there are no figures. */
  readonly problem: ApiProblem | null;
  readonly empty: ReactNode;
}

/** Line items with their figures; many of them part by part. */
export function LineItemTable(props: LineItemTableProps) {
  const { partnerId, lineItems, kpis, problem, empty } = props;
  const [shown, setShown] = useState(SHOWN_AT_FIRST);
  const [sorted, setSorted] = useState<Sorted | null>(BY_NAME);
  const sums = useMemo(
    () => (kpis === undefined ? undefined : sumKpisBy(kpis, 'lineitem_id')),
    [kpis],
  );
  const columns = useMemo(
    () => [...describing(partnerId), ...figures(sums, problem !== null)],
    [partnerId, sums, problem],
  );
  // Sorted before a part of them is shown, so that the first of all come first.
  const rows = useMemo(() => sortBy(lineItems, columns, sorted), [lineItems, columns, sorted]);
  return (
    <Stack gap="sm">
      {problem !== null && (
        <Text size="sm" c="dimmed" role="status">
          There are no figures at present: {problem.message}
        </Text>
      )}
      <DataTable
        label="Line items"
        columns={columns}
        rows={rows.slice(0, shown)}
        rowKey={({ id }) => id}
        sortedBy={BY_NAME}
        onSort={setSorted}
        empty={empty}
      />
      {lineItems.length > shown && (
        <Group justify="center">
          <Button variant="default" onClick={() => setShown(shown + SHOWN_AT_FIRST)}>
            Show more: {formatCount(shown)} of {formatCount(lineItems.length)} are shown
          </Button>
        </Group>
      )}
    </Stack>
  );
}

function sortBy(
  lineItems: readonly ShownLineItem[],
  columns: readonly Column<ShownLineItem>[],
  sorted: Sorted | null,
): readonly ShownLineItem[] {
  const column = columns.find(({ id }) => id === sorted?.id);
  if (column === undefined || sorted === null) return lineItems;
  const direction = sorted.desc ? -1 : 1;
  return lineItems.toSorted(
    (a, b) => direction * compare(column.value(a) ?? '', column.value(b) ?? ''),
  );
}

function compare(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return String(a).localeCompare(String(b), 'en');
}

function describing(partnerId: string): Column<ShownLineItem>[] {
  return [
    {
      id: 'name',
      header: 'Line item',
      value: ({ name }) => name,
      cell: ({ id, name }) => (
        <div style={{ minWidth: 130, maxWidth: 220 }}>
          <Anchor
            size="sm"
            fw={600}
            lineClamp={2}
            dir="auto"
            style={{ overflowWrap: 'anywhere' }}
            renderRoot={(root) => <Link to={`${pagesOf(partnerId)}/line-items/${id}`} {...root} />}
          >
            {name}
          </Anchor>
          <Id value={id} what={`the id of ${name.slice(0, 60)}`} />
        </div>
      ),
    },
    {
      id: 'status',
      header: 'Status',
      value: ({ status }) => status,
      cell: (lineItem) => (
        <Group gap="xs" wrap="nowrap">
          <StatusBadge status={lineItem.status} />
          {lineItem.status !== 'ARCHIVED' && (
            <StatusButton partnerId={partnerId} lineItem={lineItem} isCompact />
          )}
        </Group>
      ),
    },
    {
      id: 'targeting',
      header: 'Targeting',
      value: ({ targeting }) => describeTargeting(targeting),
      cell: ({ targeting, capping }) => (
        <div style={{ minWidth: 130, maxWidth: 280 }}>
          <Text size="sm" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
            {describeTargeting(targeting)}
          </Text>
          <Text size="xs" c="dimmed">
            {describeCapping(capping)}
          </Text>
        </div>
      ),
    },
  ];
}

function figures(
  sums: ReadonlyMap<number, KpiSums> | undefined,
  hasFailed: boolean,
): Column<ShownLineItem>[] {
  const figure = (
    id: string,
    header: string,
    of: (kpis: KpiSums) => number | null,
    format: Format = formatCount,
  ): Column<ShownLineItem> => ({
    id,
    header,
    format,
    value: ({ id: item }) => {
      const own = sums?.get(item);
      return own === undefined ? null : of(own);
    },
    cell: (_, text) =>
      sums === undefined && !hasFailed ? <Skeleton height={16} width={56} ml="auto" /> : text,
  });
  return [
    figure('dsp_requests', 'Bid requests', (kpis) => kpis.dsp_requests),
    figure('bids', 'Bids', (kpis) => kpis.bids),
    figure(
      'win_rate',
      'Win rate',
      ({ wins, bids }) => (bids === 0 ? null : wins / bids),
      formatPart,
    ),
    figure('impressions', 'Impressions', (kpis) => kpis.impressions),
    figure('spend', 'Spend', ({ gross_revenue: spend }) => spend, formatUsd),
  ];
}
