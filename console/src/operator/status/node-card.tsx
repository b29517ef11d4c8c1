import { Badge, Group, Paper, Stack, Table, Text, Title } from '@mantine/core';
import { Id } from '../../parts/copyable.tsx';
import { NOTHING, formatBytes, formatCount, formatDuration } from '../../parts/format.ts';
import type { Attention, NodeView } from '../../../../src/management/status/schema.ts';
import { Facts, type Fact } from './facts.tsx';

interface NodeCardProps {
  readonly node: NodeView;
  /** The version of the configuration that control has. */
  readonly current: string | null;
  /** What needs a person here. */
  readonly attention: readonly Attention[];
}

/** A node: its processes, what it serves, and what it has still to deliver. */
export function NodeCard({ node, current, attention }: NodeCardProps) {
  const isWell = attention.length === 0;
  return (
    <Paper p="lg" miw={0}>
      <Group justify="space-between" mb="sm">
        <Group gap="sm">
          <Title order={2}>{node.host}</Title>
          <Badge variant="light" color={isWell ? 'teal' : 'red'} autoContrast>
            {isWell ? 'well' : 'needs you'}
          </Badge>
        </Group>
        <Id value={node.id} what="the node’s id" />
      </Group>
      <Stack gap="md">
        <Facts facts={nodeFacts(node, current)} />
        <section>
          <Title order={3} mb={4}>
            Processes
          </Title>
          <Processes processes={node.processes} />
        </section>
        <section>
          <Title order={3} mb={4}>
            Journal
          </Title>
          <Facts facts={journalFacts(node)} />
        </section>
        <section>
          <Title order={3} mb={4}>
            Notices
          </Title>
          <Facts facts={noticeFacts(node)} />
        </section>
        {attention.map(({ code, message, action }) => (
          <Text size="sm" key={code} className="break-anywhere">
            <b>{message}</b> {action}
          </Text>
        ))}
      </Stack>
    </Paper>
  );
}

function Processes({ processes }: Pick<NodeView, 'processes'>) {
  return (
    <Table.ScrollContainer minWidth={320} type="native">
      <Table aria-label="Processes of the node">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Process</Table.Th>
            <Table.Th className="numeric">PID</Table.Th>
            <Table.Th className="numeric">Memory</Table.Th>
            <Table.Th className="numeric">Processor time</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {processes.map(({ role, pid, resident_bytes: memory, cpu_seconds: cpu }) => (
            <Table.Tr key={pid}>
              <Table.Td>{role}</Table.Td>
              <Table.Td className="numeric">{pid}</Table.Td>
              <Table.Td className="numeric">{formatBytes(memory)}</Table.Td>
              <Table.Td className="numeric">{formatDuration(cpu)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function nodeFacts(node: NodeView, current: string | null): readonly Fact[] {
  const isBehind = node.snapshot !== null && current !== null && node.snapshot !== current;
  return [
    { label: 'Told of itself', value: `${formatDuration(node.age_seconds)} ago` },
    { label: 'Version of Rialto', value: node.version },
    {
      label: 'Configuration',
      value: node.snapshot ?? 'none yet',
      note: isBehind ? `behind: control has ${current}` : null,
    },
  ];
}

/** Until then records are under way as they should be. */
const LATE_SECONDS = 30;

function journalFacts({ journal }: NodeView): readonly Fact[] {
  return [
    {
      label: 'Not delivered yet',
      value: formatBytes(journal.backlog_bytes),
      note:
        journal.backlog_seconds >= 1
          ? `the oldest for ${formatDuration(journal.backlog_seconds)}`
          : null,
      isOff: journal.backlog_seconds > LATE_SECONDS,
    },
    { label: 'Traces not delivered', value: formatBytes(journal.trace_backlog_bytes) },
    { label: 'On the disk', value: formatBytes(journal.disk_bytes) },
    { label: 'Quarantined batches', value: formatCount(journal.quarantined_batches) },
    { label: 'Batches in conflict', value: formatCount(journal.conflicting_batches) },
    { label: 'Lost records', value: formatCount(journal.missing_records) },
    { label: 'Shortened segments', value: formatCount(journal.shortened_segments) },
    { label: 'Unreadable segments', value: formatCount(journal.unreadable_segments) },
  ];
}

function noticeFacts({ notices }: NodeView): readonly Fact[] {
  if (notices === null) return [{ label: 'Pending', value: NOTHING }];
  const { pending, failing_demand_partners: failing } = notices;
  return [
    { label: 'Win notices pending', value: formatCount(pending.win) },
    { label: 'Billing notices pending', value: formatCount(pending.billing) },
    { label: 'Loss notices pending', value: formatCount(pending.loss) },
    {
      label: 'Oldest win or billing notice',
      value: notices.oldest_seconds > 0 ? formatDuration(notices.oldest_seconds) : NOTHING,
    },
    {
      label: 'Failing destinations',
      value: formatCount(notices.failing_destinations),
      note: failing.length > 0 ? `of demand partners ${failing.join(', ')}` : null,
    },
    { label: 'Given up', value: formatCount(notices.given_up) },
  ];
}
