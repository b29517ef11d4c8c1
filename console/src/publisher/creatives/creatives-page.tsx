import { Alert, Group, Pagination, Paper, SegmentedControl, Text, TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import { useState } from 'react';
import type { ShownCreativeReview } from '../../../../src/management/creative-reviews/schema.ts';
import { useAsk } from '../../api/use-ask.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { formatCount } from '../../parts/format.ts';
import { Loaded, TableSkeleton } from '../../parts/loaded.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { useSearchOf, type ChangeSearch } from '../../parts/use-search-of.ts';
import { useAskPublisher, usePublisher } from '../use-publisher.ts';
import { BlockForm } from './block-form.tsx';
import { columnsOf } from './creative-columns.tsx';
import { CreativeDrawer } from './creative-drawer.tsx';
import { DecisionList } from './decision-list.tsx';
import { foundBy, seenAt, type SeenHere } from './decisions.ts';
import { readCreativesSearch, SHOWN, type CreativesSearch } from './search.ts';
import { useDecisions } from './use-decisions.ts';

const PAGE = 50;
const LIMIT = 1_000;
const NO_REVIEWS: readonly ShownCreativeReview[] = [];

/** What was shown on a publisher's ad spaces, or waits to be, and what it has decided about it. */
export function CreativesPage() {
  const { id } = usePublisher();
  const [search, change] = useSearchOf(readCreativesSearch);
  const publisher = useAskPublisher();
  const reviews = useAsk('/api/creative-reviews/', {
    publisher: id,
  });
  const isReviewed = publisher.data?.body.creative_review === 'required';
  const { show } = search;
  return (
    <>
      <PageHeader
        title="Creatives"
        description="What won on your ad spaces in the last 90 days, or waits for a review. What you block is no longer shown after two seconds; counts may be five minutes old."
      />
      {isReviewed && (
        <Alert mb="md" color="lagoon" title="Creatives are reviewed before they are shown">
          What nobody has approved loses. Look at those that wait.
        </Alert>
      )}
      <Filters search={search} change={change} />
      <Paper p="xs">
        {show === 'blocked' || show === 'approved' ? (
          <DecisionList reviews={reviews} verdict={show} find={search.crid ?? ''} />
        ) : (
          <CreativeList
            search={search}
            change={change}
            reviews={reviews.data?.body ?? NO_REVIEWS}
          />
        )}
      </Paper>
    </>
  );
}

interface FiltersProps {
  readonly search: CreativesSearch;
  readonly change: ChangeSearch<CreativesSearch>;
}

function Filters({ search, change }: FiltersProps) {
  return (
    <Group gap="sm" mb="md">
      <SegmentedControl
        aria-label="Which creatives"
        value={search.show ?? ''}
        onChange={(next) =>
          change({ page: undefined, show: SHOWN.find((each) => each === next) }, { isStep: true })
        }
        data={[
          { value: '', label: 'Seen' },
          { value: 'pending', label: 'Waiting' },
          { value: 'blocked', label: 'Blocked' },
          { value: 'approved', label: 'Approved' },
        ]}
      />
      <TextInput
        aria-label="Find by creative id or advertiser"
        placeholder="Creative id or advertiser"
        leftSection={<Search size={15} aria-hidden />}
        value={search.crid ?? ''}
        onChange={({ currentTarget: { value } }) =>
          change({ crid: value || undefined, page: undefined })
        }
      />
    </Group>
  );
}

interface CreativeListProps extends FiltersProps {
  readonly reviews: readonly ShownCreativeReview[];
}

function CreativeList({ search, change, reviews }: CreativeListProps) {
  const { id } = usePublisher();
  const { show, crid = '', partner, page = 1 } = search;
  const [opened, setOpened] = useState<SeenHere | null>(null);
  const [blocking, setBlocking] = useState<SeenHere | null>(null);
  const decisions = useDecisions(reviews);
  const creatives = useAsk('/api/creatives/', {
    publisher: id,
    limit: LIMIT,
    demand_partner: partner,
    pending: show === 'pending' ? true : undefined,
  });
  const columns = columnsOf({ reviews, decisions, onOpen: setOpened, onBlock: setBlocking });
  return (
    <>
      <Loaded asked={creatives} skeleton={<TableSkeleton rows={10} />}>
        {(body, { total }) => {
          const found = foundBy(seenAt(body, id), crid);
          const pages = Math.max(1, Math.ceil(found.length / PAGE));
          const at = Math.min(page, pages);
          return (
            <>
              <DataTable
                label="Creatives"
                columns={columns}
                rows={found.slice((at - 1) * PAGE, at * PAGE)}
                rowKey={({ creative }) => `${creative.demand_partner_id}/${creative.crid}`}
                empty={<Empty show={show} isFiltered={crid !== '' || partner !== undefined} />}
              />
              <Group justify="space-between" p="xs">
                <Text size="sm" c="dimmed">
                  {formatCount(found.length)} creatives
                  {total !== null && total > body.length && `, of the latest ${formatCount(LIMIT)}`}
                </Text>
                {pages > 1 && (
                  <Pagination
                    total={pages}
                    value={at}
                    onChange={(next) => change({ page: next }, { isStep: true })}
                    getControlProps={(control) => ({ 'aria-label': CONTROLS[control] })}
                    size="sm"
                  />
                )}
              </Group>
            </>
          );
        }}
      </Loaded>
      {opened !== null && <CreativeDrawer seen={opened} onClose={() => setOpened(null)} />}
      {blocking !== null && (
        <BlockForm seen={blocking} decisions={decisions} onClose={() => setBlocking(null)} />
      )}
    </>
  );
}

const CONTROLS = {
  first: 'First page',
  previous: 'Previous page',
  next: 'Next page',
  last: 'Last page',
} as const;

interface EmptyProps {
  readonly show: CreativesSearch['show'];
  readonly isFiltered: boolean;
}

function Empty({ show, isFiltered }: EmptyProps) {
  if (isFiltered) {
    return (
      <EmptyState title="No creative is called so">Change what is looked for above.</EmptyState>
    );
  }
  if (show === 'pending') {
    return (
      <EmptyState title="Nothing waits for a review">
        Creatives wait where the operator or you have them reviewed before they are shown.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No creatives yet">
      Creatives are listed seconds after they have won for the first time. Tests are not.
    </EmptyState>
  );
}
