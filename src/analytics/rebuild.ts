import { CommandError } from '../base/errors.ts';
import type { AnalyticsStore } from '../ports/analytics-store.ts';
import { streamOf } from '../ports/batch.ts';
import type { OffsetStore } from '../ports/offset-store.ts';
import { textOf } from './cells.ts';
import { addDays, eachDate, startOf } from './dates.ts';

export interface RebuildOptions {
  readonly store: AnalyticsStore;
  readonly offsets: OffsetStore;
  /** Both included, YYYY-MM-DD, UTC. */
  readonly startDate: string;
  readonly endDate: string;
  /** The current day: raw records are complete for `RAW_DAYS` days up to it. */
  readonly today: string;
  /** Those alone that are named; all where nothing is said. */
  readonly tables?: readonly string[];
}

/** How many days of raw records there are for certain; `sql/0001-money.sql` keeps a day more. */
export const RAW_DAYS = 13;

/** The rollups, with the column that is the day, and the length of their partitions. */
const ROLLUPS: readonly Rollup[] = [
  { table: 'demand_daily', day: 'date', partition: 'toYYYYMM' },
  { table: 'supply_daily', day: 'date', partition: 'toYYYYMM' },
  { table: 'lineitem_daily', day: 'date', partition: 'toYYYYMM' },
  { table: 'inventory_hourly', day: 'toDate(hour)', partition: 'toDate' },
  { table: 'billed_by_expiry', day: 'date', partition: 'toDate' },
  { table: 'call_reasons_daily', day: 'date', partition: 'toYYYYMM' },
  { table: 'bid_reasons_daily', day: 'date', partition: 'toYYYYMM' },
  { table: 'traffic_10s', day: 'toDate(step)', partition: 'toDate' },
];

interface Rollup {
  readonly table: string;
  readonly day: string;
  readonly partition: 'toYYYYMM' | 'toDate';
}

/** As in the loader: what a rollup is written by must not be taken for something written before. */
const INSERT_SETTINGS = 'SETTINGS async_insert = 0, insert_deduplicate = 0';

/**
 * Computes the rollups of some days anew from the raw records, by the same views that fill them.
 * Each partition is replaced at once: readers see it as it was or as it should be, and a rebuild
 * that was cut off is repeated from its start. To be run while nothing is loaded (`exclusively`).
 *
 * @throws CommandError when raw records of these days may have expired, or when a batch was begun
 *   and not acknowledged: its records may be in the raw table, and would be counted here and again
 *   when it is repeated.
 */
export async function rebuildRollups(options: RebuildOptions): Promise<void> {
  await assertComplete(options);
  const { tables } = options;
  const rollups = ROLLUPS.filter(({ table }) => tables?.includes(table) ?? true);
  for (const rollup of rollups) await rebuild(rollup, options);
}

async function assertComplete(options: RebuildOptions): Promise<void> {
  const { offsets, startDate, endDate, today } = options;
  if (startOf(startDate) > startOf(endDate)) {
    throw new CommandError(`${startDate} comes after ${endDate}.`);
  }
  const first = addDays(today, 1 - RAW_DAYS);
  if (startOf(startDate) < startOf(first)) {
    throw new CommandError(`Raw records are complete from ${first} on: begin there, or later.`);
  }
  // No rollup is made of traces.
  const pending = (await offsets.pending()).find(({ manifest }) => streamOf(manifest) === 'money');
  if (pending === undefined) return;
  throw new CommandError(
    `A batch of node ${pending.manifest.incarnation} was begun and not finished: ` +
      'start that node, and rebuild when its batch has been loaded.',
  );
}

/** A second table takes what the first has of other days, and the days anew; then they change. */
async function rebuild(rollup: Rollup, options: RebuildOptions): Promise<void> {
  const { store, startDate, endDate } = options;
  const { table, day } = rollup;
  const fresh = `${table}_rebuild`;
  const within = `${day} BETWEEN '${startDate}' AND '${endDate}'`;
  const partitions = partitionsOf(rollup, startDate, endDate);
  await store.command(`DROP TABLE IF EXISTS ${fresh} SYNC`);
  await store.command(`CREATE TABLE ${fresh} AS ${table}`);
  const inPartitions = `${rollup.partition}(${day}) IN (${partitions.join(', ')})`;
  await store.command(
    `INSERT INTO ${fresh} SELECT * FROM ${table} WHERE ${inPartitions} AND NOT ${within}
     ${INSERT_SETTINGS}`,
  );
  // The store does not see by itself that a step of ten seconds lies in one partition of raw records.
  const raw = `date BETWEEN ''${startDate}'' AND ''${endDate}''`;
  const settings = `${INSERT_SETTINGS}, additional_table_filters = {'money': '${raw}'}`;
  for (const { columns, select } of await readViews(store, table)) {
    await store.command(
      `INSERT INTO ${fresh} (${columns}) SELECT ${columns} FROM (${select}) WHERE ${within}
       ${settings}`,
    );
  }
  // A partition of which nothing is left cannot take the place of another.
  const filled = await readPartitions(store, fresh);
  for (const partition of partitions) {
    const change = filled.has(partition.replaceAll(/\D/g, ''))
      ? `REPLACE PARTITION ${partition} FROM ${fresh}`
      : `DROP PARTITION ${partition}`;
    await store.command(`ALTER TABLE ${table} ${change}`);
  }
  await store.command(`DROP TABLE ${fresh} SYNC`);
}

/** As `REPLACE PARTITION` names them: 202611, or '2026-11-30'. */
function partitionsOf({ partition }: Rollup, startDate: string, endDate: string): string[] {
  const names = eachDate(startDate, endDate).map((date) =>
    partition === 'toDate' ? `'${date}'` : date.slice(0, 'YYYY-MM'.length).replace('-', ''),
  );
  return [...new Set(names)];
}

/** The partitions that have rows: 202611, or 20261130. */
async function readPartitions(store: AnalyticsStore, table: string): Promise<Set<string>> {
  const rows = await store.query(
    `SELECT DISTINCT partition_id FROM system.parts
     WHERE database = currentDatabase() AND table = {table:String} AND active AND rows > 0`,
    { table },
  );
  return new Set(rows.map((row) => textOf(row, 'partition_id')));
}

/** The views that feed a rollup, known by their names. */
async function readViews(
  store: AnalyticsStore,
  table: string,
): Promise<{ columns: string; select: string }[]> {
  const views = await store.query(
    `SELECT name, as_select FROM system.tables
     WHERE database = currentDatabase() AND engine = 'MaterializedView'
       AND startsWith(name, {prefix:String})
     ORDER BY name`,
    { prefix: `${table}_from_` },
  );
  if (views.length === 0) throw new Error(`No view feeds ${table}.`);
  const columns = await store.query(
    `SELECT table, arrayStringConcat(groupArray(name), ', ') AS names FROM system.columns
     WHERE database = currentDatabase() AND startsWith(table, {prefix:String}) GROUP BY table`,
    { prefix: `${table}_from_` },
  );
  const columnsOf = new Map(columns.map((row) => [textOf(row, 'table'), textOf(row, 'names')]));
  return views.map((row) => ({
    columns: columnsOf.get(textOf(row, 'name')) ?? '',
    select: textOf(row, 'as_select'),
  }));
}
