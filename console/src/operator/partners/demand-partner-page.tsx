import { Button, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { useAsk, type Asked } from '../../api/use-ask.ts';
import { Id } from '../../parts/copyable.tsx';
import { formatDecimal, formatMs, formatShare, formatUsd } from '../../parts/format.ts';
import { Figure } from '../../parts/figure.tsx';
import { Lines, Loaded } from '../../parts/loaded.tsx';
import { tell } from '../../parts/notices.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { StatusBadge } from '../../parts/status/status-badge.tsx';
import type { ShownDemandPartner } from '../../../../src/management/demand-partners/schema.ts';
import { ChangeStatus } from '../change-status.tsx';
import { SettingsForm } from '../../parts/forms/settings-form.tsx';
import type { BidderHealth } from '../../../../src/management/bidder-health/schema.ts';
import { ReportingToken } from '../../parts/reporting-token.tsx';
import { KillSwitch, StoppedBanner } from './kill-switch.tsx';
import { partnerSettings } from './partner-settings.ts';

const REFRESH_MS = 10_000;
const ABOVE = [{ label: 'Demand partners', href: '/operator/demand-partners' }];

const GROUPS = [
  {
    title: 'Settings',
    description: 'Its bidder and line items are on its own pages, its users under Users.',
    settings: partnerSettings,
  },
];

/** What an operator sets of a demand partner. */
export function DemandPartnerPage() {
  const { demandPartnerId: id } = useParams({
    from: '/user/operator/demand-partners/$demandPartnerId',
  });
  const path = `/api/demand-partners/${encodeURIComponent(id)}/` as const;
  const partner = useAsk(path);
  const shown = partner.data?.body;
  return (
    <>
      <PageHeader
        title={shown?.name ?? `Demand partner ${id}`}
        above={ABOVE}
        beside={
          shown !== undefined && (
            <>
              <StatusBadge status={shown.status} />
              <Id value={shown.id} what="the demand partner’s id" />
            </>
          )
        }
        actions={shown !== undefined && <Actions partner={shown} path={path} />}
      />
      <Loaded asked={partner} skeleton={<Lines count={8} />}>
        {(body, { etag }) => (
          <Stack gap="md">
            <StoppedBanner stopped={body.stopped} />
            <Health id={id} />
            <SettingsForm
              key={id}
              groups={GROUPS}
              path={path}
              method="PATCH"
              resource={body}
              etag={etag}
              onSaved={() => tell('Saved.')}
            />
            <ReportingToken path={`${path}reporting-token/`} />
          </Stack>
        )}
      </Loaded>
    </>
  );
}

function Actions({
  partner,
  path,
}: {
  readonly partner: ShownDemandPartner;
  readonly path: string;
}) {
  const health = useHealth(String(partner.id));
  return (
    <>
      <ChangeStatus
        noun="demand partner"
        name={partner.name}
        path={path}
        status={partner.status}
        archiving="It is no longer called, and its users cannot sign in. What it bought stays in reports and statements."
      />
      {health.data !== undefined && health.data.body.state !== 'not_set_up' && (
        <KillSwitch partner={partner} />
      )}
      <Button renderRoot={(props) => <Link to={`/demand-partners/${partner.id}`} {...props} />}>
        Open its pages
      </Button>
    </>
  );
}

/** How its bidder has done in the last five minutes. */
function Health({ id }: { readonly id: string }) {
  const health = useHealth(id);
  const body = health.data?.body;
  // The settings below are what the page is for: they do not wait for figures.
  if (body === undefined) return null;
  return (
    <Paper p="lg">
      <Group gap="sm">
        <Title order={2}>Bidder, last 5 minutes</Title>
        <StatusBadge status={body.state} />
      </Group>
      <Text size="sm" mt={4} className="break-anywhere">
        {body.sentence} {body.action}
      </Text>
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} mt="md" spacing="sm">
        <Figure label="Bid requests" value={`${formatDecimal(body.qps)} /s`} />
        <Figure label="Bid rate" value={formatShare(body.responses, body.bid_requests)} />
        <Figure label="Timeouts" value={formatShare(body.timeouts, body.bid_requests)} />
        <Figure label="Latency p95" value={formatMs(body.latency_ms_p95)} />
        <Figure label="Spend" value={formatUsd(body.spend)} />
      </SimpleGrid>
    </Paper>
  );
}

/** A partner without a bidder has nothing to stop. */
function useHealth(id: string): Asked<BidderHealth> {
  const path = `/api/demand-partners/${encodeURIComponent(id)}/health/` as const;
  return useAsk(path, {}, { everyMs: REFRESH_MS });
}
