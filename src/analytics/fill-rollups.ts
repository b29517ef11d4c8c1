import type { AnalyticsStore } from '../ports/analytics-store.ts';
import { streamOf } from '../ports/batch.ts';
import type { OffsetStore } from '../ports/offset-store.ts';
import { textOf } from './cells.ts';
import { addDays } from './dates.ts';
import type { Loader } from './load.ts';
import { RAW_DAYS, rebuildRollups } from './rebuild.ts';

/** The rollups that came after the raw records of a store may have; see `sql/0010` and `0011`. */
const LATER_ROLLUPS = ['call_reasons_daily', 'bid_reasons_daily', 'traffic_10s'];

/** What the comment of a rollup says that has been filled. */
const FILLED = 'filled from raw records';

export interface FillOptions {
  readonly store: AnalyticsStore;
  readonly offsets: OffsetStore;
  readonly loader: Pick<Loader, 'exclusively'>;
  /** The current day, YYYY-MM-DD. */
  readonly today: string;
  /** Aborted when the store is about to be closed. */
  readonly signal: AbortSignal;
}

/**
 * Fills the rollups that an upgrade has made with what raw records there are, a day at a time and the
 * newest first, so that loading goes on in between. One that is filled has a mark that says so; what
 * was cut off is begun anew, which changes nothing of what was done.
 *
 * @returns false while a batch is unfinished, or when the signal came: to be tried again.
 */
export async function fillRollups(options: FillOptions): Promise<boolean> {
  const { store, loader, today, signal } = options;
  const tables = await readUnfilled(store);
  if (tables.length === 0) return true;
  for (const date of await readRawDays(store, today)) {
    if (signal.aborted) return false;
    const isDone = await loader.exclusively(() => fillDay(options, date, tables));
    if (!isDone) return false;
  }
  for (const table of tables) {
    await store.command(`ALTER TABLE ${table} MODIFY COMMENT '${FILLED}'`);
  }
  return true;
}

async function readUnfilled(store: AnalyticsStore): Promise<string[]> {
  const rows = await store.query(
    `SELECT name FROM system.tables
     WHERE database = currentDatabase() AND name IN {tables:Array(String)} AND comment != {filled:String}`,
    { tables: LATER_ROLLUPS, filled: FILLED },
  );
  return rows.map((row) => textOf(row, 'name'));
}

/** The days that raw records are complete for and that have any, the newest first. */
async function readRawDays(store: AnalyticsStore, today: string): Promise<string[]> {
  const rows = await store.query(
    `SELECT DISTINCT toString(toDate(partition)) AS day FROM system.parts
     WHERE database = currentDatabase() AND table = 'money' AND active AND rows > 0
     ORDER BY day DESC`,
  );
  const first = addDays(today, 1 - RAW_DAYS);
  return rows.map((row) => textOf(row, 'day')).filter((day) => day >= first);
}

/** A batch that is unfinished may be in the raw records and will be counted when it comes again. */
async function fillDay(
  { store, offsets, today }: FillOptions,
  date: string,
  tables: readonly string[],
): Promise<boolean> {
  const isPending = (await offsets.pending()).some(
    ({ manifest }) => streamOf(manifest) === 'money',
  );
  if (isPending) return false;
  await rebuildRollups({ store, offsets, startDate: date, endDate: date, today, tables });
  return true;
}
