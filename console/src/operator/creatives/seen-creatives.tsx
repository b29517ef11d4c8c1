import { PagedTable } from '../../parts/paged.tsx';
import { Group } from '@mantine/core';
import { EmptyState } from '../../parts/empty-state.tsx';
import { creativeColumns } from './creative-columns.tsx';
import { EntityFilter } from '../../parts/entity-filter.tsx';
import { useNames } from '../../parts/use-names.ts';
import { useSearchOf } from '../../parts/use-search-of.ts';
import { readCreativesSearch } from '../search.ts';

/** Creatives that bids came with, or those of them that wait for a review. */
export function SeenCreatives({ isPending }: { readonly isPending: boolean }) {
  const [{ partner, publisher }, change] = useSearchOf(readCreativesSearch);
  const { nameOf } = useNames('demand-partners');
  return (
    <>
      <Group mb="md" align="flex-end">
        <EntityFilter
          label="Demand partner"
          kind="demand-partners"
          value={partner}
          onChange={(id) => change({ partner: id, page: undefined }, { isStep: true })}
        />
        <EntityFilter
          label="Publisher"
          kind="publishers"
          value={publisher}
          onChange={(id) => change({ publisher: id, page: undefined }, { isStep: true })}
        />
      </Group>
      <PagedTable
        path="/api/creatives/"
        query={{
          demand_partner: partner,
          publisher,
          pending: isPending ? true : undefined,
        }}
        label={isPending ? 'Creatives that wait for a review' : 'Creatives that were seen'}
        columns={creativeColumns(nameOf)}
        rowKey={(each) => `${each.demand_partner_id} ${each.crid}`}
        empty={<NoCreatives isPending={isPending} />}
      />
    </>
  );
}

function NoCreatives({ isPending }: { readonly isPending: boolean }) {
  return isPending ? (
    <EmptyState title="No creative waits for a review">
      With “Creative review: required” in the settings, or of a publisher, creatives are shown only
      once they are approved, and wait here until then.
    </EmptyState>
  ) : (
    <EmptyState title="No creatives were seen">
      They come with the bids that win; take a filter away, or wait for traffic.
    </EmptyState>
  );
}
