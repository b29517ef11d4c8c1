import { Paper, Table, Title } from '@mantine/core';
import type { ShownDelivery } from '../../../src/management/subscriptions/schema.ts';
import { useAsk } from '../api/use-ask.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { Loaded, TableSkeleton } from '../parts/loaded.tsx';
import { StatusBadge } from '../parts/status/status-badge.tsx';
import { UtcTime } from '../parts/utc-time.tsx';

const SHOWN = 100;
const EVERY_MS = 2_000;

interface DeliveryPanelProps {
  readonly path: `/api/webhooks/${string}/` | `/api/email-recipients/${string}/`;
}

/** The last deliveries of a webhook or a recipient, as they come. */
export function DeliveryPanel({ path }: DeliveryPanelProps) {
  const query = { limit: SHOWN };
  const asked = useAsk(`${path}deliveries/`, query, {
    everyMs: EVERY_MS,
  });
  return (
    <Paper p="md" component="section" aria-label="Deliveries">
      <Title order={2} mb="sm">
        Deliveries
      </Title>
      <Loaded asked={asked} skeleton={<TableSkeleton rows={4} />}>
        {(deliveries) =>
          deliveries.length === 0 ? (
            <EmptyState title="Nothing was sent yet">
              Send a test to see whether the address takes it.
            </EmptyState>
          ) : (
            <DeliveryTable deliveries={deliveries} />
          )
        }
      </Loaded>
    </Paper>
  );
}

function DeliveryTable({ deliveries }: { readonly deliveries: readonly ShownDelivery[] }) {
  return (
    <Table.ScrollContainer minWidth={760} type="native">
      <Table aria-label="Deliveries" verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Event</Table.Th>
            <Table.Th>At</Table.Th>
            <Table.Th>State</Table.Th>
            <Table.Th>Answer</Table.Th>
            <Table.Th className="numeric">Tries</Table.Th>
            <Table.Th>Next try</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {deliveries.map((each) => (
            <Table.Tr key={each.id}>
              <Table.Td>
                <code title={each.body}>{each.type}</code>
              </Table.Td>
              <Table.Td>
                <UtcTime at={each.created_at} />
              </Table.Td>
              <Table.Td>
                <StatusBadge status={each.state} />
              </Table.Td>
              <Table.Td>{each.answer_status ?? each.failure ?? 'none yet'}</Table.Td>
              <Table.Td className="numeric">{each.tries}</Table.Td>
              <Table.Td>
                {each.next_try_at === null ? 'none' : <UtcTime at={each.next_try_at} />}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
