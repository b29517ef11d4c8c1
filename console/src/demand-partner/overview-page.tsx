import { Alert, Anchor, Group, Skeleton, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ShownDemandPartner } from '../../../src/management/demand-partners/schema.ts';
import type { ShownLineItem } from '../../../src/management/line-items/schema.ts';
import { useAsk } from '../api/use-ask.ts';
import { Id } from '../parts/copyable.tsx';
import { addDays, today } from '../parts/days.ts';
import { Failure } from '../parts/loaded.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { StatusBadge } from '../parts/status/status-badge.tsx';
import { Checklist } from '../parts/checklist.tsx';
import { HealthStrip } from './health-strip.tsx';
import { matchedOf, sumKpis } from './kpis.ts';
import { needsOf, type Need } from './needs.ts';
import { OverviewDay } from './overview-day.tsx';
import { apiOf, lineItemsApiOf, pagesOf, usePartnerId } from './partner.ts';
import { useKpis } from './use-kpis.ts';

const LIVE_MS = 5_000;
const SETTINGS_MS = 30_000;
/** A partner without traffic for so long begins anew. */
const RECENT_DAYS = 14;

/** What a demand partner begins with: what needs action, how it goes, and where bids are lost. */
export function OverviewPage() {
  const partnerId = usePartnerId();
  const api = apiOf(partnerId);
  const partner = useAsk(`${api}/`, {}, { everyMs: SETTINGS_MS });
  const bidder = useAsk(`${api}/bidder/`, {}, { everyMs: SETTINGS_MS });
  const items = useAsk(lineItemsApiOf(partnerId), { limit: 10_000 });
  const health = useAsk(`${api}/health/`, {}, { everyMs: LIVE_MS });
  const last = today();
  const recent = useKpis(partnerId, { first: addDays(last, 1 - RECENT_DAYS), last });
  const failure = partner.error ?? items.error;
  if (failure !== null && (partner.data === undefined || items.data === undefined)) {
    return (
      <>
        <PageHeader title="Overview" />
        <Failure problem={failure} onRetry={() => void partner.refetch()} />
      </>
    );
  }
  const isKnown = bidder.data !== undefined || bidder.error !== null;
  if (partner.data === undefined || items.data === undefined || !isKnown) return <Waiting />;
  const hasBidder = bidder.error?.status !== 404;
  const lineItems = items.data.body;
  const isNew =
    recent.data !== undefined && matchedOf(sumKpis(recent.data.body)) === 0 && !recent.isFetching;
  return (
    <>
      <Head partner={partner.data.body} />
      <Needs
        partnerId={partnerId}
        needs={needsOf({
          partner: partner.data.body,
          hasBidder,
          lineItems,
          health: health.data?.body ?? null,
        })}
      />
      <HealthStrip partnerId={partnerId} asked={health} />
      {isNew ? (
        <div>
          <FirstSteps partnerId={partnerId} hasBidder={hasBidder} lineItems={lineItems} />
        </div>
      ) : (
        <OverviewDay partnerId={partnerId} lineItems={lineItems} />
      )}
    </>
  );
}

function Head({ partner: { id, name, status } }: { readonly partner: ShownDemandPartner }) {
  return (
    <PageHeader
      title={name}
      beside={
        <Group gap="xs">
          <StatusBadge status={status} />
          <Id value={id} what="the demand partner's id" />
        </Group>
      }
    />
  );
}

function Needs({
  partnerId,
  needs,
}: {
  readonly partnerId: string;
  readonly needs: readonly Need[];
}) {
  if (needs.length === 0) return null;
  return (
    <Stack gap="sm" mb="lg" component="section" aria-label="Needs action">
      {needs.map(({ title, text, page, label }) => (
        <Alert key={title} color="orange" title={title} role="status">
          <Group justify="space-between" gap="sm">
            <Text size="sm" style={{ overflowWrap: 'anywhere', flex: '1 1 240px' }}>
              {text}
            </Text>
            {page !== null && (
              <Anchor
                size="sm"
                fw={600}
                renderRoot={(root) => <Link to={`${pagesOf(partnerId)}${page}`} {...root} />}
              >
                {label}
              </Anchor>
            )}
          </Group>
        </Alert>
      ))}
    </Stack>
  );
}

function Waiting() {
  return (
    <>
      <PageHeader title="Overview" />
      <div aria-busy="true" aria-label="Loading">
        <Skeleton height={84} mb="lg" />
        <Skeleton height={110} mb="lg" />
        <Skeleton height={480} />
      </div>
    </>
  );
}

interface FirstStepsProps {
  readonly partnerId: string;
  readonly hasBidder: boolean;
  readonly lineItems: readonly ShownLineItem[];
}

/** What a demand partner without any traffic does to get some. */
function FirstSteps({ partnerId, hasBidder, lineItems }: FirstStepsProps) {
  const pages = pagesOf(partnerId);
  const isActive = lineItems.some(({ status }) => status === 'ACTIVE');
  return (
    <Checklist
      title="Start buying"
      description="No bid request has matched in the past two weeks. These steps bring the first one."
      steps={[
        {
          isDone: hasBidder,
          title: 'Set the bidder',
          to: `${pages}/bidder`,
          help: 'The address that the exchange asks for bids, its time limit and the version of OpenRTB.',
        },
        {
          isDone: null,
          title: 'Send a test request',
          to: `${pages}/bidder`,
          help: 'See what your bidder is sent, what it answers, and what is wrong with the answer. Nothing of it is billed or counted.',
        },
        {
          isDone: isActive,
          title: 'Activate a line item',
          to: `${pages}/line-items`,
          help: 'It says which traffic you take. One without targeting takes all of it.',
        },
        {
          isDone: null,
          title: 'See what your targeting meets',
          to: `${pages}/discovery`,
          help: 'How many ad requests of the past seven days a line item would have matched. If this is zero, widen the targeting.',
        },
      ]}
    />
  );
}
