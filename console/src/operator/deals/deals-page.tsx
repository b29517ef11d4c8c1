import { PageHeader } from '../../parts/page-header.tsx';
import { Button, Group, Paper, Select, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { type Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { formatCount, formatCpm } from '../../parts/format.ts';
import { StatusBadge } from '../../parts/status/status-badge.tsx';
import type { ShownDeal } from '../../../../src/management/deals/schema.ts';
import { ChangeStatus } from '../change-status.tsx';
import { EntityName } from '../../parts/entity-name.tsx';
import { PagedTable } from '../../parts/paged.tsx';
import { StatusFilter } from '../status-filter.tsx';
import { useSearchOf } from '../../parts/use-search-of.ts';
import { DEAL_TYPES, readDealsSearch } from '../search.ts';

const ALL = 'all';

/** What publishers and the holders of seats have agreed on. */
export function DealsPage() {
  const [{ status, type }, change] = useSearchOf(readDealsSearch);
  return (
    <>
      <PageHeader
        title="Deals"
        description="Terms that publishers and the holders of seats agreed on for some ad spaces."
        actions={<NewButton />}
      />
      <Paper p="md">
        <Group mb="md">
          <StatusFilter
            value={status}
            onChange={(chosen) => change({ status: chosen, page: undefined }, { isStep: true })}
          />
          <Select
            label="Type"
            w={160}
            allowDeselect={false}
            value={type ?? ALL}
            data={[ALL, ...DEAL_TYPES].map((value) => ({ value, label: value.replace('_', ' ') }))}
            onChange={(value) => {
              const chosen = DEAL_TYPES.find((each) => each === value);
              change({ type: chosen, page: undefined }, { isStep: true });
            }}
          />
        </Group>
        <PagedTable
          path="/api/deals/"
          query={{
            status,
            type,
            sort: 'name',
          }}
          label="Deals"
          columns={COLUMNS}
          rowKey={({ id }) => id}
          empty={<NoDeals isFiltered={status !== undefined || type !== undefined} />}
        />
      </Paper>
    </>
  );
}

function NoDeals({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered) {
    return <EmptyState title="No such deals">Choose another status or type.</EmptyState>;
  }
  return (
    <EmptyState title="No deals yet" action={<NewButton />}>
      Agree on terms with a publisher and a demand partner, and write them down here.
    </EmptyState>
  );
}

function NewButton() {
  return (
    <Button
      component={Link}
      to="/operator/deals/new/deal"
      leftSection={<Plus size={16} aria-hidden />}
    >
      New deal
    </Button>
  );
}

const COLUMNS: readonly Column<ShownDeal>[] = [
  {
    id: 'name',
    header: 'Deal',
    value: ({ name }) => name,
    cell: ({ id, name }) => (
      <EntityName name={name} id={id} href={`/operator/deals/${encodeURIComponent(id)}`} />
    ),
  },
  {
    id: 'status',
    header: 'Status',
    value: ({ status }) => status,
    cell: ({ status }) => <StatusBadge status={status} />,
  },
  { id: 'type', header: 'Type', value: ({ type }) => type.replace('_', ' ') },
  {
    id: 'price',
    header: 'Price or floor (CPM)',
    value: ({ price, floor }) => price ?? floor,
    format: formatCpm,
  },
  {
    id: 'ad_spaces',
    header: 'Ad spaces',
    value: ({ ad_spaces: spaces }) => spaces.length,
    format: formatCount,
  },
  {
    id: 'seats',
    header: 'Seats',
    value: ({ seats }) => seats.join(', '),
    cell: ({ seats }) => (
      <Text size="sm" lineClamp={2} className="break-anywhere">
        {seats.join(', ')}
      </Text>
    ),
  },
  {
    id: 'actions',
    header: 'Actions',
    value: () => null,
    isSortable: false,
    cell: ({ id, name, status }) => (
      <Group gap="xs" wrap="nowrap" w="max-content">
        <ChangeStatus
          noun="deal"
          name={name}
          path={`/api/deals/${encodeURIComponent(id)}/`}
          status={status}
          size="xs"
          archiving="It is no longer offered. What was bought with it stays in reports and statements."
        />
      </Group>
    ),
  },
];
