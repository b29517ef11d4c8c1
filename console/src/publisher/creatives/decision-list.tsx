import { Button, Text } from '@mantine/core';
import type { ShownCreativeReview } from '../../../../src/management/creative-reviews/schema.ts';
import type { Asked } from '../../api/use-ask.ts';
import { CopyIcon } from '../../parts/copyable.tsx';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Loaded, TableSkeleton } from '../../parts/loaded.tsx';
import { UtcTime } from '../../parts/utc-time.tsx';
import { useDecisions } from './use-decisions.ts';

interface DecisionListProps {
  readonly reviews: Asked<readonly ShownCreativeReview[]>;
  readonly verdict: 'blocked' | 'approved';
  /** Part of a creative's id or an advertiser's domain. */
  readonly find: string;
}

/** The creatives and advertisers that were blocked, or approved, for the publisher. */
export function DecisionList({ reviews, verdict, find }: DecisionListProps) {
  const decisions = useDecisions(reviews.data?.body ?? []);
  const wanted = find.trim().toLowerCase();
  return (
    <Loaded asked={reviews} skeleton={<TableSkeleton />}>
      {(all) => (
        <DataTable
          label={verdict === 'blocked' ? 'What is blocked' : 'What is approved'}
          columns={columnsOf(decisions, verdict === 'blocked' ? 'Unblock' : 'Take back')}
          rows={all.filter(
            (review) =>
              review.verdict === verdict &&
              (review.crid ?? review.domain ?? '').toLowerCase().includes(wanted),
          )}
          rowKey={({ id }) => id}
          empty={
            <EmptyState
              title={verdict === 'blocked' ? 'Nothing is blocked' : 'Nothing is approved'}
            >
              {verdict === 'blocked'
                ? 'Block a creative, or all of an advertiser, among those that were seen.'
                : 'Approval matters where creatives are reviewed before they are shown.'}
            </EmptyState>
          }
        />
      )}
    </Loaded>
  );
}

function columnsOf(
  { takeBack, isPending }: ReturnType<typeof useDecisions>,
  action: string,
): readonly Column<ShownCreativeReview>[] {
  return [
    ...COLUMNS,
    {
      id: 'action',
      header: 'Action',
      value: () => null,
      isSortable: false,
      cell: (review) => (
        <Button
          size="compact-sm"
          variant="default"
          disabled={isPending}
          onClick={() => takeBack(review)}
        >
          {action}
        </Button>
      ),
    },
  ];
}

const COLUMNS: readonly Column<ShownCreativeReview>[] = [
  {
    id: 'what',
    header: 'Creative or advertiser',
    value: ({ crid, domain }) => crid ?? domain,
    cell: ({ crid, domain }) => (
      <>
        <Text size="sm" span maw={320} style={{ overflowWrap: 'anywhere' }}>
          {crid ?? domain}
        </Text>{' '}
        <CopyIcon value={crid ?? domain ?? ''} what={crid === null ? 'the domain' : 'the id'} />
        <Text size="xs" c="dimmed">
          {crid === null ? 'advertiser' : 'creative'}
        </Text>
      </>
    ),
  },
  {
    id: 'partner',
    header: 'Demand partner',
    value: ({ demand_partner: partner }) => partner,
    cell: ({ demand_partner: partner }) => partner ?? 'all',
    isNumeric: true,
  },
  {
    id: 'reason',
    header: 'Reason',
    value: ({ reason }) => reason,
    cell: ({ reason }) => (
      <Text size="sm" maw={260} style={{ overflowWrap: 'anywhere' }}>
        {reason === '' ? '–' : reason}
      </Text>
    ),
  },
  { id: 'by', header: 'By', value: ({ by }) => by },
  {
    id: 'at',
    header: 'When',
    value: ({ created_at: at }) => at,
    cell: ({ created_at: at }) => <UtcTime at={at} />,
  },
];
