import { Alert, Button, Paper, Stack, Text, Title, SimpleGrid } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { AuctionView, CallView } from '../../../src/management/auctions/schema.ts';
import { useAsk } from '../api/use-ask.ts';
import { Id } from '../parts/copyable.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { formatTime } from '../parts/format.ts';
import { Lines, Loaded } from '../parts/loaded.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { TestBanner } from '../parts/test-banner.tsx';
import { useSearchOf } from '../parts/use-search-of.ts';
import { Fact } from '../parts/fact.tsx';
import { Afterwards } from './afterwards.tsx';
import { Bids } from './bids.tsx';
import { Exchanges } from './exchanges.tsx';
import { Impressions } from './impressions.tsx';
import { auctionsRootOf } from './names.ts';
import { NotCalled, NotMatched } from './not-called.tsx';
import { timelineOf } from './timeline-scale.ts';
import { AuctionTimeline } from './timeline.tsx';
import { readAuctionViewSearch } from './view-search.ts';

/** One auction: who was asked when, what came of each bid, and what happened afterwards. */
export function AuctionPage() {
  const { demandPartnerId, auctionId = '' } = useParams({ strict: false });
  const asked = useAsk(`/api/auctions/${encodeURIComponent(auctionId)}/`);
  const root = auctionsRootOf(demandPartnerId);
  const at = asked.data?.body.at;
  return (
    <>
      <PageHeader
        title={at === undefined ? 'Auction' : `Auction of ${formatTime(at)} UTC`}
        above={[{ label: 'Auctions', href: root }]}
        beside={<Id value={auctionId} what="the auction’s id" />}
      />
      {asked.error?.status === 404 && !asked.isFetching ? (
        <EmptyState
          title="There is nothing of this auction"
          action={
            <Button variant="default" onClick={() => void asked.refetch()}>
              Look again
            </Button>
          }
        >
          It can be looked at a few seconds after it was held, and for two weeks. To a demand
          partner an auction in which it had no part is not shown.
        </EmptyState>
      ) : (
        <Loaded asked={asked} skeleton={<Lines count={14} />}>
          {(auction) => <Explained auction={auction} />}
        </Loaded>
      )}
    </>
  );
}

function Explained({ auction }: { readonly auction: AuctionView }) {
  const [search, change] = useSearchOf(readAuctionViewSearch);
  const isWhole = auction.view === 'operator';
  return (
    <Stack gap="lg">
      {auction.test && (
        <TestBanner>
          Nobody was billed for it, no notice was called, and no report counts it.
        </TestBanner>
      )}
      <Paper p="md">
        <Text mb="md" style={{ overflowWrap: 'anywhere' }}>
          {auction.sentence}
        </Text>
        <AuctionFacts auction={auction} />
        {!auction.trace.is_kept && <Note>{auction.trace.sentence}</Note>}
        {!auction.configuration.is_present && <Note>{auction.configuration.sentence}</Note>}
        {auction.publisher_decides && (
          <Note>The publisher decides: a win counts once a beacon confirms it.</Note>
        )}
      </Paper>
      <Part title="Calls in time">
        {auction.calls.length === 0 ? (
          <Text size="sm">{isWhole ? 'Nobody was called.' : 'The bidder was not called.'}</Text>
        ) : (
          <AuctionTimeline
            timeline={timelineOf(auction)}
            shape={search.calls ?? 'chart'}
            onShape={(shape) => change({ calls: shape === 'table' ? 'table' : undefined })}
          />
        )}
      </Part>
      <Part title={isWhole ? 'Impressions and their prices' : 'Impressions'}>
        <Impressions auction={auction} />
      </Part>
      <Part title="Bids">
        <Bids auction={auction} />
      </Part>
      {isWhole ? <NotCalled auction={auction} /> : <NotMatched auction={auction} />}
      <Part title="What was exchanged">
        <Exchanges
          calls={auction.calls}
          open={opened(auction.calls, search.call)}
          onOpen={(call) => change({ call })}
        />
      </Part>
      <Part title="Afterwards">
        <Afterwards auction={auction} />
      </Part>
    </Stack>
  );
}

function opened(calls: readonly CallView[], asked: number | undefined): number {
  if (asked !== undefined && asked < calls.length) return asked;
  return Math.max(
    0,
    calls.findIndex(({ request }) => request !== null),
  );
}

/** A titled part of the page. */
function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Paper p="md" component="section" aria-label={title}>
      <Title order={2} mb="sm">
        {title}
      </Title>
      {children}
    </Paper>
  );
}

function Note({ children }: { readonly children: ReactNode }) {
  return (
    <Alert color="gray" mt="sm" p="xs">
      {children}
    </Alert>
  );
}

/** Where and for whom an auction was held. */
function AuctionFacts({ auction }: { readonly auction: AuctionView }) {
  const { place, audience } = auction;
  const isWhole = auction.view === 'operator';
  const app = [place.app_bundle, place.app_site_domain].filter((each) => each !== '').join(', ');
  const device = [audience?.platform, audience?.os].filter(isSaid);
  return (
    <SimpleGrid component="dl" cols={{ base: 1, xs: 2, md: 4 }} spacing="sm" m={0}>
      <Fact term="Publisher">
        {isWhole && isSaid(auction.publisher_name) && <bdi>{auction.publisher_name} </bdi>}
        <Id value={place.publisher_id} what="the publisher’s id" />
      </Fact>
      <Fact term="App or site">
        {isWhole && isSaid(auction.property_name) && <bdi>{auction.property_name} </bdi>}
        <Id value={place.property_id} what="the id of the app or site" />
      </Fact>
      {app !== '' && <Fact term="Bundle or domain">{app}</Fact>}
      {place.categories.length > 0 && <Fact term="Categories">{place.categories.join(', ')}</Fact>}
      {audience !== null && (
        <>
          <Fact term="Country">{isSaid(audience.country) ? audience.country : 'unknown'}</Fact>
          <Fact term="Device">
            {device.length === 0 ? 'unknown' : [...new Set(device)].join(', ')}
          </Fact>
          {isSaid(audience.language) && <Fact term="Language">{audience.language}</Fact>}
          <Fact term="Location">
            {audience.has_location ? 'sent by the publisher' : 'not sent'}
          </Fact>
        </>
      )}
      {isWhole && (
        <Fact term="The publisher’s request id">
          <Id value={auction.request_id} what="the publisher’s request id" />
        </Fact>
      )}
    </SimpleGrid>
  );
}

function isSaid(text: string | null | undefined): text is string {
  return text !== null && text !== undefined && text !== '';
}
