import { CommandError } from '../base/errors.ts';
import type { AnalyticsStore } from '../ports/analytics-store.ts';
import { textOf } from './cells.ts';
import { addDays, eachDate, startOf } from './dates.ts';
import { readRollupSelects, type RollupSelect } from './rollup-views.ts';
import { ROLLUPS, type Rollup, type RollupDays } from './rollups.ts';
import type { RollupSteps } from './step-rollups.ts';

export interface RebuildOptions {
  readonly store: AnalyticsStore;
  readonly steps: Pick<RollupSteps, 'leave'>;
  /** Both included, YYYY-MM-DD, UTC. */
  readonly startDate: string;
  readonly endDate: string;
  /** The current day: raw records are complete for `RAW_DAYS` days up to it. */
  readonly today: string;
}

/** How many days of raw records there are for certain; `sql/0001-money.sql` keeps a day more. */
export const RAW_DAYS = 13;

/** What a rollup is written by must not be taken for something written before. */
const INSERT_SETTINGS =
  'SETTINGS async_insert = 0, insert_deduplicate = 0, max_partitions_per_insert_block = 400';

/**
 * Computes the rollups of some days anew from the raw records, by the same views that fill them, as
 * far as each is filled: what came later is for its next step. Each partition is replaced at once:
 * readers see it as it was or as it should be, and a rebuild that was cut off is repeated from its start.
 * To be run while no rollup is filled.
 *
 * @throws CommandError when raw records of these days may have expired.
 */
export async function rebuildRollups(options: RebuildOptions): Promise<void> {
  assertComplete(options);
  const selects = await readRollupSelects(options.store);
  for (const rollup of ROLLUPS) {
    const of = selects.get(rollup.table);
    if (rollup.days !== null && of !== undefined) {
      await rebuild(rollup, { ...rollup.days, ...of }, options);
    }
  }
}

function assertComplete({ startDate, endDate, today }: RebuildOptions): void {
  if (startOf(startDate) > startOf(endDate)) {
    throw new CommandError(`${startDate} comes after ${endDate}.`);
  }
  const first = addDays(today, 1 - RAW_DAYS);
  if (startOf(startDate) < startOf(first)) {
    throw new CommandError(`Raw records are complete from ${first} on: begin there, or later.`);
  }
}

/** A second table takes what the first has of other days, and the days anew; then they change. */
async function rebuild(
  rollup: Rollup,
  { day, partition, columns, select }: RollupDays & RollupSelect,
  { store, steps, startDate, endDate }: RebuildOptions,
): Promise<void> {
  const { table, source } = rollup;
  const fresh = `${table}_rebuild`;
  const within = `${day} BETWEEN '${startDate}' AND '${endDate}'`;
  const partitions = partitionsOf(partition, startDate, endDate);
  const last = await steps.leave(rollup);
  await store.command(`DROP TABLE IF EXISTS ${fresh} SYNC`);
  await store.command(`CREATE TABLE ${fresh} AS ${table}`);
  const inPartitions = `${partition}(${day}) IN (${partitions.join(', ')})`;
  await store.command(
    `INSERT INTO ${fresh} SELECT * FROM ${table} WHERE ${inPartitions} AND NOT ${within}
     ${INSERT_SETTINGS}`,
  );
  // The store does not see by itself that a step of ten seconds lies in one partition of raw records.
  const raw = `load <= ${last} AND date BETWEEN ''${startDate}'' AND ''${endDate}''`;
  await store.command(
    `INSERT INTO ${fresh} (${columns}) SELECT ${columns} FROM (${select}) WHERE ${within}
     ${INSERT_SETTINGS}, additional_table_filters = {'${source}': '${raw}'}`,
  );
  // A partition of which nothing is left cannot take the place of another.
  const filled = await readPartitions(store, fresh);
  for (const each of partitions) {
    const change = filled.has(each.replaceAll(/\D/g, ''))
      ? `REPLACE PARTITION ${each} FROM ${fresh}`
      : `DROP PARTITION ${each}`;
    await store.command(`ALTER TABLE ${table} ${change}`);
  }
  await store.command(`DROP TABLE ${fresh} SYNC`);
}

/** As `REPLACE PARTITION` names them: 202611, or '2026-11-30'. */
function partitionsOf(
  partition: RollupDays['partition'],
  startDate: string,
  endDate: string,
): string[] {
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
