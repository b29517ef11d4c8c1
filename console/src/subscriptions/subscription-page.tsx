import { Button, Paper, SimpleGrid, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type {
  ShownRecipient,
  ShownWebhook,
  WebhookSecret,
} from '../../../src/management/subscriptions/schema.ts';
import { call } from '../api/client.ts';
import type { ApiProblem } from '../api/problem.ts';
import { useAsk } from '../api/use-ask.ts';
import { useChange } from '../api/use-change.ts';
import { Confirm } from '../parts/confirm.tsx';
import { Fact } from '../parts/fact.tsx';
import { Lines, Loaded } from '../parts/loaded.tsx';
import { tell, tellProblem } from '../parts/notices.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { RollSecret } from '../parts/roll-secret.tsx';
import { ShownOnce } from '../parts/shown-once.tsx';
import { StatusBadge } from '../parts/status/status-badge.tsx';
import { UtcTime } from '../parts/utc-time.tsx';
import { DeliveryPanel } from './delivery-panel.tsx';
import { EMAIL_RECIPIENTS, WEBHOOKS, type ChannelWords } from './channels.ts';
import { EVENT_NAMES } from './event-names.ts';
import { SubscriptionForm } from './subscription-form.tsx';

type Dialog = 'edit' | 'roll' | 'delete';

export function WebhookPage() {
  return <SubscriptionPage words={WEBHOOKS} />;
}

export function EmailRecipientPage() {
  return <SubscriptionPage words={EMAIL_RECIPIENTS} />;
}

/** One webhook or recipient: where it leads, what it is told, and what was sent to it. */
function SubscriptionPage({ words }: { readonly words: ChannelWords }) {
  const { subscriptionId = '' } = useParams({ strict: false });
  const path = `${words.api}${encodeURIComponent(subscriptionId)}/` as const;
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const asked = useAsk(path);
  const subscription = asked.data?.body;
  return (
    <>
      <PageHeader
        title={subscription?.name ?? words.title}
        above={[{ label: words.title, href: words.page }]}
        actions={subscription !== undefined && <Actions {...{ words, path }} onOpen={setDialog} />}
      />
      <Loaded asked={asked} skeleton={<Lines count={10} />}>
        {(shown) => (
          <Stack gap="lg">
            <Facts subscription={shown} />
            <DeliveryPanel path={path} />
          </Stack>
        )}
      </Loaded>
      {subscription !== undefined && (
        <Dialogs
          {...{ words, subscription, path, dialog }}
          etag={asked.data?.etag ?? null}
          onClose={() => setDialog(null)}
        />
      )}
    </>
  );
}

interface ActionsProps {
  readonly words: ChannelWords;
  readonly path: string;
  readonly onOpen: (dialog: Dialog) => void;
}

function Actions({ words, path, onOpen }: ActionsProps) {
  const testing = useChange(() => tell('A test is on its way; see the deliveries.'));
  return (
    <>
      <Button variant="default" c="var(--mantine-color-error)" onClick={() => onOpen('delete')}>
        Delete
      </Button>
      {words.channel === 'webhook' && (
        <Button variant="default" onClick={() => onOpen('roll')}>
          Roll the secret
        </Button>
      )}
      <Button variant="default" onClick={() => onOpen('edit')}>
        Edit
      </Button>
      <Button
        loading={testing.isPending}
        onClick={() =>
          testing.mutate({ method: 'POST', path: `${path}test/` }, { onError: tellProblem })
        }
      >
        Send a test
      </Button>
    </>
  );
}

function Facts({ subscription }: { readonly subscription: ShownRecipient | ShownWebhook }) {
  const { address, status, events } = subscription;
  return (
    <Paper p="md">
      <SimpleGrid component="dl" cols={{ base: 1, xs: 2 }} m={0}>
        <Fact term="Address">
          <span style={{ overflowWrap: 'anywhere' }}>{address}</span>
        </Fact>
        <Fact term="Status">
          <StatusBadge status={status} />
        </Fact>
        <Fact term="Events">
          {events.map((type) => (
            <div key={type}>{EVENT_NAMES[type]}</div>
          ))}
        </Fact>
        {'previous_secret' in subscription && subscription.previous_secret !== null && (
          <Fact term="Former secret">
            good until <UtcTime at={subscription.previous_secret.expires_at} />
          </Fact>
        )}
      </SimpleGrid>
    </Paper>
  );
}

interface DialogsProps {
  readonly words: ChannelWords;
  readonly subscription: ShownRecipient;
  readonly etag: string | null;
  readonly path: string;
  readonly dialog: Dialog | null;
  readonly onClose: () => void;
}

function Dialogs({ words, subscription, etag, path, dialog, onClose }: DialogsProps) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const rolling = useChange<WebhookSecret>(onClose);
  // The page is left before anything is asked for anew: what it shows is not there any more.
  const deleting = useMutation<unknown, ApiProblem>({
    mutationFn: () => call({ method: 'DELETE', path }),
    onSuccess: async () => {
      tell(`${subscription.name} is deleted.`);
      await navigate({ to: words.page });
      await queries.invalidateQueries({ queryKey: [words.api] });
    },
  });
  return (
    <>
      {dialog === 'edit' && (
        <SubscriptionForm<ShownRecipient>
          title={`Edit the ${words.noun}`}
          action="Save"
          {...{ words, subscription }}
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
          onRoll={(seconds) => {
            const body = { grace_seconds: seconds };
            rolling.mutate({ method: 'POST', path: `${path}secret/`, body });
          }}
          onClose={onClose}
        >
          A new secret is made and shown once. As long as the present one stays good, deliveries are
          signed with both.
        </RollSecret>
      )}
      {dialog === 'delete' && (
        <Confirm
          title={`Delete the ${words.noun}`}
          typed={subscription.name}
          action={`Delete the ${words.noun}`}
          isPending={deleting.isPending}
          problem={deleting.error}
          onConfirm={() => deleting.mutate()}
          onClose={onClose}
        >
          What waits to be sent to it goes with it. This cannot be undone.
        </Confirm>
      )}
      {rolling.data !== undefined && (
        <ShownOnce
          title="The secret of the webhook"
          values={[{ label: 'secret', value: rolling.data.body.secret }]}
          onClose={() => rolling.reset()}
        />
      )}
    </>
  );
}
