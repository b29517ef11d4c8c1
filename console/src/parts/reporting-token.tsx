import { Anchor, Button, Group, Paper, SimpleGrid, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type {
  IssuedReportingToken,
  ShownReportingToken,
} from '../../../src/management/reporting-tokens/schema.ts';
import { useSession } from '../api/session.ts';
import { useAsk } from '../api/use-ask.ts';
import { useChange } from '../api/use-change.ts';
import { Fact } from './fact.tsx';
import { Confirm } from './confirm.tsx';
import { EmptyState } from './empty-state.tsx';
import { Failure, Lines } from './loaded.tsx';
import { tell, tellProblem } from './notices.tsx';
import { RollSecret } from './roll-secret.tsx';
import { ShownOnce } from './shown-once.tsx';
import { UtcTime } from './utc-time.tsx';

interface ReportingTokenProps {
  /** `/api/publishers/2001/reporting-token/`. */
  readonly path: `/api/${'demand-partners' | 'publishers'}/${string}/reporting-token/`;
}

/** The token that opens the daily reports: issued, rolled and revoked here. */
export function ReportingToken({ path }: ReportingTokenProps) {
  const asked = useAsk(path);
  const [dialog, setDialog] = useState<'roll' | 'revoke' | null>(null);
  const close = (): void => setDialog(null);
  const issuing = useChange<IssuedReportingToken>(close);
  const revoking = useChange(() => {
    close();
    tell('The reporting token is revoked.');
  });
  // What was asked for before a token was revoked is kept, but is true no more.
  const token = asked.error?.status === 404 ? null : asked.data?.body;
  const issue = (graceSeconds: number, onError?: typeof tellProblem): void =>
    issuing.mutate(
      { method: 'POST', path, body: { grace_seconds: graceSeconds } },
      onError === undefined ? {} : { onError },
    );
  return (
    <Paper p="lg" component="section" aria-label="Reporting token">
      <Title order={2}>Reporting token</Title>
      <Intro />
      {token === undefined && asked.error !== null && !asked.isFetching && (
        <Failure problem={asked.error} onRetry={() => void asked.refetch()} />
      )}
      {token === undefined && (asked.error === null || asked.isFetching) && (
        <div aria-busy="true" aria-label="Loading">
          <Lines count={3} />
        </div>
      )}
      {token === null && (
        <EmptyState
          title="No reporting token"
          action={
            <Button loading={issuing.isPending} onClick={() => issue(0, tellProblem)}>
              Issue a token
            </Button>
          }
        >
          Issue one for the program that reads the reports.
        </EmptyState>
      )}
      {token !== undefined && token !== null && (
        <InUse
          token={token}
          onRoll={() => setDialog('roll')}
          onRevoke={() => setDialog('revoke')}
        />
      )}
      {dialog === 'roll' && (
        <RollSecret
          title="Roll the reporting token"
          action="Roll the token"
          isPending={issuing.isPending}
          problem={issuing.error}
          onRoll={(seconds) => issue(seconds)}
          onClose={close}
        >
          A new token is made and shown once. One that is still good from before ends.
        </RollSecret>
      )}
      {dialog === 'revoke' && (
        <Confirm
          title="Revoke the reporting token"
          typed="revoke"
          action="Revoke the token"
          isPending={revoking.isPending}
          problem={revoking.error}
          onConfirm={() => revoking.mutate({ method: 'DELETE', path })}
          onClose={close}
        >
          It ends at once, and so does one before it that is still good. Programs that read reports
          with it are refused.
        </Confirm>
      )}
      {issuing.data !== undefined && (
        <Issued token={issuing.data.body.token} onClose={() => issuing.reset()} />
      )}
    </Paper>
  );
}

function Intro() {
  return (
    <Text size="sm" c="dimmed" mb="md" maw={640}>
      It opens the daily reports, and nothing else: programs send it as{' '}
      <code>account_auth_token</code>. See the{' '}
      <Anchor href="/reference/" inherit underline="always">
        reference
      </Anchor>
      .
    </Text>
  );
}

interface InUseProps {
  readonly token: ShownReportingToken;
  readonly onRoll: () => void;
  readonly onRevoke: () => void;
}

function InUse({ token, onRoll, onRevoke }: InUseProps) {
  return (
    <>
      <SimpleGrid component="dl" cols={{ base: 1, sm: 3 }} m={0} mb="md">
        <Fact term="Begins with">
          <code>{token.prefix}…</code>
        </Fact>
        <Fact term="Issued">
          <UtcTime at={token.created_at} />
        </Fact>
        <Fact term="The one before">
          {token.previous === null ? (
            'has ended'
          ) : (
            <>
              ends <UtcTime at={token.previous.expires_at} />
            </>
          )}
        </Fact>
      </SimpleGrid>
      <Group gap="xs">
        <Button variant="default" onClick={onRoll}>
          Roll the token
        </Button>
        <Button variant="default" c="var(--mantine-color-error)" onClick={onRevoke}>
          Revoke it
        </Button>
      </Group>
    </>
  );
}

function Issued({ token, onClose }: { readonly token: string; readonly onClose: () => void }) {
  const { addresses } = useSession();
  return (
    <ShownOnce
      title="The reporting token"
      values={[{ label: 'account_auth_token', value: token }]}
      onClose={onClose}
    >
      <Text size="sm">
        Reports are at <code>{addresses.reporting_url}</code>.
      </Text>
    </ShownOnce>
  );
}
