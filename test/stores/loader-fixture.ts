import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

import { openChdb } from '../../src/adapters/chdb.ts';
import { openSqlite } from '../../src/adapters/sqlite.ts';
import { createLoader, type Loader } from '../../src/analytics/load.ts';
import { migrateAnalytics } from '../../src/analytics/migrate.ts';
import { createQuarantine, type Quarantine } from '../../src/analytics/quarantine.ts';
import type { Report, ReportRow } from '../../src/analytics/report.ts';
import { RollupSteps } from '../../src/analytics/step-rollups.ts';
import { migrateConfiguration } from '../../src/configuration/migrate.ts';
import { createOffsetStore } from '../../src/configuration/offset-store.ts';
import type { Database } from '../../src/configuration/schema.ts';
import { MONEY_SCHEMA, type MoneyRecord } from '../../src/events/money-record.ts';
import type { AnalyticsStore } from '../../src/ports/analytics-store.ts';
import type { Batch, SegmentRange } from '../../src/ports/batch.ts';
import type { OffsetStore } from '../../src/ports/offset-store.ts';
import { NODE } from './loader-beacons.ts';
import { expectTables, readTables, TABLES, type Table } from './loader-oracle.ts';
import { encode } from './loader-records.ts';
import { copyAnalytics } from '../support/analytics-store.ts';
import { atEnd } from '../support/at-end.ts';

export const NODE_A = NODE;
export const NODE_B = 'bbbbbbbbbbbbbbbb';

/** The bytes of a segment's header, which a batch covers and does not hold. */
const HEADER_BYTES = 150;

/** An analytics store with all that loading needs. */
export interface Analytics {
  readonly directory: string;
  readonly store: AnalyticsStore;
  readonly offsets: OffsetStore;
  readonly quarantine: Quarantine;
  readonly steps: RollupSteps;
  /** Fills the rollups after each batch, as control does some seconds later. */
  readonly loader: Loader;
}

export async function makeDirectory(context: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'rialto-loader-'));
  atEnd(context, () => rm(directory, { recursive: true }));
  return directory;
}

/** Opens what lies in the directory, or makes it; whoever opens it closes it, once or more. */
export async function openAnalytics(
  directory: string,
  wrap: (parts: { store: AnalyticsStore; offsets: OffsetStore }) => {
    store: AnalyticsStore;
    offsets: OffsetStore;
  } = (parts) => parts,
): Promise<Analytics & { close(): Promise<void> }> {
  const chdb = await openChdb({ directory: join(directory, 'analytics') });
  const db = await openSqlite<Database>(join(directory, 'offsets.sqlite'));
  await migrateConfiguration(db);
  const { store, offsets } = wrap({ store: chdb, offsets: createOffsetStore(db, 'local') });
  await migrateAnalytics(chdb);
  const quarantine = createQuarantine(join(directory, 'quarantine'));
  const steps = new RollupSteps({ store, offsets });
  return {
    directory,
    store,
    offsets,
    quarantine,
    steps,
    loader: fillingLoader(createLoader({ store, offsets, quarantine }), steps),
    close: async () => {
      await chdb.close();
      await db.destroy();
    },
  };
}

/** The rollups have what was loaded when the loader has answered. */
export function fillingLoader(loader: Loader, steps: RollupSteps): Loader {
  const filled = async <T>(result: T): Promise<T> => {
    await loader.exclusively(() => steps.fill());
    return result;
  };
  return {
    ...loader,
    load: async (batch) => filled(await loader.load(batch)),
    giveUp: async (givenUp) => filled(await loader.giveUp(givenUp)),
    retryHeld: async (id) => filled(await loader.retryHeld(id)),
  };
}

/** Opens what lies in the directory, or a copy of an empty store; it is closed when the test ends, or before. */
export async function openAnalyticsIn(
  context: TestContext,
  directory: string,
  wrap?: Parameters<typeof openAnalytics>[1],
): ReturnType<typeof openAnalytics> {
  const place = join(directory, 'analytics');
  if (!existsSync(place)) await copyAnalytics(place);
  const analytics = await openAnalytics(directory, wrap);
  atEnd(context, () => analytics.close());
  return analytics;
}

/** An analytics store for one test. */
export async function testAnalytics(
  context: TestContext,
  wrap?: Parameters<typeof openAnalytics>[1],
): Promise<Analytics> {
  return openAnalyticsIn(context, await makeDirectory(context), wrap);
}

/** Fills the rollups from all that is in the raw tables, of which nothing else is known. */
export async function fillRollups(store: AnalyticsStore): Promise<void> {
  const unused = () => assert.fail('unused');
  const none = () => Promise.resolve([]);
  const offsets: OffsetStore = {
    read: unused,
    begin: unused,
    commit: unused,
    release: unused,
    pending: none,
    settled: none,
    forgetSettled: () => Promise.resolve(),
  };
  await new RollupSteps({ store, offsets }).fill();
}

/** A report with all of its rows. */
export async function allOf({
  columns,
  rows,
}: Report): Promise<{ columns: readonly string[]; rows: readonly ReportRow[] }> {
  return { columns, rows: (await Array.fromAsync(rows)).flat() };
}

/** A segment as a courier sees it: it hands out batches, each beginning where the last one ended. */
export class Segment {
  readonly name: string;
  readonly incarnation: string;
  #end = 0;

  constructor(name = 'money-1.ndjson', incarnation = NODE_A) {
    this.name = name;
    this.incarnation = incarnation;
  }

  /** The next range of the segment, which holds these bytes. */
  next(bytes: Uint8Array): SegmentRange {
    const start = this.#end;
    const from = start === 0 ? HEADER_BYTES : start;
    this.#end = from + bytes.length;
    return { segment: this.name, start, from, end: this.#end };
  }

  batch(records: readonly unknown[]): Batch {
    return this.batchOf(encode(records));
  }

  batchOf(records: Uint8Array): Batch {
    const segments = [this.next(records)];
    return {
      manifest: { incarnation: this.incarnation, schema: MONEY_SCHEMA, segments },
      records,
    };
  }
}

/** The raw table and every rollup, or those tables, hold exactly these records, once each. */
export async function assertHolds(
  store: AnalyticsStore,
  records: readonly MoneyRecord[],
  tables: readonly Table[] = TABLES,
): Promise<void> {
  const actual = await readTables(store);
  const expected = expectTables(records);
  const differences = tables.flatMap((table) => {
    const places = new Set([...Object.keys(actual[table]), ...Object.keys(expected[table])]);
    return [...places]
      .filter((place) => actual[table][place] !== expected[table][place])
      .map((place) => `${table} ${place}: ${actual[table][place]}, not ${expected[table][place]}`);
  });
  assert.deepEqual(differences.slice(0, 10), []);
}
