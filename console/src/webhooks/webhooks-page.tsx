import { Anchor, Button, Paper, Table } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { ShownWebhook, WebhookSecret } from '../../../src/management/webhooks/schema.ts';
import { useAsk } from '../api/use-ask.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { Loaded, TableSkeleton } from '../parts/loaded.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { ShownOnce } from '../parts/shown-once.tsx';
import { StatusBadge } from '../parts/status/status-badge.tsx';
import { UtcTime } from '../parts/utc-time.tsx';
import { WebhookForm } from './webhook-form.tsx';

/** The webhooks of an account. */
export function WebhooksPage() {
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<WebhookSecret | null>(null);
  const asked = useAsk('/api/webhooks/');
  const create = (
    <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setMaking(true)}>
      Create a webhook
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Webhooks"
        description="Addresses that the exchange tells what has changed. All users of your account share them."
        actions={create}
      />
      <Paper p="xs">
        <Loaded asked={asked} skeleton={<TableSkeleton rows={4} />}>
          {(webhooks) =>
            webhooks.length === 0 ? (
              <EmptyState title="No webhooks yet" action={create}>
                Create one for each system that is to be told.
              </EmptyState>
            ) : (
              <WebhookTable webhooks={webhooks} />
            )
          }
        </Loaded>
      </Paper>
      {isMaking && (
        <WebhookForm<WebhookSecret>
          title="Create a webhook"
          action="Create"
          webhook={null}
          call={{ method: 'POST', path: '/api/webhooks/' }}
          onDone={(answer) => {
            setMaking(false);
            setMade(answer);
          }}
          onClose={() => setMaking(false)}
        />
      )}
      {made !== null && (
        <ShownOnce
          title="The secret of the webhook"
          values={[{ label: 'secret', value: made.secret }]}
          onClose={() => setMade(null)}
        />
      )}
    </>
  );
}

function WebhookTable({ webhooks }: { readonly webhooks: readonly ShownWebhook[] }) {
  return (
    <Table.ScrollContainer minWidth={680} type="native">
      <Table aria-label="Webhooks" verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th>Address</Table.Th>
            <Table.Th>Status</Table.Th>
            <Table.Th>Created</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {webhooks.map(({ id, name, url, status, created_at }) => (
            <Table.Tr key={id}>
              <Table.Td maw={320} style={{ overflowWrap: 'anywhere' }}>
                <Anchor
                  size="sm"
                  fw={600}
                  renderRoot={(props) => <Link to={`/webhooks/${id}`} {...props} />}
                >
                  <bdi>{name}</bdi>
                </Anchor>
              </Table.Td>
              <Table.Td maw={360} style={{ overflowWrap: 'anywhere' }}>
                {url}
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
