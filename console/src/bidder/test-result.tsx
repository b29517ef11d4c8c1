import { Alert, Badge, Group, Paper, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core';
import { OutcomeBadge } from '../auctions/outcome.tsx';
import { CodeBlock, JsonBlock } from '../parts/copyable.tsx';
import { formatCpm, formatDecimal, NOTHING } from '../parts/format.ts';
import { Scrolling } from '../parts/scrolling.tsx';
import type {
  TestBid,
  TestFinding,
  TestResult,
} from '../../../src/management/bidder-test/schema.ts';

/** What was sent, what came back, and what an auction makes of it. */
export function TestResultView({ result }: { readonly result: TestResult }) {
  return (
    <Stack gap="lg">
      <Paper p="md" component="section" aria-label="Result">
        <Group gap="xs" mb="xs">
          <Title order={2}>Result</Title>
          <OutcomeBadge
            outcome={result.outcome}
            {...(result.reason === null ? {} : { note: result.reason })}
          />
          <Text size="sm" c="dimmed">
            {formatDecimal(result.duration_ms)} ms of {result.timeout_ms} ms
          </Text>
        </Group>
        <Text style={{ overflowWrap: 'anywhere' }}>{result.sentence}</Text>
      </Paper>
      <Findings findings={result.findings} />
      {result.bids.length > 0 && <Bids bids={result.bids} />}
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
        <Paper p="md" component="section" aria-label="What was sent" miw={0}>
          <Title order={2} mb="sm">
            What was sent
          </Title>
          <Text size="sm" mb="xs" style={{ overflowWrap: 'anywhere' }}>
            POST <code>{result.sent.url}</code>
          </Text>
          <Message name="Bid request" {...result.sent} />
        </Paper>
        <Paper p="md" component="section" aria-label="What was answered" miw={0}>
          <Title order={2} mb="sm">
            What was answered
          </Title>
          {result.answer === null ? (
            <Text size="sm">Nothing had come by the deadline, {result.timeout_ms} ms.</Text>
          ) : (
            <>
              <Text size="sm" mb="xs">
                {result.answer.status === null
                  ? 'An answer began, and could not be read to its end.'
                  : `HTTP ${result.answer.status}`}
              </Text>
              <Message name="Bid response" {...result.answer} />
              {result.answer.is_cut && (
                <Text size="sm" c="dimmed" mt="xs">
                  More came than is shown.
                </Text>
              )}
            </>
          )}
        </Paper>
      </SimpleGrid>
    </Stack>
  );
}

interface MessageProps {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

function Message({ name, headers, body }: MessageProps) {
  const lines = Object.entries(headers).map(([header, value]) => `${header}: ${value}`);
  return (
    <Stack gap="sm">
      {lines.length > 0 && (
        <div>
          <Title order={3} mb={4}>
            Headers
          </Title>
          <CodeBlock
            value={lines.join('\n')}
            what={`Headers of the ${name.toLowerCase()}`}
            maxHeight={180}
          />
        </div>
      )}
      <div>
        <Title order={3} mb={4}>
          {name}
        </Title>
        {body === '' ? (
          <Text size="sm" c="dimmed">
            It had no body.
          </Text>
        ) : (
          <JsonBlock value={body} what={name} maxHeight={480} />
        )}
      </div>
    </Stack>
  );
}

/** What is wrong with the answer, errors first. */
function Findings({ findings }: { readonly findings: readonly TestFinding[] }) {
  if (findings.length === 0) {
    return <Alert color="teal" title="Nothing is wrong with the answer" />;
  }
  return (
    <Paper p="md" component="section" aria-label="Findings">
      <Title order={2} mb="sm">
        Findings
      </Title>
      <Stack component="ul" className="plain-list" gap="sm">
        {findings.map(({ severity, pointer, message }, index) => (
          // What an answer lists keeps its order, and has no id.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index}>
            <Group gap="sm" wrap="nowrap" align="flex-start">
              <Badge
                variant="light"
                color={severity === 'error' ? 'red' : 'orange'}
                autoContrast
                tt="none"
                style={{ flexShrink: 0 }}
              >
                {severity}
              </Badge>
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                {pointer !== null && (
                  <>
                    <code>{pointer === '' ? 'the body' : pointer}</code>:{' '}
                  </>
                )}
                {message}
              </Text>
            </Group>
          </li>
        ))}
      </Stack>
    </Paper>
  );
}

function Bids({ bids }: { readonly bids: readonly TestBid[] }) {
  return (
    <Paper p="md" component="section" aria-label="Bids">
      <Title order={2} mb="sm">
        Bids
      </Title>
      <Scrolling label="Bids" minWidth={720}>
        <Table aria-label="Bids of the answer" verticalSpacing="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Bid</Table.Th>
              <Table.Th className="numeric">Price (CPM)</Table.Th>
              <Table.Th>In an auction</Table.Th>
              <Table.Th>Markup</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {bids.map((bid, index) => (
              // What an answer lists keeps its order, and has no id.
              // oxlint-disable-next-line react/no-array-index-key
              <BidRow key={index} bid={bid} />
            ))}
          </Table.Tbody>
        </Table>
      </Scrolling>
    </Paper>
  );
}

function BidRow({ bid }: { readonly bid: TestBid }) {
  return (
    <Table.Tr style={{ verticalAlign: 'top' }}>
      <Table.Td miw={160} maw={200} style={{ overflowWrap: 'anywhere' }}>
        <Text size="sm" ff="monospace">
          {bid.bid_id === '' ? NOTHING : bid.bid_id}
        </Text>
        <Text size="xs" c="dimmed">
          {bid.imp === null ? 'for no impression offered' : `imp ${bid.imp}`}
          {bid.seat !== null && ` · seat ${bid.seat}`}
        </Text>
      </Table.Td>
      <Table.Td className="numeric">
        {bid.bid_cpm === null ? NOTHING : formatCpm(bid.bid_cpm)}
      </Table.Td>
      <Table.Td miw={240}>
        <Badge variant="light" color={bid.valid ? 'teal' : 'red'} autoContrast tt="none" mb={2}>
          {bid.valid ? 'would compete' : `loses: reason ${bid.loss_reason}`}
        </Badge>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {bid.valid ? 'It would compete by its price.' : bid.loss_reason_text}
          {bid.detail !== null && bid.detail !== '' && ` ${bid.detail}`}
        </Text>
      </Table.Td>
      <Table.Td w="40%">
        {bid.adm_preview === null ? (
          <Text size="sm" c="dimmed">
            none
          </Text>
        ) : (
          <CodeBlock value={bid.adm_preview} what={`Markup of bid ${bid.bid_id}`} maxHeight={110} />
        )}
      </Table.Td>
    </Table.Tr>
  );
}
