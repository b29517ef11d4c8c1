import { Alert, Anchor, List, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ShownAdsTxt } from '../../../src/management/publishers/schema.ts';
import { useAsk } from '../api/use-ask.ts';
import { roleOf, useSession } from '../api/session.ts';
import { CodeBlock } from '../parts/copyable.tsx';
import { Failure, Lines } from '../parts/loaded.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { Section } from '../parts/forms/section.tsx';
import { useProperties, type Property } from './properties/use-properties.ts';
import { usePublisher } from './use-publisher.ts';

/** The lines by which buyers know that the exchange sells for this publisher. */
export function AdsTxtPage() {
  const { api } = usePublisher();
  const lines = useAsk(`${api}/ads-txt/`);
  const { all = [] } = useProperties();
  return (
    <>
      <PageHeader
        title="ads.txt"
        description="Buyers look into ads.txt to see who may sell your ad spaces. Many do not bid on a seller that is not in it."
      />
      {lines.data === undefined && lines.error === null && (
        <div aria-busy="true" aria-label="Loading">
          <Lines />
        </div>
      )}
      {lines.data === undefined && lines.error !== null && (
        <>
          {lines.error.code === 'no_sellers' ? (
            <NoDomain />
          ) : (
            <Failure problem={lines.error} onRetry={() => void lines.refetch()} />
          )}
        </>
      )}
      {lines.data !== undefined && <Files lines={lines.data.body} properties={all} />}
    </>
  );
}

function NoDomain() {
  const isOperator = roleOf(useSession()) === 'operator';
  return (
    <Alert color="orange" role="status" title="The exchange has no domain yet">
      <Text size="sm">
        Lines of ads.txt name the exchange by its domain.{' '}
        {isOperator ? (
          <>
            Set it under{' '}
            <Anchor component={Link} to="/operator/exchange" inherit underline="always">
              Settings
            </Anchor>
            .
          </>
        ) : (
          'Ask the operator of the exchange to set it; the lines are here then.'
        )}
      </Text>
    </Alert>
  );
}

interface FilesProps {
  readonly lines: ShownAdsTxt;
  readonly properties: readonly Property[];
}

function Files({ lines, properties }: FilesProps) {
  const inUse = properties.filter(({ status }) => status !== 'ARCHIVED');
  const sites = inUse.filter(({ type }) => type === 'site').map(({ place }) => place);
  const hasApps = inUse.some(({ type }) => type === 'app');
  return (
    <Stack gap="lg">
      <Section
        title="ads.txt, for sites"
        description="Add these lines to ads.txt at the root of each site’s domain. Lines of others stay as they are."
      >
        <CodeBlock value={lines.ads_txt.join('\n')} what="the lines for ads.txt" />
        {sites.length > 0 && (
          <List size="sm">
            {[...new Set(sites)].map((domain) => (
              <List.Item key={domain} style={{ overflowWrap: 'anywhere' }}>
                https://{domain}/ads.txt
              </List.Item>
            ))}
          </List>
        )}
      </Section>
      <Section
        title="app-ads.txt, for apps"
        description="Add these lines to app-ads.txt at the domain that the app stores name as the developer’s site."
      >
        <CodeBlock value={lines.app_ads_txt.join('\n')} what="the lines for app-ads.txt" />
        {!hasApps && (
          <Text size="sm" c="dimmed">
            Needed as soon as you have an app.
          </Text>
        )}
      </Section>
      <Section title="Then">
        <List size="sm" spacing={4}>
          <List.Item>
            Open the file in a browser: it has to be plain text, answered with status 200 over
            HTTPS.
          </List.Item>
          <List.Item>
            Buyers read it about once a day, and hold it against the exchange’s sellers.json.
          </List.Item>
        </List>
      </Section>
    </Stack>
  );
}
