import { Anchor, Badge, Group, Stack, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { CopyIcon } from '../parts/copyable.tsx';
import { formatAlike, formatCpm, formatTime, NOTHING } from '../parts/format.ts';
import type { ListedAuction } from '../../../src/management/auctions/list-schema.ts';
import { nameOf } from './names.ts';
import { byOutcome, lookOf, OutcomeBadge } from './outcome.tsx';

interface AuctionTableProps {
  readonly auctions: readonly ListedAuction[];
  /** The address below which auctions are. */
  readonly root: string;
  /** Everybody's, or one demand partner's own. */
  readonly shows: 'all' | 'own';
}

/** Auctions, one a row: when, where, who was called, and how it ended. */
export function AuctionTable({ auctions, root, shows }: AuctionTableProps) {
  const bids = auctions.flatMap((auction) => auction.bids);
  const price = formatAlike(
    formatCpm,
    bids.flatMap((bid) => [bid.bid_cpm, bid.clearing_cpm]),
  );
  return (
    <Table.ScrollContainer minWidth={820} type="native">
      <Table aria-label="Auctions" verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Time (UTC)</Table.Th>
            <Table.Th>Where</Table.Th>
            <Table.Th>{shows === 'all' ? 'Bid requests' : 'Bid request'}</Table.Th>
            <Table.Th>{shows === 'all' ? 'Winner' : 'Bid'}</Table.Th>
            <Table.Th className="numeric">Clearing price (CPM)</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {auctions.map((auction) => (
            <Table.Tr key={auction.id}>
              <Table.Td>
                <When auction={auction} root={root} />
              </Table.Td>
              <Table.Td>
                <Where auction={auction} />
              </Table.Td>
              <Table.Td>
                {shows === 'all' ? (
                  <CallCounts auction={auction} />
                ) : (
                  <OwnCalls auction={auction} />
                )}
              </Table.Td>
              <Table.Td>
                {shows === 'all' ? (
                  <Winner auction={auction} price={price} />
                ) : (
                  <OwnBid auction={auction} price={price} />
                )}
              </Table.Td>
              <Table.Td className="numeric">{clearingOf(auction, price)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

type Price = (cpm: number | null) => string;

interface CellProps {
  readonly auction: ListedAuction;
}

function When({ auction, root }: CellProps & { readonly root: string }) {
  return (
    <Group gap={4} wrap="nowrap">
      <Anchor
        size="sm"
        renderRoot={(props) => (
          <Link
            to={`${root}/${auction.id}`}
            aria-label={`Auction of ${formatTime(auction.at)} UTC, ${auction.id}`}
            {...props}
          />
        )}
        style={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }}
      >
        <time dateTime={auction.at}>{formatTime(auction.at)}</time>
      </Anchor>
      <CopyIcon value={auction.id} what={`the auction’s id, ${auction.id}`} />
      {auction.test && (
        <Badge color="orange" variant="light" autoContrast tt="none">
          test
        </Badge>
      )}
    </Group>
  );
}

function Where({ auction }: CellProps) {
  const { ad_spaces: spaces, country, os } = auction;
  const place =
    auction.property_name ??
    [auction.app_bundle, auction.app_site_domain].find((t) => t !== '') ??
    '';
  const formats = [...new Set(spaces.map((space) => space.ad_format))].filter(
    (each) => each !== '',
  );
  const details = [country ?? '', os ?? '', formats.join(', ')].filter((each) => each !== '');
  return (
    <Stack gap={0} maw={320} miw={170}>
      <Text size="sm" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
        {place === '' ? `Property ${auction.property_id}` : place}
      </Text>
      <Text size="xs" c="dimmed" lineClamp={1}>
        {details.join(' · ')}
        {spaces.length > 1 && ` · ${spaces.length} impressions`}
      </Text>
    </Stack>
  );
}

function CallCounts({ auction }: CellProps) {
  const counts = Map.groupBy(auction.calls.toSorted(byOutcome), ({ outcome }) => outcome);
  if (counts.size === 0) return <Text size="sm">nobody was called</Text>;
  return (
    <Group gap={4}>
      {[...counts].map(([outcome, calls]) => (
        <Badge key={outcome} variant="light" color={lookOf(outcome).color} autoContrast tt="none">
          {calls.length} {lookOf(outcome).words}
        </Badge>
      ))}
    </Group>
  );
}

function OwnCalls({ auction }: CellProps) {
  return (
    <Group gap={4}>
      {auction.calls.toSorted(byOutcome).map((each, place) => (
        // What an answer lists keeps its order, and has no id.
        // oxlint-disable-next-line react/no-array-index-key
        <OutcomeBadge key={place} outcome={each.outcome} note={each.reason} />
      ))}
    </Group>
  );
}

function Winner({ auction, price }: CellProps & { readonly price: Price }) {
  const winners = auction.bids.filter(({ won }) => won);
  if (winners.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {auction.bids.length === 0 ? 'no bids' : `none of ${auction.bids.length} bids`}
      </Text>
    );
  }
  return winners.map((bid, index) => (
    // What an answer lists keeps its order, and has no id.
    // oxlint-disable-next-line react/no-array-index-key
    <Text size="sm" key={index}>
      {nameOf(bid.demand_partner)} at {price(bid.bid_cpm)}
    </Text>
  ));
}

function OwnBid({ auction, price }: CellProps & { readonly price: Price }) {
  if (auction.bids.length === 0) return <Text size="sm">{NOTHING}</Text>;
  return auction.bids.map((bid, index) => (
    // What an answer lists keeps its order, and has no id.
    // oxlint-disable-next-line react/no-array-index-key
    <Text size="sm" key={index} fw={bid.won ? 600 : 400}>
      {price(bid.bid_cpm)}: {bid.won ? 'won' : bid.loss_reason_text}
    </Text>
  ));
}

function clearingOf({ bids }: ListedAuction, price: Price): string {
  const cleared = bids.filter(({ won }) => won).map(({ clearing_cpm }) => price(clearing_cpm));
  return cleared.length === 0 ? NOTHING : cleared.join(', ');
}
