import { Button, Group, Paper, SegmentedControl, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Plus, Search } from 'lucide-react';
import type { ShownLineItem } from '../../../src/management/line-items/schema.ts';
import { useAsk } from '../api/use-ask.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { Loaded, TableSkeleton } from '../parts/loaded.tsx';
import { isShown, StatusFilter } from '../parts/status/status-filter.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { rangeOf } from '../parts/ranges.ts';
import { useSearchOf } from '../parts/use-search-of.ts';
import { LineItemTable } from './line-item-table.tsx';
import { lineItemsApiOf, pagesOf, usePartnerId } from './partner.ts';
import { readLineItemsSearch } from './search.ts';
import { useKpis } from './use-kpis.ts';

/** As many as the API lists at once. */
const LINE_ITEMS_MAX = 10_000;

/** All line items of a demand partner, with what they do. */
export function LineItemsPage() {
  const partnerId = usePartnerId();
  const [{ q = '', status, days = 'today' }, change] = useSearchOf(readLineItemsSearch);
  const asked = useAsk(lineItemsApiOf(partnerId), {
    limit: LINE_ITEMS_MAX,
  });
  const kpis = useKpis(partnerId, rangeOf(days));
  return (
    <>
      <PageHeader
        title="Line items"
        description="What is bought: which traffic, for which seat, above which price, and up to how much."
        actions={<NewButton partnerId={partnerId} />}
      />
      <Loaded asked={asked} skeleton={<TableSkeleton rows={8} />}>
        {(lineItems) => (
          <>
            <Group mb="sm" justify="space-between" gap="sm">
              <Group gap="sm">
                <TextInput
                  aria-label="Search line items"
                  placeholder="Name, description, id or seat"
                  leftSection={<Search size={15} aria-hidden />}
                  value={q}
                  onChange={({ currentTarget }) => change({ q: currentTarget.value || undefined })}
                  w={260}
                />
                <StatusFilter
                  counted={lineItems}
                  value={status}
                  onChange={(next) => change({ status: next }, { isStep: true })}
                />
              </Group>
              <SegmentedControl
                aria-label="Days of the figures"
                value={days}
                onChange={(next) => change({ days: next === '7d' ? '7d' : undefined })}
                data={[
                  { value: 'today', label: 'Today' },
                  { value: '7d', label: '7 days' },
                ]}
              />
            </Group>
            <Paper p="xs">
              <LineItemTable
                partnerId={partnerId}
                lineItems={lineItems.filter((each) => isWanted(each, q, status))}
                kpis={kpis.data?.body}
                problem={kpis.data === undefined ? kpis.error : null}
                empty={
                  lineItems.length === 0 ? (
                    <EmptyState
                      title="No line items yet"
                      action={<NewButton partnerId={partnerId} />}
                    >
                      Without an active line item no bid request is sent to this bidder. One without
                      targeting takes all traffic.
                    </EmptyState>
                  ) : (
                    <EmptyState title="No line item is like that">
                      Search for something else, or choose another status.
                    </EmptyState>
                  )
                }
              />
            </Paper>
          </>
        )}
      </Loaded>
    </>
  );
}

function NewButton({ partnerId }: { readonly partnerId: string }) {
  return (
    <Button
      leftSection={<Plus size={16} aria-hidden />}
      renderRoot={(props) => <Link to={`${pagesOf(partnerId)}/line-items/new`} {...props} />}
    >
      New line item
    </Button>
  );
}

function isWanted(
  lineItem: ShownLineItem,
  query: string,
  status: ShownLineItem['status'] | undefined,
): boolean {
  if (!isShown(lineItem.status, status)) return false;
  const { id, name, description, seat } = lineItem;
  const text = [id, name, description, seat ?? ''].join('\n').toLowerCase();
  return text.includes(query.trim().toLowerCase());
}
