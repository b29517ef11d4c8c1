import { readRange, type RangeSearch } from '../parts/range-search.ts';
import type { Side } from './sides.ts';

/** All that a report's page shows, as it stands in the address. */
export interface ReportSearch extends RangeSearch {
  readonly by?: readonly string[];
  readonly where?: Readonly<Record<string, string>>;
  /** What the chart shows. */
  readonly metric?: string;
  readonly sort?: string;
  readonly desc?: boolean;
}

/** Reads an address; what the side does not know is left out. */
export function readReportSearch(search: Record<string, unknown>, side: Side): ReportSearch {
  const isDimension = (name: unknown): name is string =>
    typeof name === 'string' && Object.hasOwn(side.dimensions, name);
  const by = Array.isArray(search['by']) ? search['by'].filter(isDimension) : [];
  const where = readWhere(search['where'], isDimension);
  const metric = side.metrics.find(({ name }) => name === search['metric'])?.name;
  const { sort, desc } = search;
  return {
    ...readRange(search),
    ...(by.length > 0 && { by: [...new Set(by)] }),
    ...(where !== null && { where }),
    ...(metric !== undefined && { metric }),
    ...(typeof sort === 'string' && { sort, desc: desc === true }),
  };
}

function readWhere(
  value: unknown,
  isDimension: (name: unknown) => name is string,
): Record<string, string> | null {
  if (typeof value !== 'object' || value === null) return null;
  const entries = Object.entries(value).filter(
    ([name, text]) => isDimension(name) && typeof text !== 'object',
  );
  return entries.length === 0
    ? null
    : Object.fromEntries(entries.map(([name, text]) => [name, String(text)]));
}
