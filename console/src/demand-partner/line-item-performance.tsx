import { Paper, Skeleton, Stack, Title } from '@mantine/core';
import type { Kpi } from '../../../src/management/kpi/schema.ts';
import type { ShownLineItem } from '../../../src/management/line-items/schema.ts';
import { Loaded } from '../parts/loaded.tsx';
import { RangePicker } from '../parts/range-picker.tsx';
import { chosenRange, type RangeSearch } from '../parts/range-search.ts';
import { reportWindow } from '../parts/ranges.ts';
import { KpiChart } from './kpi-chart.tsx';
import { KpiFigures } from './kpi-figures.tsx';
import { KpiTable } from './kpi-table.tsx';
import { sumKpis } from './kpis.ts';
import { useKpis } from './use-kpis.ts';

interface LineItemPerformanceProps {
  readonly partnerId: string;
  readonly lineItem: ShownLineItem;
  readonly search: RangeSearch;
  readonly onSearch: (search: RangeSearch) => void;
}

/** What became of a line item on some days. */
export function LineItemPerformance(props: LineItemPerformanceProps) {
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
