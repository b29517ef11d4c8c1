import { Paper } from '@mantine/core';
import { useState } from 'react';
import type { ShownHeld } from '../../../../src/analytics/held-schema.ts';
import { useAsk } from '../../api/use-ask.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Loaded, TableSkeleton } from '../../parts/loaded.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { useSearchOf } from '../../parts/use-search-of.ts';
import { Pager } from '../pager.tsx';
import { readQuarantineSearch } from '../search.ts';
import { EntryDialog } from './entry-dialog.tsx';
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
