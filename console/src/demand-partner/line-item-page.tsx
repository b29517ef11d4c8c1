import { Group, Tabs } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import type { ShownLineItem } from '../../../src/management/line-items/schema.ts';
import { useAsk } from '../api/use-ask.ts';
import { Id } from '../parts/copyable.tsx';
import { Lines, Loaded } from '../parts/loaded.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { StatusBadge } from '../parts/status/status-badge.tsx';
import { describeTargeting } from '../parts/targeting/describe-targeting.ts';
import { useSearchOf } from '../parts/use-search-of.ts';
import { ArchiveButton } from './archive-line-item.tsx';
import { describeCapping } from './capping.ts';
import { LineItemPerformance } from './line-item-performance.tsx';
import { LineItemSettings } from './line-item-settings.tsx';
import { lineItemsApiOf, pagesOf, usePartnerId } from './partner.ts';
import { readLineItemSearch } from './search.ts';
import { StatusButton } from './status-button.tsx';

const EVERY_MS = 10_000;

/** One line item: what became of it, and what it is. */
export function LineItemPage() {
  const partnerId = usePartnerId();
  const { lineItemId = '' } = useParams({ strict: false });
  const path = `${lineItemsApiOf(partnerId)}${lineItemId}/`;
  const asked = useAsk<ShownLineItem>(path, {}, { everyMs: EVERY_MS });
  const above = [{ label: 'Line items', href: `${pagesOf(partnerId)}/line-items` }];
  if (asked.data === undefined) {
    return (
      <>
        <PageHeader title={`Line item ${lineItemId}`} above={above} />
        <Loaded asked={asked} skeleton={<Lines count={10} />}>
          {() => null}
        </Loaded>
      </>
    );
  }
  const { body: lineItem, etag } = asked.data;
  return (
    <>
      <PageHeader
        title={lineItem.name}
        above={above}
        beside={
          <Group gap="xs">
            <StatusBadge status={lineItem.status} />
            <Id value={lineItem.id} what="the line item's id" />
          </Group>
        }
        description={`${describeTargeting(lineItem.targeting)}. ${describeCapping(lineItem.capping)}.`}
        actions={
          lineItem.status === 'ARCHIVED' ? undefined : (
            <>
              <ArchiveButton partnerId={partnerId} lineItem={lineItem} />
              <StatusButton partnerId={partnerId} lineItem={lineItem} />
            </>
          )
        }
      />
      <LineItemTabs partnerId={partnerId} lineItem={lineItem} etag={etag} />
    </>
  );
}

interface LineItemTabsProps {
  readonly partnerId: string;
  readonly lineItem: ShownLineItem;
  readonly etag: string | null;
}

function LineItemTabs({ partnerId, lineItem, etag }: LineItemTabsProps) {
  const [search, change] = useSearchOf(readLineItemSearch);
  const { tab = 'performance' } = search;
  return (
    <Tabs
      value={tab}
      onChange={(next) => change({ tab: next === 'settings' ? next : undefined }, { isStep: true })}
    >
      <Tabs.List mb="lg">
        <Tabs.Tab value="performance">Performance</Tabs.Tab>
        <Tabs.Tab value="settings">Settings</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="performance">
        {tab === 'performance' && (
          <LineItemPerformance
            partnerId={partnerId}
            lineItem={lineItem}
            search={search}
            onSearch={(next) =>
              change({ range: undefined, from: undefined, to: undefined, ...next })
            }
          />
        )}
      </Tabs.Panel>
      {/* What was typed stays while the figures are looked at. */}
      <Tabs.Panel value="settings">
        <LineItemSettings key={lineItem.id} partnerId={partnerId} lineItem={lineItem} etag={etag} />
      </Tabs.Panel>
    </Tabs>
  );
}
