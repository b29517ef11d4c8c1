import { dateOf } from '../../src/analytics/dates.ts';
import { createLoader } from '../../src/analytics/load.ts';
import { RollupSteps } from '../../src/analytics/step-rollups.ts';
import type { AnalyticsStore } from '../../src/ports/analytics-store.ts';
import type { OffsetStore } from '../../src/ports/offset-store.ts';
import type { Analytics } from './loader-fixture.ts';

const DAY_MS = 86_400_000;
/** A tenth of a second before the last midnight: two partitions of raw records. */
export const MIDNIGHT_MS = Math.floor(Date.now() / DAY_MS) * DAY_MS - 100;
export const TODAY = dateOf(Date.now());

/** As another process would find the stores, and use them. */
export function processOn({
  store,
  offsets,
  quarantine,
}: Pick<Analytics, 'store' | 'offsets' | 'quarantine'>) {
  return {
    loader: createLoader({ store, offsets, quarantine }),
    steps: new RollupSteps({ store, offsets }),
  };
}

/** The stores of a process that dies at its so-manieth word to one of them, before or after it is done. */
export function dying(
  { store, offsets }: Pick<Analytics, 'store' | 'offsets'>,
  at: number,
  when: 'before' | 'after',
): { store: AnalyticsStore; offsets: OffsetStore; said: () => number } {
  let words = 0;
  const say = async <T>(work: () => Promise<T>): Promise<T> => {
    words += 1;
    const isLast = words >= at;
    // Nothing is done by the dead.
    if (words > at || (isLast && when === 'before')) throw new Error('killed');
    const answer = await work();
    if (isLast) throw new Error('killed');
    return answer;
  };
  return {
    said: () => words,
    store: {
      command: (sql) => say(() => store.command(sql)),
      query: (sql, parameters) => say(() => store.query(sql, parameters)),
      stream: (sql) => store.stream(sql),
      insert: (sql, records) => say(() => store.insert(sql, records)),
      recover: () => say(() => Promise.resolve()),
      close: () => store.close(),
    },
    offsets: {
      read: (...args) => say(() => offsets.read(...args)),
      begin: (...args) => say(() => offsets.begin(...args)),
      commit: (...args) => say(() => offsets.commit(...args)),
      release: (...args) => say(() => offsets.release(...args)),
      pending: () => say(() => offsets.pending()),
      settled: () => say(() => offsets.settled()),
      forgetSettled: (...args) => say(() => offsets.forgetSettled(...args)),
    },
  };
}

/** Takes one day of the rows of the newest load away, as if its INSERT had been cut off over midnight. */
export async function cutAtMidnight(store: AnalyticsStore): Promise<void> {
  await store.command(
    `ALTER TABLE money DELETE WHERE load = (SELECT max(load) FROM money) AND date = toDate('${TODAY}')
     SETTINGS mutations_sync = 1`,
  );
}
