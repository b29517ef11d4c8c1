import { csvOf } from '../../../src/base/csv.ts';
import type { Group } from './pivot.ts';
import type { ReportSearch } from './search.ts';
import type { Metric, Side } from './sides.ts';

/** By date where that is there, else by the first figure, unless the address says otherwise. */
export function sortOf(
  by: readonly string[],
  { sort, desc = false }: ReportSearch,
): { id: string; desc: boolean } | null {
  if (sort !== undefined && sort !== '') return { id: sort, desc };
  return by.includes('date') ? { id: 'date', desc: true } : null;
}

/** The rows in the order that the address says. */
export function sorted(
  groups: readonly Group[],
  by: readonly string[],
  side: Side,
  search: ReportSearch,
): readonly Group[] {
  const { id, desc } = sortOf(by, search) ?? { id: side.metrics[0]?.name ?? '', desc: true };
  const metric = side.metrics.find(({ name }) => name === id);
  const index = by.indexOf(id);
  const compare = (one: Group, other: Group): number =>
    metric === undefined
      ? (one.values[index] ?? '').localeCompare(other.values[index] ?? '')
      : (metric.value(one.sums) ?? -1) - (metric.value(other.sums) ?? -1);
  return groups.toSorted((one, other) => (desc ? compare(other, one) : compare(one, other)));
}

/** Exactly the rows and columns of the table, in its order; ratios as numbers, unknown ones empty. */
export function csvTextOf(
  rows: readonly Group[],
  by: readonly string[],
  { metrics }: Side,
): string {
  const cell = ({ value }: Metric, row: Group): string | number => value(row.sums) ?? '';
  return csvOf(
    [...by, ...metrics.map(({ name }) => name)],
    rows.map((row) =>
      Object.fromEntries([
        ...by.map((dimension, index): [string, string] => [dimension, row.values[index] ?? '']),
        ...metrics.map((metric): [string, string | number] => [metric.name, cell(metric, row)]),
      ]),
    ),
  );
}
