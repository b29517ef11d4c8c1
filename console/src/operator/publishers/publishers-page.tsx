import { PageHeader } from '../../parts/page-header.tsx';
import { Anchor, Button, Group, Paper } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { type Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { formatPart } from '../../parts/format.ts';
import { StatusBadge } from '../../parts/status/status-badge.tsx';
import type { ShownPublisher } from '../../../../src/management/publishers/schema.ts';
import { EntityName } from '../../parts/entity-name.tsx';
import { PagedTable } from '../../parts/paged.tsx';
import { StatusFilter } from '../status-filter.tsx';
import { WeekFill, WeekPayout } from './week-figures.tsx';
import { useSearchOf } from '../../parts/use-search-of.ts';
import { readPublishersSearch } from '../search.ts';

/** As many as there are figures asked for at once. */
const SIZE = 20;

/** The publishers, and how each has sold in the last seven days. */
export function PublishersPage() {
  const [{ status }, change] = useSearchOf(readPublishersSearch);
  return (
    <>
      <PageHeader
        title="Publishers"
        description="Who sells. Figures are of the last 7 full days, in UTC."
        actions={<NewButton />}
      />
      <Paper p="md">
        <Group mb="md">
          <StatusFilter
            value={status}
            onChange={(chosen) => change({ status: chosen, page: undefined }, { isStep: true })}
          />
        </Group>
        <PagedTable
          path="/api/publishers/"
          query={{
            status,
            sort: 'name',
          }}
          size={SIZE}
          label="Publishers"
          columns={COLUMNS}
          rowKey={({ id }) => id}
          empty={<NoPublishers status={status} />}
        />
      </Paper>
    </>
  );
}

function NoPublishers({ status }: { readonly status: string | undefined }) {
  if (status !== undefined) {
    return (
      <EmptyState title={`No publishers are ${status.toLowerCase()}`}>
        Choose another status.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No publishers yet" action={<NewButton />}>
      Create the first one; then make its apps, sites and ad spaces.
    </EmptyState>
  );
}

function NewButton() {
  return (
    <Button
      component={Link}
      to="/operator/publishers/new"
      leftSection={<Plus size={16} aria-hidden />}
    >
      New publisher
    </Button>
  );
}

const COLUMNS: readonly Column<ShownPublisher>[] = [
  {
    id: 'name',
    header: 'Publisher',
    value: ({ name }) => name,
    cell: ({ id, name }) => <EntityName name={name} id={id} href={`/operator/publishers/${id}`} />,
  },
  {
    id: 'status',
    header: 'Status',
    value: ({ status }) => status,
    cell: ({ status }) => <StatusBadge status={status} />,
  },
  {
    id: 'revenue_share',
    header: 'Revenue share',
    value: ({ revenue_share: share }) => share,
    format: formatPart,
  },
  {
    id: 'payout',
    header: 'Payout, 7 days',
    value: () => null,
    isNumeric: true,
    isSortable: false,
    cell: ({ id }) => <WeekPayout publisherId={id} />,
  },
  {
    id: 'fill',
    header: 'Fill rate, 7 days',
    value: () => null,
    isNumeric: true,
    isSortable: false,
    cell: ({ id }) => <WeekFill publisherId={id} />,
  },
  {
    id: 'pages',
    header: 'Pages',
    value: () => null,
    isSortable: false,
    cell: ({ id, name }) => (
      <Anchor
        size="sm"
        aria-label={`Its pages: ${name}`}
        renderRoot={(props) => <Link to={`/publishers/${id}`} {...props} />}
      >
        Its pages
      </Anchor>
    ),
  },
];
