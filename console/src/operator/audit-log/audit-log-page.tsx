import { Paper, Stack } from '@mantine/core';
import { useAsk } from '../../api/use-ask.ts';
import { addDays } from '../../parts/days.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Loaded, TableSkeleton } from '../../parts/loaded.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import type { ShownAuditEntry } from '../../../../src/management/audit-log/schema.ts';
import { Pager } from '../pager.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { Entry } from './entry.tsx';
import { useSearchOf } from '../../parts/use-search-of.ts';
import { readAuditSearch } from '../search.ts';

const SIZE = 50;
const NONE = {
  resource: undefined,
  resource_id: undefined,
  actor: undefined,
  action: undefined,
  from: undefined,
  to: undefined,
  page: undefined,
};

/** Who changed what, and when. */
export function AuditLogPage() {
  const [{ page = 0, ...filters }, change] = useSearchOf(readAuditSearch);
  const entries = useAsk<ShownAuditEntry[]>('/api/audit-log/', {
    ...filters,
    // The API takes times, of which the last is not included.
    to: filters.to === undefined ? undefined : addDays(filters.to, 1),
    limit: SIZE,
    offset: page * SIZE,
  });
  return (
    <>
      <PageHeader
        title="Audit log"
        description="Who changed what, the latest first. Days are UTC, and secrets are never in it."
      />
      <Paper p="md">
        <AuditFilters
          key={JSON.stringify(filters)}
          filters={filters}
          onChange={(next) => change({ ...NONE, ...next }, { isStep: true })}
        />
        <Loaded asked={entries} skeleton={<TableSkeleton />}>
          {(rows, { total, next }) => (
            <>
              {rows.length === 0 && (
                <EmptyState title="No matching changes">
                  Take a filter away, or choose other days.
                </EmptyState>
              )}
              <Stack component="ol" gap={0} className="plain-list" aria-label="Changes">
                {rows.map((entry) => (
                  <Entry key={entry.id} entry={entry} />
                ))}
              </Stack>
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
    </>
  );
}
