import { Anchor, Badge, Button, Paper } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import type { ShownAdSpace } from '../../../../src/management/ad-spaces/schema.ts';
import { useAsk } from '../../api/use-ask.ts';
import { Id } from '../../parts/copyable.tsx';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { formatCount, NOTHING } from '../../parts/format.ts';
import { Loaded, TableSkeleton } from '../../parts/loaded.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { StatusBadge } from '../../parts/status/status-badge.tsx';
import { BREAKING } from '../breaking.ts';
import { useSearchOf } from '../../parts/use-search-of.ts';
import { isShown, StatusFilter } from '../../parts/status/status-filter.tsx';
import { StatusMenu } from '../../parts/status/status-menu.tsx';
import { usePublisher, type PublisherPlace } from '../use-publisher.ts';
import { readPropertiesSearch } from './search.ts';
import { propertyHref, useProperties, type Property } from './use-properties.ts';

/** The apps and sites that ad spaces are in. */
export function PropertiesPage() {
  const place = usePublisher();
  const [{ status }, change] = useSearchOf(readPropertiesSearch);
  const { apps, sites, all = [] } = useProperties();
  const adSpaces = useAsk(`${place.api}/ad-spaces/`);
  const counts = countSpaces(adSpaces.data?.body);
  return (
    <>
      <PageHeader
        title="Apps and sites"
        description="Bid requests name the app or site of an ad space."
        actions={<AddButtons root={place.root} />}
      />
      <StatusFilter
        value={status}
        onChange={(next) => change({ status: next }, { isStep: true })}
      />
      <Paper mt="md" p="xs">
        <Loaded asked={sites} skeleton={<TableSkeleton />}>
          {() => (
            <Loaded asked={apps} skeleton={<TableSkeleton />}>
              {() => (
                <DataTable
                  label="Apps and sites"
                  columns={columnsOf(place, counts)}
                  rows={all.filter((each) => isShown(each.status, status))}
                  rowKey={({ id }) => id}
                  sortedBy={{ id: 'name', desc: false }}
                  empty={<Empty root={place.root} isFiltered={all.length > 0} />}
                />
              )}
            </Loaded>
          )}
        </Loaded>
      </Paper>
    </>
  );
}

function AddButtons({ root }: { readonly root: string }) {
  return (
    <>
      <AddButton root={root} type="app" label="Add an app" variant="default" />
      <AddButton root={root} type="site" label="Add a site" variant="filled" />
    </>
  );
}

interface AddButtonProps {
  readonly root: string;
  readonly type: 'app' | 'site';
  readonly label: string;
  readonly variant: string;
}

function AddButton({ root, type, label, variant }: AddButtonProps) {
  return (
    <Button
      variant={variant}
      leftSection={<Plus size={16} aria-hidden />}
      renderRoot={(props) => <Link to={`${root}/properties/new`} search={{ type }} {...props} />}
    >
      {label}
    </Button>
  );
}

function Empty({ root, isFiltered }: { readonly root: string; readonly isFiltered: boolean }) {
  if (isFiltered) {
    return <EmptyState title="None has this status">Choose another status above.</EmptyState>;
  }
  return (
    <EmptyState title="No apps or sites yet" action={<AddButtons root={root} />}>
      Add the site or the app that ads are to be shown in. Its ad spaces come next.
    </EmptyState>
  );
}

function columnsOf(
  { root, api }: PublisherPlace,
  counts: ReadonlyMap<number, number> | null,
): readonly Column<Property>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      value: ({ name }) => name,
      cell: (row) => (
        <Anchor
          component={Link}
          to={propertyHref(root, row)}
          size="sm"
          lineClamp={3}
          style={BREAKING}
        >
          {row.name}
        </Anchor>
      ),
    },
    {
      id: 'type',
      header: 'Type',
      value: ({ type, platform }) => `${type} ${platform ?? ''}`,
      cell: ({ type, platform }) => (
        <Badge variant="default" miw="max-content">
          {platform === null ? type : `${type}, ${platform}`}
        </Badge>
      ),
    },
    {
      id: 'place',
      header: 'Bundle or domain',
      value: ({ place }) => place,
      cell: ({ place, name }) => <Id value={place} what={`the bundle or domain of ${name}`} />,
    },
    {
      id: 'id',
      header: 'Id',
      value: ({ id }) => id,
      isNumeric: true,
      cell: ({ id, name }) => <Id value={id} what={`the id of ${name}`} />,
    },
    {
      id: 'adSpaces',
      header: 'Ad spaces',
      value: ({ id }) => counts?.get(id) ?? 0,
      isNumeric: true,
      cell: ({ id }) => (
        <Anchor
          size="sm"
          renderRoot={(props) => <Link to={`${root}/ad-spaces`} search={{ in: id }} {...props} />}
        >
          {counts === null ? NOTHING : formatCount(counts.get(id) ?? 0)}
        </Anchor>
      ),
    },
    {
      id: 'status',
      header: 'Status',
      value: ({ status }) => status,
      cell: ({ status }) => <StatusBadge status={status} />,
    },
    {
      id: 'actions',
      header: 'Actions',
      value: () => null,
      isSortable: false,
      cell: ({ type, id, name, status }) => (
        <StatusMenu path={`${api}/${type}s/${id}/`} name={name} status={status} />
      ),
    },
  ];
}

function countSpaces(
  adSpaces: readonly ShownAdSpace[] | undefined,
): ReadonlyMap<number, number> | null {
  if (adSpaces === undefined) return null;
  const counts = new Map<number, number>();
  for (const { app_id, site_id } of adSpaces) {
    const owner = app_id ?? site_id ?? 0;
    counts.set(owner, (counts.get(owner) ?? 0) + 1);
  }
  return counts;
}
