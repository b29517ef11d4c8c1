import { Button, Group, MultiSelect, Paper, Select, Stack, Text } from '@mantine/core';
import { Download } from 'lucide-react';
import { useMemo } from 'react';
import { useAsk } from '../api/use-ask.ts';
import { Loaded, TableSkeleton } from '../parts/loaded.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { RangePicker } from '../parts/range-picker.tsx';
import { chosenRange } from '../parts/range-search.ts';
import { reportWindow } from '../parts/ranges.ts';
import { saveText } from '../parts/save-text.ts';
import { byDay, pivot, type Group as Row, type ReportRow } from './pivot.ts';
import { ReportChart } from './report-chart.tsx';
import { ReportFilters } from './report-filters.tsx';
import { csvTextOf, sorted, sortOf } from './report-rows.ts';
import { ReportTable } from './report-table.tsx';
import type { ReportSearch } from './search.ts';
import type { Side } from './sides.ts';

interface ReportExplorerProps {
  readonly side: Side;
  readonly id: number;
  readonly search: ReportSearch;
  readonly onSearch: (search: ReportSearch) => void;
  /** Words for values that are ids: the names of ad spaces. */
  readonly nameOf?: (dimension: string, value: string) => string | null;
}

const NOTHING_LEFT: Readonly<Record<string, string>> = {};
const BY_DATE: readonly string[] = ['date'];

/**
 * A report to look around in. It is always asked for by day as well, since the chart shows days and
 * some figures of the supply report are there by day alone; what is shown is summed up from it.
 */
export function ReportExplorer({ side, id, search, onSearch, nameOf }: ReportExplorerProps) {
  const by = search.by ?? BY_DATE;
  const where = search.where ?? NOTHING_LEFT;
  const range = chosenRange(search, '7d');
  const dimensions = [...new Set(['date', ...by, ...Object.keys(where)])];
  const asked = useAsk(side.path(id), {
    start_date: range.first,
    end_date: range.last,
    group_by: dimensions.join(','),
  });
  const change = (changes: Partial<ReportSearch>): void => onSearch({ ...search, ...changes });
  return (
    <>
      <PageHeader
        title="Reports"
        description="What happened on each UTC day. Click a row to look into it; the address keeps what you see."
      />
      <Stack gap="md">
        <Group gap="sm" align="flex-end">
          <RangePicker
            search={search}
            fallback="7d"
            window={reportWindow()}
            onChange={(next) => {
              const { range: _range, from: _from, to: _to, ...rest } = search;
              onSearch({ ...rest, ...next });
            }}
          />
          <MultiSelect
            aria-label="Group by"
            placeholder={by.length === 0 ? 'Group by' : ''}
            miw={240}
            data={Object.entries(side.dimensions).map(([value, label]) => ({ value, label }))}
            value={[...by]}
            onChange={(next) => change({ by: next.length > 0 ? next : BY_DATE })}
          />
        </Group>
        <ReportFilters
          side={side}
          where={where}
          nameOf={nameOf}
          onChange={(next) => change({ where: next })}
        />
        <Loaded asked={asked} skeleton={<TableSkeleton rows={10} />}>
          {({ data }) => (
            <Shown {...{ side, search, by, where, range, rows: data, change, nameOf, id }} />
          )}
        </Loaded>
      </Stack>
    </>
  );
}

interface ShownProps {
  readonly side: Side;
  readonly id: number;
  readonly search: ReportSearch;
  readonly by: readonly string[];
  readonly where: Readonly<Record<string, string>>;
  readonly range: { readonly first: string; readonly last: string };
  readonly rows: readonly ReportRow[];
  readonly change: (changes: Partial<ReportSearch>) => void;
  readonly nameOf: ReportExplorerProps['nameOf'];
}

function Shown({ side, id, search, by, where, range, rows, change, nameOf }: ShownProps) {
  const { summed } = side;
  const { groups, total } = useMemo(
    () => pivot(rows, { by, where, summed }),
    [rows, by, where, summed],
  );
  const days = useMemo(
    () => byDay(rows, { where, summed, ...range }),
    // A range is two days, whatever object they stand in.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [rows, where, summed, range.first, range.last],
  );
  const metric = side.metrics.find(({ name }) => name === search.metric) ?? side.metrics[0];
  const shown = sorted(groups, by, side, search);
  const filter = (row: Row): void => {
    const values = by.map((dimension, index): [string, string] => [
      dimension,
      row.values[index] ?? '',
    ]);
    const next = nextDimension(side, [...by, ...Object.keys(where)]);
    change({
      where: { ...where, ...Object.fromEntries(values) },
      by: next === undefined ? by : [next],
    });
  };
  return (
    <Stack gap="md">
      {metric !== undefined && (
        <Paper p="md">
          <Select
            size="xs"
            w={180}
            mb="xs"
            aria-label="Chart of"
            allowDeselect={false}
            value={metric.name}
            data={side.metrics.map(({ name, label }) => ({ value: name, label }))}
            onChange={(name) => change(name === null ? {} : { metric: name })}
          />
          <ReportChart
            metric={metric}
            days={days}
            onPick={(day) => change({ from: day, to: day })}
          />
        </Paper>
      )}
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {groups.length === 1 ? '1 row' : `${groups.length} rows`}
        </Text>
        <Button
          size="xs"
          variant="default"
          leftSection={<Download size={14} aria-hidden />}
          disabled={groups.length === 0}
          onClick={() =>
            saveText(
              `rialto-${id}-${range.first}-${range.last}.csv`,
              'text/csv',
              csvTextOf(shown, by, side),
            )
          }
        >
          CSV of this table
        </Button>
      </Group>
      <Paper>
        <ReportTable
          {...{ side, by, rows: shown, total, nameOf }}
          sort={sortOf(by, search)}
          onSort={(sort) =>
            change(sort === null ? { sort: '', desc: false } : { sort: sort.id, desc: sort.desc })
          }
          onPick={filter}
        />
      </Paper>
    </Stack>
  );
}

/** What is looked at next inside of a row: the first that nothing is known of yet. */
function nextDimension(side: Side, known: readonly string[]): string | undefined {
  return Object.keys(side.dimensions).find((name) => !known.includes(name));
}
