import { Group, Tabs, Paper, Skeleton, Stack, Title, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import type { ShownLineItem } from '../../../src/management/line-items/schema.ts';
import { useAsk } from '../api/use-ask.ts';
import { Id } from '../parts/copyable.tsx';
import { Lines, Loaded } from '../parts/loaded.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { StatusBadge } from '../parts/status/status-badge.tsx';
import { describeTargeting } from '../parts/targeting/describe-targeting.ts';
import { useSearchOf } from '../parts/use-search-of.ts';
import type { Kpi } from '../../../src/management/kpi/schema.ts';
import { RangePicker } from '../parts/range-picker.tsx';
import { chosenRange, type RangeSearch } from '../parts/range-search.ts';
import { reportWindow } from '../parts/ranges.ts';
import { roleOf, useSession } from '../api/session.ts';
import { EditForm } from '../parts/forms/edit-form.tsx';
import { useEditOf } from '../parts/forms/use-edit.ts';
import { isolated } from '../parts/isolated.ts';
import { tell } from '../parts/notices.tsx';
import { ArchiveButton } from './archive-line-item.tsx';
import { describeCapping } from './capping.ts';
import { lineItemsApiOf, pagesOf, usePartnerId } from './partner.ts';
import { readLineItemSearch } from './search.ts';
import { StatusButton } from './status-button.tsx';
import { KpiChart } from './kpi-chart.tsx';
import { KpiFigures } from './kpi-figures.tsx';
import { KpiTable } from './kpi-table.tsx';
import { sumKpis } from './kpis.ts';
import { useKpis } from './use-kpis.ts';
import { CapUse } from './cap-use.tsx';
import { bodyOf, draftOf, wordsOf, type LineItemDraft } from './line-item-draft.ts';
import { LineItemFields } from './line-item-fields.tsx';

const EVERY_MS = 10_000;

/** One line item: what became of it, and what it is. */
export function LineItemPage() {
  const partnerId = usePartnerId();
  const { lineItemId = '' } = useParams({ strict: false });
  const path = `${lineItemsApiOf(partnerId)}${lineItemId}/` as const;
  const asked = useAsk(path, {}, { everyMs: EVERY_MS });
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

interface LineItemPerformanceProps {
  readonly partnerId: string;
  readonly lineItem: ShownLineItem;
  readonly search: RangeSearch;
  readonly onSearch: (search: RangeSearch) => void;
}

/** What became of a line item on some days. */
function LineItemPerformance(props: LineItemPerformanceProps) {
  const { partnerId, lineItem, search, onSearch } = props;
  const asked = useKpis(partnerId, chosenRange(search, '7d'), [lineItem.id]);
  return (
    <Stack gap="lg">
      <RangePicker search={search} fallback="7d" onChange={onSearch} window={reportWindow()} />
      <Loaded asked={asked} skeleton={<Skeleton height={620} />}>
        {(rows: readonly Kpi[]) => (
          <>
            <KpiFigures sums={sumKpis(rows)} />
            {rows.length > 1 && (
              <Paper p="lg" mb="lg">
                <KpiChart label={`Spend and impressions of ${lineItem.name}`} rows={rows} />
              </Paper>
            )}
            <Paper p="lg">
              <Title order={2} mb="sm">
                Day by day
              </Title>
              <KpiTable rows={rows} />
            </Paper>
          </>
        )}
      </Loaded>
    </Stack>
  );
}

interface LineItemSettingsProps {
  readonly partnerId: string;
  readonly lineItem: ShownLineItem;
  readonly etag: string | null;
}

/** Edits a line item. */
function LineItemSettings({ partnerId, lineItem, etag }: LineItemSettingsProps) {
  const isOperator = roleOf(useSession()) === 'operator';
  const edit = useEditOf<ShownLineItem, LineItemDraft>(
    { draftOf, bodyOf: (draft) => bodyOf(draft, isOperator), wordsOf },
    {
      start: draftOf(lineItem),
      etag,
      path: `${lineItemsApiOf(partnerId)}${lineItem.id}/`,
      onSaved: ({ name }) => tell(`${isolated(name)} is saved.`),
    },
  );
  const isArchived = lineItem.status === 'ARCHIVED';
  return (
    <div style={{ maxWidth: 820 }}>
      <EditForm
        edit={edit}
        label="Settings of the line item"

        changedAt={lineItem.updated_at}
      >
        {isArchived && <Text>This line item is archived: it buys nothing any more.</Text>}
        <fieldset disabled={isArchived} style={{ border: 0, margin: 0, padding: 0, minWidth: 0 }}>
          <LineItemFields
            draft={edit.draft}
            onChange={edit.put}
            problems={edit.problems}
            isOperator={isOperator}
            capUse={
              <CapUse partnerId={partnerId} lineItemId={lineItem.id} capping={lineItem.capping} />
            }
          />
        </fieldset>
      </EditForm>
    </div>
  );
}
