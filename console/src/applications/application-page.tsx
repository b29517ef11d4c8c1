import { Button, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type {
  ApplicationSecret,
  ShownApplication,
} from '../../../src/management/applications/schema.ts';
import { call } from '../api/client.ts';
import type { ApiProblem } from '../api/problem.ts';
import { useSession } from '../api/session.ts';
import { useAsk } from '../api/use-ask.ts';
import { useChange } from '../api/use-change.ts';
import { Fact } from '../parts/fact.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { CodeBlock, Id } from '../parts/copyable.tsx';
import { Lines, Loaded } from '../parts/loaded.tsx';
import { tell } from '../parts/notices.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { RollSecret } from '../parts/roll-secret.tsx';
import { UtcTime } from '../parts/utc-time.tsx';
import { ApplicationSecretOnce } from './application-secret.tsx';
import { firstCallCommand, tokenCommand } from './commands.ts';
import { NameForm } from './name-form.tsx';
import { TokenPanel } from './token-panel.tsx';

type Dialog = 'rename' | 'roll' | 'delete';
const ROOT = '/v2/auth/applications/';

/** One application: its secret, its tokens, and the commands that use them. */
export function ApplicationPage() {
  const { clientId = '' } = useParams({ strict: false });
  const { user } = useSession();
  const path = `/api/applications/${encodeURIComponent(clientId)}/` as const;
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const asked = useAsk(path);
  const application = asked.data?.body;
  const isOwn = application !== undefined && application.user_id === user.id;
  return (
    <>
      <PageHeader
        title={application?.name ?? 'Application'}
        above={[{ label: 'Applications', href: ROOT }]}
        beside={<Id value={clientId} what="the client id" />}
        actions={application !== undefined && <Actions isOwn={isOwn} onOpen={setDialog} />}
      />
      <Loaded asked={asked} skeleton={<Lines count={10} />}>
        {(shown) => (
          <Stack gap="lg">
            <Facts application={shown} isOwn={isOwn} />
            <TokenPanel path={path} isOwn={isOwn} />
            <Commands clientId={clientId} />
          </Stack>
        )}
      </Loaded>
      {application !== undefined && (
        <Dialogs
          {...{ application, path, dialog }}
          etag={asked.data?.etag ?? null}
          onClose={() => setDialog(null)}
        />
      )}
    </>
  );
}

interface ActionsProps {
  readonly isOwn: boolean;
  readonly onOpen: (dialog: Dialog) => void;
}

function Actions({ isOwn, onOpen }: ActionsProps) {
  return (
    <>
      <Button variant="default" c="var(--mantine-color-error)" onClick={() => onOpen('delete')}>
        Delete
      </Button>
      <Button variant="default" onClick={() => onOpen('rename')}>
        Rename
      </Button>
      {/* The secret of another's is nothing for an operator to know. */}
      {isOwn && <Button onClick={() => onOpen('roll')}>Roll the secret</Button>}
    </>
  );
}

function Facts(props: { readonly application: ShownApplication; readonly isOwn: boolean }) {
  const { application, isOwn } = props;
  const { previous_secret: previous } = application;
  return (
    <Paper p="md">
      <SimpleGrid component="dl" cols={{ base: 1, xs: 2, md: 4 }} m={0}>
        <Fact term="Client id">
          <Id value={application.client_id} what="the client id" />
        </Fact>
        <Fact term="Of the user">
          {isOwn ? 'you' : <Id value={application.user_id} what="the user’s id" />}
        </Fact>
        <Fact term="Registered">
          <UtcTime at={application.created_at} />
        </Fact>
        <Fact term="Former secret">
          {previous === null ? (
            'none holds'
          ) : (
            <>
              ends <UtcTime at={previous.expires_at} />
            </>
          )}
        </Fact>
      </SimpleGrid>
    </Paper>
  );
}

interface DialogsProps {
  readonly application: ShownApplication;
  readonly etag: string | null;
  readonly path: string;
  readonly dialog: Dialog | null;
  readonly onClose: () => void;
}

function Dialogs({ application, etag, path, dialog, onClose }: DialogsProps) {
  const navigate = useNavigate();
  const rolling = useChange<ApplicationSecret>(onClose);
  const queries = useQueryClient();
  // The page is left before anything is asked for anew: what it shows is not there any more.
  const deleting = useMutation<unknown, ApiProblem>({
    mutationFn: () => call({ method: 'DELETE', path }),
    onSuccess: async () => {
      tell(`${application.name} is deleted.`);
      await navigate({ to: '/v2/auth/applications' });
      await queries.invalidateQueries({ queryKey: ['/api/applications/'] });
    },
  });
  return (
    <>
      {dialog === 'rename' && (
        <NameForm
          title="Rename the application"
          action="Rename"
          name={application.name}
          call={{ method: 'PATCH', path, ifMatch: etag }}
          onDone={onClose}
          onClose={onClose}
        />
      )}
      {dialog === 'roll' && (
        <RollSecret
          title="Roll the secret"
          action="Roll the secret"
          isPending={rolling.isPending}
          problem={rolling.error}
          onRoll={(seconds) =>
            rolling.mutate({
              method: 'POST',
              path: `${path}secret/`,
              body: { grace_seconds: seconds },
            })
          }
          onClose={onClose}
        >
          A new secret is made and shown once. Access tokens stay good for what is left of their
          hour; revoke them below where the secret has leaked.
        </RollSecret>
      )}
      {dialog === 'delete' && (
        <Confirm
          title="Delete the application"
          typed={application.name}
          action="Delete the application"
          isPending={deleting.isPending}
          problem={deleting.error}
          onConfirm={() => deleting.mutate()}
          onClose={onClose}
        >
          Its secret and its access tokens end at once, and programs that use them are refused. This
          cannot be undone.
        </Confirm>
      )}
      {rolling.data !== undefined && (
        <ApplicationSecretOnce application={rolling.data.body} onClose={() => rolling.reset()} />
      )}
    </>
  );
}

function Commands({ clientId }: { readonly clientId: string }) {
  const { addresses } = useSession();
  return (
    <Paper p="md" component="section" aria-label="First call">
      <Title order={2} mb="sm">
        First call
      </Title>
      <Stack gap="md">
        <div>
          <Group justify="space-between">
            <Text size="sm" mb={4}>
              Get an access token, with the secret in <code>$CLIENT_SECRET</code>. It is good for an
              hour.
            </Text>
          </Group>
          <CodeBlock
            value={tokenCommand(addresses.auth_url, clientId)}
            what="Command that gets an access token"
          />
        </div>
        <div>
          <Text size="sm" mb={4}>
            Ask who you are, with its <code>access_token</code> in <code>$TOKEN</code>.
          </Text>
          <CodeBlock value={firstCallCommand(addresses.base_url)} what="First call of the API" />
        </div>
      </Stack>
    </Paper>
  );
}
