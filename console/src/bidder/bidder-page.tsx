import { Tabs, Alert } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import type { ShownBidder } from '../../../src/management/bidders/schema.ts';
import { useAsk, type Asked } from '../api/use-ask.ts';
import { Failure, Lines } from '../parts/loaded.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { useSearchOf } from '../parts/use-search-of.ts';
import { ReportingToken } from '../parts/reporting-token.tsx';
import { EditForm } from '../parts/forms/edit-form.tsx';
import { useEditOf } from '../parts/forms/use-edit.ts';
import { tell } from '../parts/notices.tsx';
import { BIDDER_TABS, readBidderSearch } from './bidder-search.ts';
import { HealthPanel } from './health-panel.tsx';
import { StopControls } from './stop-controls.tsx';
import { TestRequestPanel } from './test-request-panel.tsx';
import { bodyOf, draftOf, type BidderDraft } from './bidder-draft.ts';
import { BidderFields, ENDPOINT, REST } from './bidder-fields.tsx';
import { HeaderFields } from './header-fields.tsx';

const NAMES = {
  settings: 'Settings',
  health: 'Health',
  test: 'Test request',
  'reporting-token': 'Reporting token',
} as const;

/** Where and how a demand partner is asked for bids, how it does, and what tries it. */
export function BidderPage() {
  const { demandPartnerId = '' } = useParams({ strict: false });
  const [{ tab = 'settings' }, change] = useSearchOf(readBidderSearch);
  const path = `/api/demand-partners/${demandPartnerId}` as const;
  const asked = useAsk(`${path}/bidder/`);
  const bidder = asked.data?.body ?? null;
  return (
    <>
      <PageHeader
        title="Bidder"
        description="Where bid requests go, what they contain, bidder health, and test requests."
      />
      <StopControls path={path} bidder={bidder} />
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(value) =>
          change({ tab: BIDDER_TABS.find((each) => each === value) }, { isStep: true })
        }
      >
        <Tabs.List mb="lg" aria-label="Parts of the bidder">
          {BIDDER_TABS.map((each) => (
            <Tabs.Tab key={each} value={each}>
              {NAMES[each]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {/* What was typed stays while another tab is looked at. */}
        <Tabs.Panel value="settings" keepMounted>
          <Settings asked={asked} path={path} />
        </Tabs.Panel>
        <Tabs.Panel value="health">
          <HealthPanel path={path} />
        </Tabs.Panel>
        <Tabs.Panel value="test">
          <TestRequestPanel path={path} />
        </Tabs.Panel>
        <Tabs.Panel value="reporting-token">
          <ReportingToken path={`${path}/reporting-token/`} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

interface SettingsProps {
  readonly asked: Asked<ShownBidder>;
  readonly path: string;
}

/** The form, also for a partner whose bidder is not set up: the first change makes it. */
function Settings({ asked, path }: SettingsProps) {
  const { data, error, isFetching } = asked;
  if (data !== undefined) {
    return <BidderForm path={path} bidder={data.body} etag={data.etag} />;
  }
  if (error !== null && error.status === 404) {
    return <BidderForm path={path} bidder={null} etag={null} />;
  }
  if (error !== null && !isFetching) {
    return <Failure problem={error} onRetry={() => void asked.refetch()} />;
  }
  return (
    <div aria-busy="true" aria-label="Loading">
      <Lines count={14} />
    </div>
  );
}

interface BidderFormProps {
  /** Of the demand partner: `/api/demand-partners/1001`. */
  readonly path: string;
  /** Null before there is one: the first change makes it. */
  readonly bidder: ShownBidder | null;
  readonly etag: string | null;
}

/** The settings of a bidder. */
function BidderForm({ path, bidder, etag }: BidderFormProps) {
  const edit = useEditOf<ShownBidder, BidderDraft>(
    { draftOf, bodyOf },
    {
      start: draftOf(bidder),
      etag,
      path: `${path}/bidder/`,
      method: 'PATCH',
      onSaved: () => tell('The bidder is saved. Bid requests go by it within seconds.'),
    },
  );
  return (
    <EditForm
      edit={edit}
      label="Settings of the bidder"

      changedAt={bidder?.updated_at}
    >
      {bidder === null && (
        <Alert color="lagoon" title="No bidder yet">
          Set the endpoint that bid requests are to be sent to; everything else has a default. Then
          send it a test request.
        </Alert>
      )}
      <BidderFields group={ENDPOINT} edit={edit} />
      <HeaderFields edit={edit} />
      {REST.map((group) => (
        <BidderFields key={group.title} group={group} edit={edit} />
      ))}
    </EditForm>
  );
}
