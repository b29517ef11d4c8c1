import { Alert, Button, Group, Paper } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useAsk } from '../../api/use-ask.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Loaded, TableSkeleton } from '../../parts/loaded.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { StatusFilter } from '../status-filter.tsx';
import { partnerColumns, type PartnerRow } from './partner-columns.tsx';
import { useSearchOf } from '../../parts/use-search-of.ts';
import { readPartnersSearch } from '../search.ts';

const REFRESH_MS = 10_000;
const ALL_MAX = 10_000;

/** The demand partners, how their bidders do, and the switch that stops one. */
export function DemandPartnersPage() {
  const [{ status }, change] = useSearchOf(readPartnersSearch);
  const partners = useAsk(
    '/api/demand-partners/',
    { status, sort: 'name', limit: ALL_MAX },
    { everyMs: REFRESH_MS },
  );
  const health = useAsk('/api/demand-partners/health/', {}, { everyMs: REFRESH_MS });
  const byId = new Map(health.data?.body.map((each) => [each.demand_partner_id, each]));
  return (
    <>
      <PageHeader
        title="Demand partners"
        description="Who buys. The figures are of the last 5 minutes."
        actions={<NewButton />}
      />
      <Paper p="md">
        <Group mb="md">
          <StatusFilter
            value={status}
            onChange={(chosen) => change({ status: chosen }, { isStep: true })}
          />
        </Group>
        {health.error !== null && health.data === undefined && (
          <Alert color="orange" mb="md">
            How bidders do is not known: {health.error.message}
          </Alert>
        )}
        <Loaded asked={partners} skeleton={<TableSkeleton />}>
          {(found) => (
            <DataTable
              label="Demand partners"
              columns={partnerColumns}
              rows={found.map((partner): PartnerRow => ({ partner, health: byId.get(partner.id) }))}
              rowKey={({ partner }) => partner.id}
              empty={
                <EmptyState
                  title={
                    status === undefined
                      ? 'No demand partners yet'
                      : `No demand partners are ${status.toLowerCase()}`
                  }
                  action={status === undefined && <NewButton />}
                >
                  {status === undefined
                    ? 'Create the first one; then set up its bidder and invite its users.'
                    : 'Choose another status.'}
                </EmptyState>
              }
            />
          )}
        </Loaded>
      </Paper>
    </>
  );
}

function NewButton() {
  return (
    <Button
      component={Link}
      to="/operator/demand-partners/new"
      leftSection={<Plus size={16} aria-hidden />}
    >
      New demand partner
    </Button>
  );
}
