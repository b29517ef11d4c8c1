import { Badge, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { ArrowRight } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import type {
  AuctionView,
  BidView,
  ImpView,
  OfferedImpView,
  PriceView,
} from '../../../src/management/auctions/schema.ts';
import { Id } from '../parts/copyable.tsx';
import { formatCpm, NOTHING } from '../parts/format.ts';
import { nameOf } from './names.ts';

const RULES = {
  first_price: 'First price: the winner pays its bid.',
  second_price: 'Second price: the winner pays just above the runner-up, or the floor.',
  fixed_price: 'Fixed price: the deal says it.',
} as const;

/** What was on sale, and for operators how each price came about. */
export function Impressions({ auction }: { readonly auction: AuctionView }) {
  if (auction.imps.length === 0) return <Text size="sm">They are not known any more.</Text>;
  return (
    <Stack gap="md">
      {auction.view === 'operator'
        ? auction.imps.map((imp) => <Priced key={imp.imp} imp={imp} bids={auction.bids} />)
        : auction.imps.map((imp) => <Offered key={imp.imp} imp={imp} />)}
    </Stack>
  );
}

function Priced({ imp, bids }: { readonly imp: ImpView; readonly bids: readonly BidView[] }) {
  return (
    <Paper p="sm">
      <Offered imp={imp} name={imp.ad_space_name} isFilled={imp.filled} formats={imp.formats} />
      <Text size="sm" mt="xs" style={{ overflowWrap: 'anywhere' }}>
        {imp.sentence}
      </Text>
      <PricePath imp={imp} bids={bids} />
      {imp.ranking.length > 0 && <Ranking imp={imp} bids={bids} />}
    </Paper>
  );
}

interface OfferedProps {
  readonly imp: OfferedImpView;
  readonly name?: string | null;
  readonly isFilled?: boolean;
  readonly formats?: readonly string[] | null;
}

function Offered({ imp, name = null, isFilled, formats = null }: OfferedProps) {
  const traits = [
    ...(formats ?? []),
    imp.sizes.join(', '),
    imp.interstitial ? 'interstitial' : '',
    imp.rewarded ? 'rewarded' : '',
    imp.secure ? 'HTTPS' : 'plain HTTP allowed',
  ].filter((trait) => trait !== '');
  return (
    <>
      <Group gap="xs">
        <Title order={3}>
          Impression {imp.imp + 1}
          {name !== null && (
            <>
              : <bdi>{name}</bdi>
            </>
          )}
        </Title>
        {isFilled !== undefined && (
          <Badge variant="light" color={isFilled ? 'teal' : 'gray'} autoContrast tt="none">
            {isFilled ? 'filled' : 'not filled'}
          </Badge>
        )}
      </Group>
      <Group gap="xs">
        <Text size="sm" c="dimmed">
          Ad space <Id value={imp.ad_space_id} what="the ad space’s id" />
        </Text>
        <Text size="sm" c="dimmed">
          {traits.join(' · ')}
        </Text>
      </Group>
    </>
  );
}

/** The steps of a path are compared with each other. */
const cpmOf = formatCpm.with(4);

interface Step {
  readonly label: string;
  readonly value: ReactNode;
  readonly note?: string;
}

/** From the floor to what the publisher gets, each step with whose it is. */
function PricePath({ imp, bids }: { readonly imp: ImpView; readonly bids: readonly BidView[] }) {
  const { price } = imp;
  const steps = price === null ? [floorStep(imp.floor_cpm)] : stepsOf(price, imp, bids);
  return (
    <Group component="ol" className="plain-list" gap="xs" mt="sm" aria-label="Price path (CPM)">
      {steps.map(({ label, value, note }, index) => (
        <Fragment key={label}>
          {index > 0 && (
            <li aria-hidden>
              <ArrowRight size={16} />
            </li>
          )}
          <li>
            <Paper px="sm" py={6}>
              <Text size="xs" c="dimmed">
                {label}
              </Text>
              <Text fw={600} style={{ fontVariantNumeric: 'tabular-nums' }}>
                {value}
              </Text>
              {note !== undefined && (
                <Text size="xs" c="dimmed" maw={180} truncate>
                  {note}
                </Text>
              )}
            </Paper>
          </li>
        </Fragment>
      ))}
      {price?.rule !== undefined && price.rule !== null && (
        <li>
          <Text size="xs" c="dimmed" maw={220}>
            {RULES[price.rule]}
          </Text>
        </li>
      )}
    </Group>
  );
}

function stepsOf(price: PriceView, imp: ImpView, bids: readonly BidView[]): readonly Step[] {
  const winner = bids.find((bid) => bid.won && bid.imp === imp.imp);
  const runnerUp = price.runner_up === null ? undefined : bids[price.runner_up];
  return [
    floorStep(price.floor_cpm ?? imp.floor_cpm),
    {
      label: 'Winning bid',
      value: cpmOf(price.bid_cpm),
      ...(winner === undefined ? {} : { note: nameOf(winner.demand_partner) }),
    },
    {
      label: 'Runner-up',
      value:
        runnerUp?.bid_cpm === undefined || runnerUp.bid_cpm === null
          ? 'none'
          : cpmOf(runnerUp.bid_cpm),
      ...(runnerUp === undefined ? {} : { note: nameOf(runnerUp.demand_partner) }),
    },
    { label: 'Clearing price', value: cpmOf(price.clearing_cpm), note: 'the buyer pays' },
    { label: 'Payout', value: cpmOf(price.payout_cpm), note: 'the publisher gets' },
  ];
}

function floorStep(floor: number): Step {
  return { label: 'Floor', value: cpmOf(floor) };
}

function Ranking({ imp, bids }: { readonly imp: ImpView; readonly bids: readonly BidView[] }) {
  return (
    <Text size="sm" mt="sm" component="div">
      Ranking:{' '}
      {imp.ranking.map((index, place) => {
        const bid = bids[index];
        const cpm = bid?.bid_cpm ?? null;
        return (
          <Fragment key={index}>
            {place > 0 && ', '}
            {place + 1}.{' '}
            <bdi>{bid === undefined ? `bid ${index + 1}` : nameOf(bid.demand_partner)}</bdi>{' '}
            {cpm === null ? NOTHING : cpmOf(cpm)}
            {bid?.dealid !== undefined && bid.dealid !== '' && ` (deal ${bid.dealid})`}
          </Fragment>
        );
      })}
    </Text>
  );
}
