import { Paper, Code, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { ShownHeld, ShownHeldDetails } from '../../../../src/analytics/held-schema.ts';
import { useAsk } from '../../api/use-ask.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Loaded, TableSkeleton } from '../../parts/loaded.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { useSearchOf } from '../../parts/use-search-of.ts';
import { Pager } from '../pager.tsx';
import { readQuarantineSearch } from '../search.ts';
import { formatCount } from '../../parts/format.ts';
import { quarantineColumns } from './quarantine-columns.tsx';

const SIZE = 50;

/** What could not be loaded, and its way out. */
export function QuarantinePage() {
  const [{ page = 0 }, change] = useSearchOf(readQuarantineSearch);
  const [shown, setShown] = useState<string | null>(null);
  const entries = useAsk<ShownHeld[]>('/api/quarantine/', {
    sort: '-at',
    limit: SIZE,
    offset: page * SIZE,
  });
  return (
    <>
      <PageHeader
        title="Quarantine"
        description="Records that the analytics store refused, and damaged places of journals. What is here is in no report."
      />
      <Paper p="md">
        <Loaded asked={entries} skeleton={<TableSkeleton />}>
          {(rows, { total, next }) => (
            <>
              <DataTable
                label="Quarantine"
                columns={quarantineColumns(setShown)}
                rows={rows}
                rowKey={({ id }) => id}
                empty={
                  <EmptyState title="Nothing is in quarantine">
                    All records that nodes have sent are loaded.
                  </EmptyState>
                }
              />
              <Pager
                {...{ page, total, next }}
                size={SIZE}
                shown={rows.length}
                onPage={(to) =>
                  change({ page: to === 0 ? undefined : to }, { isStep: true, fromTop: true })
                }
              />
            </>
          )}
        </Loaded>
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
  const entry = useAsk<ShownHeldDetails>(`/api/quarantine/${id}/`);
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
