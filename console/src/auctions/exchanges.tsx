import { SimpleGrid, Stack, Tabs, Text, Title } from '@mantine/core';
import type { CallView } from '../../../src/management/auctions/schema.ts';
import { Id, JsonBlock } from '../parts/copyable.tsx';
import { formatBytes, formatDecimal, NOTHING } from '../parts/format.ts';
import { Fact } from '../parts/fact.tsx';
import { nameOf, namedText } from './names.ts';
import { OutcomeBadge } from './outcome.tsx';

interface ExchangesProps {
  readonly calls: readonly CallView[];
  /** Index of the call that is shown. */
  readonly open: number;
  readonly onOpen: (call: number) => void;
}

/** What was sent to each bidder and what it answered, to the letter where it was kept. */
export function Exchanges({ calls, open, onOpen }: ExchangesProps) {
  if (calls.length === 0) return <Text size="sm">Nothing was exchanged.</Text>;
  return (
    <Tabs value={String(open)} onChange={(value) => onOpen(Number(value))} keepMounted={false}>
      <Tabs.List mb="md" aria-label="Calls">
        {calls.map((_, index) => (
          <Tabs.Tab key={tabName(calls, index)} value={String(index)} maw={260}>
            <Text span size="sm" truncate component="bdi" display="block">
              {tabName(calls, index)}
            </Text>
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {calls.map((call, index) => (
        <Tabs.Panel key={tabName(calls, index)} value={String(index)}>
          <Exchange call={call} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

function Exchange({ call }: { readonly call: CallView }) {
  return (
    <Stack gap="md">
      <div>
        <OutcomeBadge outcome={call.outcome} note={call.reason} />
        <Text size="sm" mt={4} style={{ overflowWrap: 'anywhere' }}>
          {call.sentence}
        </Text>
        {call.detail !== null && call.detail !== '' && (
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {call.detail}
          </Text>
        )}
      </div>
      <CallFacts call={call} />
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
        <Message title="Bid request" text={call.request} outcome={call.outcome} />
        <Message title="Bid response" text={call.response} outcome={call.outcome} />
      </SimpleGrid>
    </Stack>
  );
}

function CallFacts({ call }: { readonly call: CallView }) {
  const auctionType = call.at === 1 ? '1, first price' : call.at === 2 ? '2, second price' : null;
  return (
    <SimpleGrid component="dl" cols={{ base: 2, md: 4 }} spacing="sm" m={0}>
      {call.request_id !== null && (
        <Fact term="BidRequest.id">
          <Id value={call.request_id} what="BidRequest.id" />
        </Fact>
      )}
      <Fact term="Line items that matched">
        {call.line_items.length === 0 ? NOTHING : call.line_items.map(namedText).join(', ')}
      </Fact>
      <Fact term="Impressions">{call.imps.map((imp) => imp + 1).join(', ')}</Fact>
      {call.deals !== null && call.deals.length > 0 && (
        <Fact term="Deals">{call.deals.join(', ')}</Fact>
      )}
      {auctionType !== null && <Fact term="BidRequest.at">{auctionType}</Fact>}
      {call.tmax_ms !== null && <Fact term="tmax">{formatDecimal(call.tmax_ms)} ms</Fact>}
      {call.status !== null && <Fact term="HTTP status">{call.status}</Fact>}
      {call.response_bytes !== null && (
        <Fact term="Size of the answer">{formatBytes(call.response_bytes)}</Fact>
      )}
    </SimpleGrid>
  );
}

interface MessageProps {
  readonly title: string;
  readonly text: string | null;
  readonly outcome: string;
}

function Message({ title, text, outcome }: MessageProps) {
  return (
    <div style={{ minWidth: 0 }}>
      <Title order={3} mb={4}>
        {title}
      </Title>
      {text === null || text === '' ? (
        <Text size="sm" c="dimmed">
          {whyNothing(title, text, outcome)}
        </Text>
      ) : (
        <JsonBlock value={text} what={title} maxHeight={480} />
      )}
    </div>
  );
}

function whyNothing(title: string, text: string | null, outcome: string): string {
  if (outcome === 'throttled') return 'Nothing was sent.';
  if (text === '') return `The ${title.toLowerCase()} had no body.`;
  return 'Not kept: what was exchanged is kept of test auctions and of some others.';
}

/** A partner that was called more than once has its calls numbered. */
function tabName(calls: readonly CallView[], index: number): string {
  const call = calls[index];
  if (call === undefined) return '';
  const same = calls.filter((each) => each.demand_partner.id === call.demand_partner.id);
  const name = nameOf(call.demand_partner);
  return same.length === 1 ? name : `${name} (${same.indexOf(call) + 1})`;
}
