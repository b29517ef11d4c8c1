import { Button, Group, Paper, Title } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { useAsk } from '../api/use-ask.ts';
import { Bars } from '../parts/bars.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { Figure, Figures } from '../parts/figure.tsx';
import { formatCount, formatShare, NOTHING } from '../parts/format.ts';
import { Loaded, TableSkeleton } from '../parts/loaded.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { RangePicker } from '../parts/range-picker.tsx';
import { reportWindow } from '../parts/ranges.ts';
import { useSearchOf, type ChangeSearch } from '../parts/use-search-of.ts';
import type { Losses } from '../../../src/management/losses/schema.ts';
import { LineItemFilter } from '../parts/line-item-filter.tsx';
import { LossTable } from './loss-table.tsx';
import {
  lossQuestion,
  readLostBidsSearch,
  USUAL_RANGE,
  type LostBidsSearch,
} from './lost-bids-search.ts';

/** Why the bids of a demand partner lose, by reason, and what it can do about each. */
export function LostBidsPage() {
  const { demandPartnerId = '' } = useParams({ strict: false });
  const [search, change] = useSearchOf(readLostBidsSearch);
  const root = `/demand-partners/${demandPartnerId}` as const;
  const asked = useAsk(`/api${root}/losses/`, lossQuestion(search));
  return (
    <>
      <PageHeader
        title="Lost bids"
        description="Why bids lost, the most frequent reason first, and what to do about each. Tests are left out."
      />
      <Filters {...{ demandPartnerId, search, change }} />
      <Loaded asked={asked} skeleton={<TableSkeleton rows={8} />}>
        {(losses) => <Answer losses={losses} root={root} search={search} />}
      </Loaded>
    </>
  );
}

interface FiltersProps {
  readonly demandPartnerId: string;
  readonly search: LostBidsSearch;
  readonly change: ChangeSearch<LostBidsSearch>;
}

function Filters({ demandPartnerId, search, change }: FiltersProps) {
  return (
    <search aria-label="Filters of the lost bids">
      <Group gap="md" mb="md" align="center">
        <RangePicker
          search={search}
          fallback={USUAL_RANGE}
          window={reportWindow()}
          onChange={(picked) =>
            change({ range: undefined, from: undefined, to: undefined, ...picked })
          }
        />
        <LineItemFilter
          partnerId={demandPartnerId}
          value={search.lineitem_id}
          onChange={(id) => change({ lineitem_id: id })}
        />
      </Group>
    </search>
  );
}

interface AnswerProps {
  readonly losses: Losses;
  readonly root: string;
  readonly search: LostBidsSearch;
}

function Answer({ losses, root, search }: AnswerProps) {
  const { bids, won, not_confirmed: notConfirmed } = losses;
  const lost = losses.losses.reduce((sum, { count }) => sum + count, 0);
  if (bids === 0) {
    return (
      <EmptyState
        title="No bids in these days"
        action={
          <Button component={Link} to={`${root}/bidder`} variant="default">
            Look at the bidder
          </Button>
        }
      >
        {search.lineitem_id === undefined
          ? 'See on the overview whether bid requests come, and whether the bidder answers them.'
          : 'Take the line item out of the filters, or look at more days.'}
      </EmptyState>
    );
  }
  return (
    <>
      <Figures>
        <Figure
          label="Bids"
          value={formatCount(bids)}
          note={`${losses.start_date} to ${losses.end_date} (UTC)`}
        />
        <Figure
          label="Won"
          value={won === null ? NOTHING : formatCount(won)}
          note={won !== null && `${formatShare(won, bids)} of all bids`}
        />
        {notConfirmed !== null && notConfirmed > 0 && (
          <Figure
            label="Not confirmed"
            value={formatCount(notConfirmed)}
            note={`${formatShare(notConfirmed, bids)} of all bids`}
            help="Bids that came first where the publisher decides, and that no beacon has confirmed yet."
          />
        )}
        <Figure
          label="Lost"
          value={formatCount(lost)}
          note={`${formatShare(lost, bids)} of all bids`}
        />
      </Figures>
      {lost === 0 ? (
        <EmptyState title="No bid has lost">All bids of these days came first.</EmptyState>
      ) : (
        <>
          <Paper p="md" mb="lg" component="section" aria-label="By reason">
            <Title order={2} mb="sm">
              By reason
            </Title>
            <Bars
              label="Lost bids by reason"
              bars={losses.losses.slice(0, 6).map((loss) => ({
                key: String(loss.loss_reason),
                label: loss.meaning,
                value: loss.count,
                text: `${formatCount(loss.count)} (${formatShare(loss.count, lost)})`,
              }))}
            />
          </Paper>
          <LossTable losses={losses.losses} root={root} />
        </>
      )}
    </>
  );
}
