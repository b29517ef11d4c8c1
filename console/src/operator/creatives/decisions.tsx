import { tellProblem, tellWithUndo } from '../../parts/notices.tsx';
import { Button, Text } from '@mantine/core';
import { useChange } from '../../api/use-change.ts';
import { type Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { EntityName } from '../../parts/entity-name.tsx';
import { useNames } from '../../parts/use-names.ts';
import { UtcTime } from '../../parts/utc-time.tsx';
import type { ShownCreativeReview } from '../../../../src/management/creative-reviews/schema.ts';
import { PagedTable } from '../../parts/paged.tsx';
import { useTakeBack } from '../../parts/use-take-back.ts';
import { BlockAdvertiser } from './block-advertiser.tsx';
import { VerdictBadge } from './creative-columns.tsx';

const PATH = '/api/creative-reviews/';

/** What was decided about creatives and advertisers, the latest first. */
export function Decisions() {
  const partners = useNames('demand-partners');
  const publishers = useNames('publishers');
  const columns = columnsOf(partners.nameOf, publishers.nameOf);
  return (
    <>
      <BlockAdvertiser />
      <PagedTable
        path="/api/creative-reviews/"
        label="Decisions about creatives and advertisers"
        columns={columns}
        rowKey={({ id }) => id}
        empty={
          <EmptyState title="Nothing was decided yet">
            Open a creative under “Seen” to approve or block it, or block an advertiser above.
          </EmptyState>
        }
      />
    </>
  );
}

type NameOf = (id: number) => string;

const columnsOf = (
  partnerOf: NameOf,
  publisherOf: NameOf,
): readonly Column<ShownCreativeReview>[] => [
  {
    id: 'about',
    header: 'About',
    value: ({ domain, crid }) => domain ?? crid,
    cell: ({ domain, crid, demand_partner: partner }) => (
      <Text size="sm" className="break-anywhere" maw={340} lineClamp={3}>
        {domain ?? crid}
        {partner !== null && (
          <Text span size="xs" c="dimmed">
            {' '}
            of {partnerOf(partner)} ({partner})
          </Text>
        )}
      </Text>
    ),
  },
  {
    id: 'verdict',
    header: 'Verdict',
    value: ({ verdict }) => verdict,
    cell: ({ verdict }) => <VerdictBadge verdict={verdict} />,
  },
  {
    id: 'where',
    header: 'Where',
    value: ({ publisher }) => (publisher === null ? 'everywhere' : publisherOf(publisher)),
    cell: ({ publisher }, name) =>
      publisher === null ? (
        name
      ) : (
        <EntityName name={name} id={publisher} href={`/operator/publishers/${publisher}`} />
      ),
  },
  {
    id: 'reason',
    header: 'Reason',
    value: ({ reason }) => reason,
    cell: ({ reason }) => (
      <Text size="sm" className="break-anywhere" maw={260}>
        {reason}
      </Text>
    ),
  },
  { id: 'by', header: 'By', value: ({ by }) => by },
  {
    id: 'at',
    header: 'When',
    value: ({ created_at: at }) => at,
    cell: ({ created_at: at }) => (
      <span className="nowrap">
        <UtcTime at={at} />
      </span>
    ),
  },
  {
    id: 'actions',
    header: 'Actions',
    value: () => null,
    isSortable: false,
    cell: (review) => <TakeBack review={review} />,
  },
];

function TakeBack({ review }: { readonly review: ShownCreativeReview }) {
  const takeBack = useTakeBack();
  const { id, publisher, demand_partner: partner, crid, domain, verdict, reason } = review;
  const known = { publisher, demand_partner: partner, crid, domain, verdict, reason };
  const body = Object.fromEntries(Object.entries(known).filter(([, value]) => value !== null));
  const remove = useChange(() =>
    tellWithUndo('The decision is taken back.', () =>
      takeBack({ method: 'POST', path: PATH, body }, 'The decision holds again.'),
    ),
  );
  return (
    <Button
      size="xs"
      variant="default"
      loading={remove.isPending}
      aria-label={`Take back the decision about ${domain ?? crid ?? ''}`}
      onClick={() =>
        remove.mutate({ method: 'DELETE', path: `${PATH}${id}/` }, { onError: tellProblem })
      }
    >
      Take back
    </Button>
  );
}
