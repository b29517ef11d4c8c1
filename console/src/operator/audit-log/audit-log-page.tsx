import { PageHeader } from '../../parts/page-header.tsx';
import { Paper, Stack } from '@mantine/core';
import { addDays } from '../../parts/days.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Paged } from '../../parts/paged.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { Entry } from './entry.tsx';
import { useSearchOf } from '../../parts/use-search-of.ts';
import { readAuditSearch } from '../search.ts';

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
  const [{ page: _, ...filters }, change] = useSearchOf(readAuditSearch);
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
        <Paged
          path="/api/audit-log/"
          query={{
            ...filters,
            // The API takes times, of which the last is not included.
            to: filters.to === undefined ? undefined : addDays(filters.to, 1),
          }}
        >
          {(rows) => (
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
            </>
          )}
        </Paged>
      </Paper>
    </>
  );
}
