import { Paper, Code, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useAsk } from '../../api/use-ask.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Loaded, TableSkeleton } from '../../parts/loaded.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { PagedTable } from '../../parts/paged.tsx';
import { formatCount } from '../../parts/format.ts';
import { quarantineColumns } from './quarantine-columns.tsx';

/** What could not be loaded, and its way out. */
export function QuarantinePage() {
  const [shown, setShown] = useState<string | null>(null);
  return (
    <>
      <PageHeader
        title="Quarantine"
        description="Records that the analytics store refused, and damaged places of journals. What is here is in no report."
      />
      <Paper p="md">
        <PagedTable
          path="/api/quarantine/"
          query={{
            sort: '-at',
          }}
          label="Quarantine"
          columns={quarantineColumns(setShown)}
          rowKey={({ id }) => id}
          empty={
            <EmptyState title="Nothing is in quarantine">
              All records that nodes have sent are loaded.
            </EmptyState>
          }
        />
      </Paper>
      {shown !== null && <EntryDialog id={shown} onClose={() => setShown(null)} />}
    </>
  );
}

interface EntryDialogProps {
  readonly id: string;
  readonly onClose: () => void;
}

/** Why an entry is held, and what can be read of it. */
function EntryDialog({ id, onClose }: EntryDialogProps) {
  const entry = useAsk(`/api/quarantine/${id}/`);
  return (
    <Modal opened onClose={onClose} title={`Quarantine entry ${id}`} size="xl" centered>
      <Loaded asked={entry} skeleton={<TableSkeleton />}>
        {({ parts, text }) => (
          <Stack gap="md">
            {parts.map((part) => (
              <Stack key={`${part.segment} ${part.start} ${part.cause}`} gap={4}>
                <Text size="sm" fw={600} className="break-anywhere">
                  {part.cause === 'refused'
                    ? `${formatCount(part.records)} refused`
                    : `${formatCount(part.missing)} lost`}
                  {`, bytes ${part.start} to ${part.end} of ${part.segment}`}
                </Text>
                <Text size="sm" className="break-anywhere">
                  {part.reason}
                </Text>
              </Stack>
            ))}
            <Code block className="break-anywhere">
              {text}
            </Code>
          </Stack>
        )}
      </Loaded>
    </Modal>
  );
}
