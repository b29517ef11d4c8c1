import type { AnalyticsStore } from '../ports/analytics-store.ts';
import type { OffsetStore } from '../ports/offset-store.ts';
import { countOf } from './cells.ts';

/**
 * Gives a number for each load, above all that were ever given to one of this store: to rows that are
 * there or were counted, and to loads that were begun. One process at a time loads into a store.
 */
export function countLoads({
  store,
  offsets,
}: {
  readonly store: AnalyticsStore;
  readonly offsets: OffsetStore;
}): () => Promise<number> {
  let last: number | null = null;
  return async () => {
    last = (last ?? (await readLast(store, offsets))) + 1;
    return last;
  };
}

async function readLast(store: AnalyticsStore, offsets: OffsetStore): Promise<number> {
  const [row] = await store.query(
    `SELECT greatest((SELECT max(load) FROM money), (SELECT max(load) FROM trace),
       (SELECT max(last) FROM rollup_steps)) AS last`,
  );
  const begun = (await offsets.pending()).map(({ load }) => load ?? 0);
  const settled = (await offsets.settled()).map(({ load }) => load);
  return Math.max(row === undefined ? 0 : countOf(row, 'last'), ...begun, ...settled);
}
