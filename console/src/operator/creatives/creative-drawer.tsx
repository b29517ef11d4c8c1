import { Button, Drawer, Group, Stack, Table, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useAsk } from '../../api/use-ask.ts';
import { CodeBlock, Id } from '../../parts/copyable.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { EntityName } from '../../parts/entity-name.tsx';
import { formatBytes, formatCount } from '../../parts/format.ts';
import { Lines, Loaded } from '../../parts/loaded.tsx';
import { useNames } from '../../parts/use-names.ts';
import { UtcTime } from '../../parts/utc-time.tsx';
import type { ShownCreative } from '../../../../src/management/creatives/schema.ts';
import { Facts } from '../status/facts.tsx';
import { formatOf, VerdictBadge } from './creative-columns.tsx';
import { ReviewDialog } from './review-dialog.tsx';

interface CreativeDrawerProps {
  readonly partnerId: number;
  readonly crid: string;
  readonly onClose: () => void;
}

/** One creative: its markup as text, where it was shown, and what is decided about it. */
export function CreativeDrawer({ partnerId, crid, onClose }: CreativeDrawerProps) {
  const found = useAsk('/api/creatives/', {
    demand_partner: partnerId,
    crid,
    markup: true,
  });
  return (
    <Drawer opened onClose={onClose} position="right" size="xl" title="Creative">
      <Loaded asked={found} skeleton={<Lines count={10} />}>
        {([creative]) =>
          creative === undefined ? (
            <EmptyState title="This creative was not seen">
              It may be older than 90 days, or its id is another one.
            </EmptyState>
          ) : (
            <OneCreative creative={creative} />
          )
        }
      </Loaded>
    </Drawer>
  );
}

function OneCreative({ creative }: { readonly creative: ShownCreative }) {
  const [verdict, setVerdict] = useState<'approved' | 'blocked' | null>(null);
  const { demand_partner_id: partner, crid, adomain, wins, pending } = creative;
  const { markup, markup_bytes: bytes } = creative;
  const { nameOf } = useNames('demand-partners');
  return (
    <Stack gap="lg">
      <Facts
        facts={[
          { label: 'Creative id', value: <Id value={crid} what="the creative’s id" /> },
          {
            label: 'Demand partner',
            value: (
              <EntityName
                name={nameOf(partner)}
                id={partner}
                href={`/operator/demand-partners/${partner}`}
              />
            ),
          },
          { label: 'Advertiser', value: adomain.length === 0 ? 'not said' : adomain.join(', ') },
          { label: 'Format', value: formatOf(creative) },
          { label: 'Wins', value: formatCount(wins) },
          { label: 'Bids lost waiting', value: formatCount(pending) },
          { label: 'First seen', value: <UtcTime at={creative.first_seen_at} /> },
          { label: 'Last seen', value: <UtcTime at={creative.last_seen_at} /> },
        ]}
      />
      <Group>
        <Button color="teal" variant="light" onClick={() => setVerdict('approved')}>
          Approve
        </Button>
        <Button color="red" variant="light" onClick={() => setVerdict('blocked')}>
          Block
        </Button>
      </Group>
      <Places creative={creative} />
      <section>
        <Title order={3} mb={4}>
          Markup, {formatBytes(bytes)}
        </Title>
        {markup === '' ? (
          <Text size="sm" c="dimmed">
            No sample of it was kept.
          </Text>
        ) : (
          <div className="wrapped-code">
            <CodeBlock value={markup} what="the markup, as text" maxHeight={420} />
          </div>
        )}
      </section>
      {verdict !== null && (
        <ReviewDialog creative={creative} verdict={verdict} onClose={() => setVerdict(null)} />
      )}
    </Stack>
  );
}

function Places({ creative: { places } }: { readonly creative: ShownCreative }) {
  const { nameOf } = useNames('publishers');
  return (
    <section>
      <Title order={3} mb={4}>
        Where it was seen
      </Title>
      <Table.ScrollContainer minWidth={460} type="native">
        <Table aria-label="Where it was seen" fz="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Publisher</Table.Th>
              <Table.Th className="numeric">Wins</Table.Th>
              <Table.Th>May be shown</Table.Th>
              <Table.Th>Who says so</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {places.map(({ publisher_id: id, wins, verdict, by, domain, reason }) => (
              <Table.Tr key={id}>
                <Table.Td>
                  <EntityName name={nameOf(id)} id={id} href={`/operator/publishers/${id}`} />
                </Table.Td>
                <Table.Td className="numeric">{formatCount(wins)}</Table.Td>
                <Table.Td>
                  <VerdictBadge verdict={verdict} />
                </Table.Td>
                <Table.Td className="break-anywhere">
                  {by}
                  {domain !== '' && `, about ${domain}`}
                  {reason !== '' && `: ${reason}`}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </section>
  );
}
