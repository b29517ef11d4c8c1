import { Button, Stack } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { useAsk } from '../../api/use-ask.ts';
import { Id } from '../../parts/copyable.tsx';
import { Lines, Loaded } from '../../parts/loaded.tsx';
import { tell } from '../../parts/notices.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { StatusBadge } from '../../parts/status/status-badge.tsx';
import { ChangeStatus } from '../change-status.tsx';
import { SettingsForm } from '../../parts/forms/settings-form.tsx';
import { ReportingToken } from '../../parts/reporting-token.tsx';
import { publisherSettings } from './publisher-settings.ts';

const ABOVE = [{ label: 'Publishers', href: '/operator/publishers' }];

/** What an operator sets of a publisher. */
export function PublisherPage() {
  const { publisherId: id } = useParams({ from: '/user/operator/publishers/$publisherId' });
  const path = `/api/publishers/${encodeURIComponent(id)}/` as const;
  const publisher = useAsk(path);
  const shown = publisher.data?.body;
  return (
    <>
      <PageHeader
        title={shown?.name ?? `Publisher ${id}`}
        above={ABOVE}
        beside={
          shown !== undefined && (
            <>
              <StatusBadge status={shown.status} />
              <Id value={shown.id} what="the publisher’s id" />
            </>
          )
        }
        actions={
          shown !== undefined && (
            <>
              <ChangeStatus
                noun="publisher"
                name={shown.name}
                path={path}
                status={shown.status}
                archiving="Its ad spaces are no longer sold, and its users cannot sign in. What it sold stays in reports and statements."
              />
              <Button renderRoot={(props) => <Link to={`/publishers/${shown.id}`} {...props} />}>
                Open its pages
              </Button>
            </>
          )
        }
      />
      <Loaded asked={publisher} skeleton={<Lines count={12} />}>
        {(body, { etag }) => (
          <Stack gap="md">
            <SettingsForm
              key={id}
              groups={publisherSettings}
              hasBlocking
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
