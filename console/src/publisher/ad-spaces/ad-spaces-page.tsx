import { Button, Group, Paper, Select, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Plus, Search } from 'lucide-react';
import { useAsk } from '../../api/use-ask.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { addDays, today } from '../../parts/days.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Loaded, TableSkeleton } from '../../parts/loaded.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { useProperties, type Property } from '../properties/use-properties.ts';
import { byAdSpace, useReport } from '../report.ts';
import { useSearchOf, type ChangeSearch } from '../../parts/use-search-of.ts';
import { isShown, StatusFilter } from '../../parts/status/status-filter.tsx';
import { usePublisher } from '../use-publisher.ts';
import { columnsOf, rowOf, type AdSpaceRow } from './ad-space-columns.tsx';
import { readAdSpacesSearch, type AdSpacesSearch } from './search.ts';

const DAYS = 7;

/** The ad spaces of a publisher, with what each brought in a week. */
export function AdSpacesPage() {
  const place = usePublisher();
  const [search, change] = useSearchOf(readAdSpacesSearch);
  const adSpaces = useAsk(`${place.api}/ad-spaces/`);
  const { all: properties = [] } = useProperties();
  const last = today();
  const report = useReport(place.id, {
    first: addDays(last, 1 - DAYS),
    last,
    groupBy: 'zone_id,date',
  });
  const figures = report.data === undefined ? null : byAdSpace(report.data.body.data);
  return (
    <>
      <PageHeader
        title="Ad spaces"
        description={`The places for ads in your apps and on your sites. Figures are of the last ${DAYS} days, today included.`}
        actions={<AddButton root={place.root} within={search.in} />}
      />
      <Filters search={search} change={change} properties={properties} />
      <Paper p="xs">
        <Loaded asked={adSpaces} skeleton={<TableSkeleton />}>
          {(body) => (
            <DataTable
              label="Ad spaces"
              columns={columnsOf(place)}
              rows={body
                .map((each) => rowOf(each, properties, figures))
                .filter((row) => isFound(row, search))}
              rowKey={({ adSpace }) => adSpace.id}
              sortedBy={{ id: 'payout', desc: true }}
              empty={
                <Empty
                  root={place.root}
                  isFiltered={body.length > 0}
                  hasProperty={properties.length > 0}
                />
              }
            />
          )}
        </Loaded>
      </Paper>
    </>
  );
}

function isFound({ adSpace, property }: AdSpaceRow, search: AdSpacesSearch): boolean {
  const { status, in: within, find = '' } = search;
  const wanted = find.toLowerCase();
  return (
    isShown(adSpace.status, status) &&
    (within === undefined || property.id === within) &&
    (adSpace.name.toLowerCase().includes(wanted) || String(adSpace.id) === find)
  );
}

interface FiltersProps {
  readonly search: AdSpacesSearch;
  readonly change: ChangeSearch<AdSpacesSearch>;
  readonly properties: readonly Property[];
}

function Filters({ search, change, properties }: FiltersProps) {
  const { status, in: within, find = '' } = search;
  return (
    <Group gap="sm" mb="md">
      <TextInput
        aria-label="Find by name or id"
        placeholder="Find by name or id"
        leftSection={<Search size={15} aria-hidden />}
        value={find}
        onChange={({ currentTarget: { value } }) => change({ find: value || undefined })}
      />
      <Select
        aria-label="App or site"
        placeholder="All apps and sites"
        clearable
        searchable
        clearButtonProps={{ 'aria-label': 'Clear' }}
        data={properties.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={within === undefined ? null : String(within)}
        onChange={(next) =>
          change({ in: next === null ? undefined : Number(next) }, { isStep: true })
        }
      />
      <StatusFilter
        value={status}
        onChange={(next) => change({ status: next }, { isStep: true })}
      />
    </Group>
  );
}

interface AddButtonProps {
  readonly root: string;
  readonly within?: number | undefined;
}

function AddButton({ root, within }: AddButtonProps) {
  const search = within === undefined ? {} : { in: within };
  return (
    <Button
      leftSection={<Plus size={16} aria-hidden />}
      renderRoot={(props) => <Link to={`${root}/ad-spaces/new`} search={search} {...props} />}
    >
      Add an ad space
    </Button>
  );
}

interface EmptyProps {
  readonly root: string;
  readonly isFiltered: boolean;
  readonly hasProperty: boolean;
}

function Empty({ root, isFiltered, hasProperty }: EmptyProps) {
  if (isFiltered) {
    return (
      <EmptyState title="No ad space is like this">Change what is looked for above.</EmptyState>
    );
  }
  if (hasProperty) {
    return (
      <EmptyState title="No ad spaces yet" action={<AddButton root={root} />}>
        Add one for each place that ads are to be shown in, then copy its tag.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="No ad spaces yet"
      action={
        <Button renderRoot={(props) => <Link to={`${root}/properties`} {...props} />}>
          Add an app or a site
        </Button>
      }
    >
      An ad space is in an app or on a site: add that first.
    </EmptyState>
  );
}
