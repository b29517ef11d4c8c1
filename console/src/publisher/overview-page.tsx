import { Anchor, SegmentedControl, Skeleton, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ShownAdSpace } from '../../../src/management/ad-spaces/schema.ts';
import { useAsk } from '../api/use-ask.ts';
import { Id } from '../parts/copyable.tsx';
import { addDays, today } from '../parts/days.ts';
import { Loaded } from '../parts/loaded.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { StatusBadge } from '../parts/status/status-badge.tsx';
import { AgreedTerms } from './agreed-terms.tsx';
import { BestAdSpaces } from './best-ad-spaces.tsx';
import { LiveStrip } from './live-strip.tsx';
import { MonthChart } from './month-chart.tsx';
import { PERIODS, readOverviewSearch } from './overview-search.ts';
import { PeriodFigures } from './period-figures.tsx';
import { useReport } from './report.ts';
import { useSearchOf } from '../parts/use-search-of.ts';
import { StartChecklist } from './start-checklist.tsx';
import { useAskPublisher, usePublisher } from './use-publisher.ts';

const PERIOD_LABELS = { '1': 'Today', '7': '7 days', '30': '30 days' } as const;
/** The longest period twice: figures are compared with those of the days before. */
const DAYS_ASKED = 60;

/** What a publisher earns, and what it earns it with. */
export function OverviewPage() {
  const { id, api } = usePublisher();
  const publisher = useAskPublisher();
  const [{ days = '7' }, change] = useSearchOf(readOverviewSearch);
  const last = today();
  const report = useReport(id, { first: addDays(last, 1 - DAYS_ASKED), last });
  const adSpaces = useAsk<readonly ShownAdSpace[]>(`${api}/ad-spaces/`);
  const name = publisher.data?.body.name;
  return (
    <>
      <PageHeader
        title={name ?? 'Overview'}
        beside={
          publisher.data !== undefined && (
            <>
              <StatusBadge status={publisher.data.body.status} />
              <Id value={id} what="the publisher’s id" />
            </>
          )
        }
        actions={
          <SegmentedControl
            aria-label="Period"
            value={days}
            onChange={(value) =>
              change({ days: PERIODS.find((each) => each === value) ?? '7' }, { isStep: true })
            }
            data={PERIODS.map((value) => ({ value, label: PERIOD_LABELS[value] }))}
          />
        }
        description="All days are UTC. Figures of the report are a minute or so old."
      />
      <Stack gap="lg">
        <StartChecklist report={report} adSpaces={adSpaces} />
        <LiveStrip />
        <Loaded asked={report} skeleton={<Skeleton height={620} />}>
          {({ data }) => (
            <Stack gap="lg">
              <PeriodFigures rows={data} days={Number(days)} last={last} />
              <MonthChart rows={data} last={last} />
            </Stack>
          )}
        </Loaded>
        <BestAdSpaces days={Number(days)} last={last} adSpaces={adSpaces} />
        <Anchor component={Link} to={`/publishers/${id}/reports`} size="sm">
          More in the reports
        </Anchor>
        {publisher.data !== undefined && <AgreedTerms publisher={publisher.data.body} />}
      </Stack>
    </>
  );
}
