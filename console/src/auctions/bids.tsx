import { Group, Stack, Table, Text } from '@mantine/core';
import type { AuctionView, BidView } from '../../../src/management/auctions/schema.ts';
import { Id } from '../parts/copyable.tsx';
import { formatAlike, formatCpm, NOTHING } from '../parts/format.ts';
import { nameOf, namedText } from './names.ts';
import { WonBadge } from './outcome.tsx';

/** Every bid, with the one sentence that says why it won or lost. */
export function Bids({ auction }: { readonly auction: AuctionView }) {
  const { bids } = auction;
  // Bid, floor and what would have won are compared with each other.
  const price = formatAlike(
    formatCpm,
    bids.flatMap((bid) => [bid.bid_cpm, bid.floor_cpm, bid.min_to_win_cpm]),
  );
  const dropped = auction.view === 'operator' ? auction.bids_dropped : 0;
  if (bids.length === 0) return <Text size="sm">Nobody bid.</Text>;
  return (
    <>
      <Table.ScrollContainer minWidth={860} type="native">
        <Table aria-label="Bids" verticalSpacing="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th className="numeric">Bid (CPM)</Table.Th>
              <Table.Th>Why</Table.Th>
              <Table.Th>Creative</Table.Th>
              <Table.Th className="numeric">Floor</Table.Th>
              <Table.Th className="numeric">To win</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {bids.map((bid) => (
              <Row key={bid.bid} bid={bid} price={price} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {dropped > 0 && (
        <Text size="sm" c="dimmed" mt="xs">
          {dropped === 1
            ? 'One more losing bid was not recorded.'
            : `${dropped} more losing bids were not recorded.`}
        </Text>
      )}
    </>
  );
}

interface RowProps {
  readonly bid: BidView;
  readonly price: (cpm: number | null) => string;
}

function Row({ bid, price }: RowProps) {
  return (
    <Table.Tr style={{ verticalAlign: 'top' }}>
      <Table.Td className="numeric">
        <Text fw={600} size="sm">
          {price(bid.bid_cpm)}
        </Text>
      </Table.Td>
      <Table.Td>
        <Group gap="xs" mb={2}>
          <WonBadge won={bid.won} />
          <Text size="sm" fw={600} component="bdi" style={{ overflowWrap: 'anywhere' }}>
            {nameOf(bid.demand_partner)}
          </Text>
        </Group>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }} lineClamp={8}>
          {bid.sentence}
        </Text>
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {detailsOf(bid)}
        </Text>
      </Table.Td>
      <Table.Td>
        <Stack gap={0} maw={240}>
          {bid.crid !== '' && <Id value={bid.crid} what={`the creative’s id, ${bid.crid}`} />}
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }} lineClamp={3}>
            {[bid.adomain, bid.ad_format].filter((each) => each !== '').join(' · ')}
          </Text>
        </Stack>
      </Table.Td>
      <Table.Td className="numeric">{price(bid.floor_cpm)}</Table.Td>
      <Table.Td className="numeric">{price(bid.min_to_win_cpm)}</Table.Td>
    </Table.Tr>
  );
}

function detailsOf(bid: BidView): string {
  return [
    bid.imp === null ? 'of no impression that was offered' : `impression ${bid.imp + 1}`,
    bid.line_item === null ? '' : `line item ${namedText(bid.line_item)}`,
    bid.seat === '' ? '' : `seat ${bid.seat}`,
    bid.dealid === '' ? '' : `deal ${bid.dealid}`,
    bid.group === null ? '' : `group ${bid.group + 1}: wins whole or not at all`,
    `bid id ${bid.bid_id === '' ? NOTHING : bid.bid_id}`,
    bid.won ? '' : `loss reason ${bid.loss_reason}`,
  ]
    .filter((each) => each !== '')
    .join(' · ');
}
