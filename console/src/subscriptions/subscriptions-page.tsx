import { Anchor, Button, Paper, Table } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import type {
  ShownRecipient,
  WebhookSecret,
} from '../../../src/management/subscriptions/schema.ts';
import { useAsk } from '../api/use-ask.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { Loaded, TableSkeleton } from '../parts/loaded.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { ShownOnce } from '../parts/shown-once.tsx';
import { StatusBadge } from '../parts/status/status-badge.tsx';
import { UtcTime } from '../parts/utc-time.tsx';
import { EMAIL_RECIPIENTS, WEBHOOKS, type ChannelWords } from './channels.ts';
import { SubscriptionForm } from './subscription-form.tsx';

export function WebhooksPage() {
  return <SubscriptionsPage words={WEBHOOKS} />;
}

export function EmailRecipientsPage() {
  return <SubscriptionsPage words={EMAIL_RECIPIENTS} />;
}

/** Who of an account is told by one channel. */
function SubscriptionsPage({ words }: { readonly words: ChannelWords }) {
  const [isMaking, setMaking] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const asked = useAsk(words.api);
  const create = (
    <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setMaking(true)}>
      Create {words.one}
    </Button>
  );
  return (
    <>
      <PageHeader title={words.title} description={words.description} actions={create} />
      <Paper p="xs">
        <Loaded asked={asked} skeleton={<TableSkeleton rows={4} />}>
          {(subscriptions) =>
            subscriptions.length === 0 ? (
              <EmptyState title={`No ${words.noun}s yet`}>{words.empty}</EmptyState>
            ) : (
              <SubscriptionTable words={words} subscriptions={subscriptions} />
            )
          }
        </Loaded>
      </Paper>
      {isMaking && (
        <SubscriptionForm<ShownRecipient | WebhookSecret>
          title={`Create ${words.one}`}
          action="Create"
          words={words}
          subscription={null}
          call={{ method: 'POST', path: words.api }}
          onDone={(answer) => {
            setMaking(false);
            if ('secret' in answer) setSecret(answer.secret);
          }}
          onClose={() => setMaking(false)}
        />
      )}
      {secret !== null && (
        <ShownOnce
          title="The secret of the webhook"
          values={[{ label: 'secret', value: secret }]}
          onClose={() => setSecret(null)}
        />
      )}
    </>
  );
}

interface SubscriptionTableProps {
  readonly words: ChannelWords;
  readonly subscriptions: readonly ShownRecipient[];
}

function SubscriptionTable({ words, subscriptions }: SubscriptionTableProps) {
  return (
    <Table.ScrollContainer minWidth={680} type="native">
      <Table aria-label={words.title} verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th>Address</Table.Th>
            <Table.Th>Status</Table.Th>
            <Table.Th>Created</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {subscriptions.map(({ id, name, address, status, created_at }) => (
            <Table.Tr key={id}>
              <Table.Td maw={320} style={{ overflowWrap: 'anywhere' }}>
                <Anchor
                  size="sm"
                  fw={600}
                  renderRoot={(props) => <Link to={`${words.page}/${id}`} {...props} />}
                >
                  <bdi>{name}</bdi>
                </Anchor>
              </Table.Td>
              <Table.Td maw={360} style={{ overflowWrap: 'anywhere' }}>
                {address}
              </Table.Td>
              <Table.Td>
                <StatusBadge status={status} />
              </Table.Td>
              <Table.Td>
                <UtcTime at={created_at} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
