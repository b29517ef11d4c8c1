import { Drawer, Stack, Table, Text } from '@mantine/core';
import { useAsk } from '../../api/use-ask.ts';
import { Id, JsonBlock } from '../../parts/copyable.tsx';
import { formatBytes, formatCount } from '../../parts/format.ts';
import { Lines, Loaded } from '../../parts/loaded.tsx';
import { UtcTime } from '../../parts/utc-time.tsx';
import { usePublisher } from '../use-publisher.ts';
import { State } from './creative-columns.tsx';
import type { SeenHere } from './decisions.ts';

interface CreativeDrawerProps {
  readonly seen: SeenHere;
  readonly onClose: () => void;
}

/** One creative with a sample of its markup: as text, whatever it contains. */
export function CreativeDrawer({ seen, onClose }: CreativeDrawerProps) {
  const { id } = usePublisher();
  const { creative, place } = seen;
  const { demand_partner_id: partner, crid, adomain, ad_format: format, w, h } = creative;
  const asked = useAsk('/api/creatives/', {
    publisher: id,
    demand_partner: partner,
    crid,
    markup: true,
  });
  const rows = [
    ['Creative id', <Id key="crid" value={crid} what="the creative’s id" />],
    ['Advertiser', adomain.length === 0 ? 'not said' : adomain.join(', ')],
    ['Demand partner', <Id key="partner" value={partner} what="the demand partner’s id" />],
    ['Format', w > 0 && h > 0 ? `${format} ${w}x${h}` : format],
    ['Wins', formatCount(place.wins)],
    ['Bids that waited', formatCount(place.pending)],
    ['First seen', <UtcTime key="first" at={place.first_seen_at} />],
    ['Last seen', <UtcTime key="last" at={place.last_seen_at} />],
    ['State', <State key="state" place={place} />],
  ] as const;
  return (
    <Drawer opened onClose={onClose} position="right" size="lg" title="Creative">
      <Stack gap="md">
        <Table aria-label="The creative" verticalSpacing={4} layout="fixed">
          <Table.Tbody>
            {rows.map(([label, value]) => (
              <Table.Tr key={label}>
                <Table.Th scope="row" w={150}>
                  {label}
                </Table.Th>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Text fw={600}>Markup, {formatBytes(creative.markup_bytes)}</Text>
        <Text size="sm" c="dimmed">
          The beginning of what the bid had, at most 4 kB, with what it said of the person taken
          out. It is not run here.
        </Text>
        <Loaded asked={asked} skeleton={<Lines count={6} />}>
          {([found]) =>
            found === undefined || found.markup === '' ? (
              <Text size="sm">No sample was kept.</Text>
            ) : (
              <JsonBlock value={found.markup} what="the markup" maxHeight={480} />
            )
          }
        </Loaded>
      </Stack>
    </Drawer>
  );
}
