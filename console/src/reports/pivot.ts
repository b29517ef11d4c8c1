import { daysBetween } from '../parts/days.ts';
import type { Sums } from './sides.ts';

/** A row of a report as it is answered: dimensions and sums by their names. */
export type ReportRow = Readonly<Record<string, string | number | boolean>>;

/** A group of rows with equal values of what is grouped by. */
export interface Group {
  readonly key: string;
  /** In the order of what is grouped by. */
  readonly values: readonly string[];
  readonly sums: Sums;
}

export interface Pivot {
  readonly groups: readonly Group[];
  readonly total: Sums;
}

interface Wanted {
  readonly by: readonly string[];
  /** What a row must say, by dimension. */
  readonly where: Readonly<Record<string, string>>;
  readonly summed: readonly string[];
}

/** Sums up the rows that were asked for, group by group, and all of them. */
export function pivot(rows: readonly ReportRow[], { by, where, summed }: Wanted): Pivot {
  const groups = new Map<string, { values: readonly string[]; sums: Map<string, number> }>();
  const total = zeros(summed);
  for (const row of matching(rows, where)) {
    const values = by.map((dimension) => textOf(row[dimension]));
    const key = JSON.stringify(values);
    const group = groups.get(key) ?? { values, sums: zeros(summed) };
    groups.set(key, group);
    add(group.sums, row, summed);
    add(total, row, summed);
  }
  return {
    groups: [...groups].map(([key, { values, sums }]) => ({ key, values, sums: read(sums) })),
    total: read(total),
  };
}

/** The sums of each day, also of those on which nothing was. */
export function byDay(
  rows: readonly ReportRow[],
  {
    where,
    summed,
    first,
    last,
  }: Omit<Wanted, 'by'> & { readonly first: string; readonly last: string },
): { readonly days: readonly string[]; readonly sums: readonly Sums[] } {
  const days = daysBetween(first, last);
  const { groups } = pivot(rows, { by: ['date'], where, summed });
  const known = new Map(groups.map(({ values, sums }) => [values[0] ?? '', sums]));
  return { days, sums: days.map((day) => known.get(day) ?? read(zeros(summed))) };
}

/** A value of a dimension as text: what filters and addresses name it by. */
function textOf(value: ReportRow[string] | undefined): string {
  return value === undefined ? '' : String(value);
}

function matching(
  rows: readonly ReportRow[],
  where: Readonly<Record<string, string>>,
): readonly ReportRow[] {
  const wanted = Object.entries(where);
  if (wanted.length === 0) return rows;
  return rows.filter((row) => wanted.every(([name, value]) => textOf(row[name]) === value));
}

function zeros(summed: readonly string[]): Map<string, number> {
  return new Map(summed.map((name) => [name, 0]));
}

function add(sums: Map<string, number>, row: ReportRow, summed: readonly string[]): void {
  for (const name of summed) {
    const value = row[name];
    if (typeof value === 'number') sums.set(name, (sums.get(name) ?? 0) + value);
  }
}

/** Money has nine decimals at most; what binary fractions add beyond them is none. */
function read(sums: Map<string, number>): Sums {
  return Object.fromEntries([...sums].map(([name, value]) => [name, Number(value.toFixed(9))]));
}
