import { Anchor, Group, Paper, Stack, Table, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { CodedText } from '../parts/coded-text.tsx';
import { formatAlike, formatCount, formatCpm, formatPart } from '../parts/format.ts';
import type { Losses } from '../../../src/management/losses/schema.ts';

type Loss = Losses['losses'][number];

interface LossTableProps {
  readonly losses: readonly Loss[];
  /** The address of the demand partner's pages. */
  readonly root: string;
}

/** Each reason with what to do about it, and where to look for an example. */
export function LossTable({ losses, root }: LossTableProps) {
  const write = {
    share: formatAlike(formatPart, []),
    bid: formatAlike(
      formatCpm,
      losses.map((loss) => loss.bid_cpm_avg),
    ),
    shortfall: formatAlike(
      formatCpm,
      losses.map((loss) => loss.shortfall_cpm_avg),
    ),
  };
  return (
    <Paper p="md" component="section" aria-label="What to do">
      <Title order={2} mb="sm">
        What to do
      </Title>
      <Table.ScrollContainer minWidth={880} type="native">
        <Table aria-label="Lost bids by reason, with what to do" verticalSpacing="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Reason</Table.Th>
              <Table.Th className="numeric">Bids</Table.Th>
              <Table.Th className="numeric">Share</Table.Th>
              <Table.Th className="numeric">Average bid</Table.Th>
              <Table.Th className="numeric">Average shortfall</Table.Th>
              <Table.Th>Look at</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {losses.map((loss) => (
              <Row key={loss.loss_reason} loss={loss} root={root} write={write} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Text size="xs" c="dimmed" mt="xs">
        Prices are US dollars CPM. The shortfall is how much more would have won; it is known of
        bids below a floor and of those that a higher bid beat.
      </Text>
    </Paper>
  );
}

interface RowProps {
  readonly loss: Loss;
  readonly root: string;
  readonly write: Readonly<Record<'share' | 'bid' | 'shortfall', (value: number | null) => string>>;
}

function Row({ loss, root, write }: RowProps) {
  return (
    <Table.Tr style={{ verticalAlign: 'top' }}>
      <Table.Td miw={300}>
        <Text size="sm" fw={600}>
          {loss.meaning}{' '}
          <Text span size="xs" c="dimmed" fw={400}>
            {loss.loss_reason}
          </Text>
        </Text>
        <Text size="sm" component="div">
          <CodedText text={loss.action} />
        </Text>
        <Creatives loss={loss} />
      </Table.Td>
      <Table.Td className="numeric">{formatCount(loss.count)}</Table.Td>
      <Table.Td className="numeric">{write.share(loss.share)}</Table.Td>
      <Table.Td className="numeric">{write.bid(loss.bid_cpm_avg)}</Table.Td>
      <Table.Td className="numeric">{write.shortfall(loss.shortfall_cpm_avg)}</Table.Td>
      <Table.Td>
        <Stack gap={2}>
          {loss.example_auction_id !== null && (
            <Anchor
              size="sm"
              style={{ whiteSpace: 'nowrap' }}
              renderRoot={(props) => (
                <Link
                  to={`${root}/auctions/${loss.example_auction_id}`}
                  {...props}
                  aria-label={`An auction of reason ${loss.loss_reason}`}
                />
              )}
            >
              An auction
            </Anchor>
          )}
          <Anchor
            size="sm"
            style={{ whiteSpace: 'nowrap' }}
            renderRoot={(props) => (
              <Link
                to={`${root}/auctions`}
                search={{ loss_reason: loss.loss_reason, window: '12h' }}
                {...props}
                aria-label={`Recent ones of reason ${loss.loss_reason}`}
              />
            )}
          >
            Recent ones
          </Anchor>
        </Stack>
      </Table.Td>
    </Table.Tr>
  );
}

function Creatives({ loss }: { readonly loss: Loss }) {
  if (loss.top.length === 0) return null;
  return (
    <Group gap="xs" mt={2}>
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }} lineClamp={3}>
        Creatives such as{' '}
        {loss.top
          .map(({ crid, adomain }) => (adomain === '' ? crid : `${crid} (${adomain})`))
          .join(', ')}
      </Text>
    </Group>
  );
}
