import { RANGES, rangeOf, type DateRange, type RangeName } from './ranges.ts';

/** What a range stands as in an address: a name, or two days. */
export interface RangeSearch {
  readonly range?: RangeName;
  readonly from?: string;
  readonly to?: string;
}

/** The days that an address asks for. */
export function chosenRange({ range, from, to }: RangeSearch, fallback: RangeName): DateRange {
  if (from !== undefined && to !== undefined && from <= to) return { first: from, last: to };
  return rangeOf(range ?? fallback);
}

/** Reads a range of an address. */
export function readRange(search: Record<string, unknown>): RangeSearch {
  const { range, from, to } = search;
  const named = RANGES.find(({ name }) => name === range)?.name;
  if (named !== undefined) return { range: named };
  if (!isDay(from) || !isDay(to)) return {};
  return { from, to };
}

function isDay(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);
}
