import { Anchor, SegmentedControl, Skeleton, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ShownAdSpace } from '../../../src/management/ad-spaces/schema.ts';
import { useAsk, type Asked } from '../api/use-ask.ts';
import { Id } from '../parts/copyable.tsx';
import { addDays, today } from '../parts/days.ts';
import { Loaded } from '../parts/loaded.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { StatusBadge } from '../parts/status/status-badge.tsx';
import { useSearchOf } from '../parts/use-search-of.ts';
import { Checklist } from '../parts/checklist.tsx';
import { AgreedTerms } from './agreed-terms.tsx';
import { BestAdSpaces } from './best-ad-spaces.tsx';
import { LiveStrip } from './live-strip.tsx';
import { MonthChart } from './month-chart.tsx';
import { PERIODS, readOverviewSearch } from './overview-search.ts';
import { PeriodFigures } from './period-figures.tsx';
import { useReport } from './report.ts';
import type { Report } from '../api/report.ts';
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
  const adSpaces = useAsk(`${api}/ad-spaces/`);
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

interface StartChecklistProps {
  readonly report: Asked<Report>;
  readonly adSpaces: Asked<readonly ShownAdSpace[]>;
}

/** What a new publisher does first; gone once its first requests are in. */
function StartChecklist({ report, adSpaces }: StartChecklistProps) {
  const { root, api } = usePublisher();
  const apps = useAsk(`${api}/apps/`, { limit: 1 });
  const sites = useAsk(`${api}/sites/`, { limit: 1 });
  if (report.data === undefined || adSpaces.data === undefined) return null;
  const hasRequests = report.data.body.data.some(({ requests = 0 }) => requests > 0);
  if (hasRequests || apps.data === undefined || sites.data === undefined) return null;
  const hasProperty = apps.data.body.length + sites.data.body.length > 0;
  const [space] = adSpaces.data.body;
  const tags = space === undefined ? `${root}/ad-spaces` : `${root}/ad-spaces/${space.id}`;
  return (
    <Checklist
      title="First steps"
      steps={[
        {
          isDone: hasProperty,
          title: 'Add an app or a site',
          to: `${root}/properties`,
          help: 'So that bidders know where ads will be.',
        },
        {
          isDone: space !== undefined,
          title: 'Add an ad space',
          to: `${root}/ad-spaces/new`,
          help: 'With its format, size and floor.',
        },
        {
          isDone: false,
          title: 'Copy its tag',
          to: tags,
          search: { tab: 'tags' },
          help: 'Into the page or app. The first request shows up here within a minute or so.',
        },
        {
          isDone: null,
          title: 'Add the lines to ads.txt',
          to: `${root}/ads-txt`,
          help: 'Many buyers do not bid on a seller that is not in it.',
        },
      ]}
    />
  );
}
