import { Alert, List, Paper, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import { useAsk } from '../../api/use-ask.ts';
import { Id } from '../../parts/copyable.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { formatBytes, formatCount, formatDuration } from '../../parts/format.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { StatusBadge } from '../../parts/status/status-badge.tsx';
import type { Status } from '../../../../src/management/status/schema.ts';
import { Facts } from './facts.tsx';
import { NodeCard } from './node-card.tsx';

const REFRESH_MS = 5_000;

/** How the processes do that make up the exchange. */
export function StatusPage() {
  const status = useAsk('/api/status/', {}, { everyMs: REFRESH_MS });
  return (
    <>
      <PageHeader
        title="System status"
        description="Every node with its processes, what it serves, and how far its records and notices are behind."
      />
      <Loaded asked={status} skeleton={<StatusSkeleton />}>
        {(body) => (
          <Stack gap="lg">
            <AttentionList attention={body.attention} />
            <Control control={body.control} />
            {body.nodes.length === 0 ? (
              <EmptyState title="No node has reported in the last hour">
                Start exchange, tracker and courier with <code>rialto start</code>, or see why the
                courier cannot reach control.
              </EmptyState>
            ) : (
              <SimpleGrid cols={{ base: 1, lg: body.nodes.length > 1 ? 2 : 1 }}>
                {body.nodes.map((node) => (
                  <NodeCard
                    key={node.id}
                    node={node}
                    current={body.control.snapshot}
                    attention={body.attention.filter((each) => each.node === node.id)}
                  />
                ))}
              </SimpleGrid>
            )}
          </Stack>
        )}
      </Loaded>
    </>
  );
}

function AttentionList({ attention }: Pick<Status, 'attention'>) {
  if (attention.length === 0) {
    return (
      <Alert color="teal" role="status" icon={<CircleCheck size={18} aria-hidden />}>
        All is well: nothing needs you now.
      </Alert>
    );
  }
  return (
    <Alert
      color="red"
      role="region"
      aria-label="What needs you"
      icon={<TriangleAlert size={18} aria-hidden />}
      title={attention.length === 1 ? '1 thing needs you' : `${attention.length} things need you`}
    >
      <List size="sm" spacing="xs">
        {attention.map(({ code, node, message, action }) => (
          <List.Item key={`${code} ${node ?? ''} ${message}`}>
            <Text size="sm" fw={600} className="break-anywhere">
              {message}
            </Text>
            <Text size="sm" className="break-anywhere">
              {action}
            </Text>
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

const ANALYTICS_NOTES: Readonly<Partial<Record<Status['control']['analytics'], string>>> = {
  opening: 'reports and figures wait for it',
  empty: 'nothing is loaded into it: see what needs attention',
  another: 'nothing is loaded into it: see what needs attention',
  older: 'nothing is loaded into it: see what needs attention',
};

function Control({ control }: Pick<Status, 'control'>) {
  const { snapshot, analytics, uptime_seconds: uptime, quarantine } = control;
  const { refused_records: refused, missing_records: missing, entries } = quarantine;
  return (
    <Paper p="lg">
      <Title order={2} mb="sm">
        Control
      </Title>
      <Facts
        facts={[
          { label: 'Runs for', value: formatDuration(uptime) },
          {
            label: 'Configuration',
            value:
              snapshot === null ? 'none yet' : <Id value={snapshot} what="the snapshot version" />,
          },
          {
            label: 'Analytics store',
            value: <StatusBadge status={analytics} />,
            note: ANALYTICS_NOTES[analytics] ?? null,
          },
          {
            label: 'In quarantine',
            value: formatCount(refused + missing),
            note: entries > 0 ? 'records that wait for a person' : null,
          },
          ...control.processes.flatMap(({ role, resident_bytes: memory, cpu_seconds: cpu }) => [
            { label: `Memory of ${role}`, value: formatBytes(memory) },
            { label: `Processor time of ${role}`, value: formatDuration(cpu) },
          ]),
        ]}
      />
    </Paper>
  );
}

function StatusSkeleton() {
  return (
    <Stack gap="lg">
      <Skeleton height={50} />
      <Skeleton height={160} />
      <Skeleton height={320} />
    </Stack>
  );
}
