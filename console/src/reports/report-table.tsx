import { Button, Center, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { DataTable, type Column } from '../parts/data-table.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import type { Group } from './pivot.ts';
import type { Metric, Side, Sums } from './sides.ts';

interface ReportTableProps {
  readonly side: Side;
  readonly by: readonly string[];
  /** In the order that `sort` says. */
  readonly rows: readonly Group[];
  readonly total: Sums;
  readonly nameOf: ((dimension: string, value: string) => string | null) | undefined;
  readonly sort: { readonly id: string; readonly desc: boolean } | null;
  readonly onSort: (sort: { readonly id: string; readonly desc: boolean } | null) => void;
  readonly onPick: (row: Group) => void;
}

const ROWS_AT_ONCE = 100;

/** The groups of a report with their figures, and all of them together. */
export function ReportTable({
  side,
  by,
  rows,
  total,
  nameOf,
  sort,
  onSort,
  onPick,
}: ReportTableProps) {
  const [most, setMost] = useState(ROWS_AT_ONCE);
  const columns = useMemo(
    (): Column<Group>[] => [
      ...by.map((dimension, index) => dimensionColumn(side, dimension, index, nameOf)),
      ...side.metrics.map((metric) => metricColumn(metric)),
    ],
    [side, by, nameOf],
  );
  return (
    <>
      <DataTable
        key={by.join()}
        label="Report"
        columns={columns}
        rows={rows.slice(0, most)}
        rowKey={({ key }) => key}
        {...(sort === null ? {} : { sortedBy: sort })}
        onSort={onSort}
        onRowClick={onPick}
        total={{ label: 'Total', row: { key: 'total', values: [], sums: total } }}
        empty={
          <EmptyState title="Nothing on these days">
            Choose other days, or remove a filter. What happens now is here within seconds.
          </EmptyState>
        }
      />
      {rows.length > most && (
        <Center p="sm">
          <Button variant="subtle" onClick={() => setMost(most + ROWS_AT_ONCE * 5)}>
            Show more ({rows.length - most} left)
          </Button>
        </Center>
      )}
    </>
  );
}

function dimensionColumn(
  side: Side,
  dimension: string,
  index: number,
  nameOf: ReportTableProps['nameOf'],
): Column<Group> {
  return {
    id: dimension,
    header: side.dimensions[dimension] ?? dimension,
    value: ({ values }) => values[index] ?? '',
    cell: ({ values }) => {
      const value = values[index] ?? '';
      return value === '' ? (
        <Text inherit c="dimmed" span>
          unknown
        </Text>
      ) : (
        <span className={dimension === 'date' ? 'nowrap' : ''}>
          {nameOf?.(dimension, value) ?? value}
        </span>
      );
    },
  };
}

function metricColumn({ name, label, value, format }: Metric): Column<Group> {
  return {
    id: name,
    header: label,
    format,
    value: ({ sums }) => value(sums),
  };
}
