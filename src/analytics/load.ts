import { isUtf8 } from 'node:buffer';
import { setTimeout as sleep } from 'node:timers/promises';

import { Backoff, jittered } from '../base/backoff.ts';
import { MONEY_SCHEMA } from '../events/money-record.ts';
import { TRACE_SCHEMA } from '../events/trace-record.ts';
import type { AnalyticsStore } from '../ports/analytics-store.ts';
import { BATCH_BYTES_MAX, streamOf, type Batch, type BatchStream } from '../ports/batch.ts';
import type { OffsetStore } from '../ports/offset-store.ts';
import { batchToken } from './batch-token.ts';
import { insertSql, insertTraceSql } from './insert-sql.ts';
import type { LoadResult } from './load-result.ts';
import { placeOf } from './place.ts';
import { findPresent, tokenWithout, withoutLines } from './present-records.ts';
import type { Quarantine } from './quarantine.ts';
import { refusalOf } from './refusal.ts';
import { Turns } from './turns.ts';

export interface LoaderOptions {
  readonly store: AnalyticsStore;
  readonly offsets: OffsetStore;
  readonly quarantine: Quarantine;
  /** Told of every failure that is tried again. */
  readonly onRetry?: (error: unknown) => void;
  /** Told of the records of money that a batch brought, once they are loaded for good. */
  readonly onLoaded?: (records: Uint8Array) => Promise<void>;
}

/** Since the process began, for metrics. */
export interface LoadCounters {
  readonly batches: Readonly<Record<LoadResult['kind'], number>>;
  readonly records: number;
  readonly bytes: number;
  readonly retries: number;
}

export interface Loader {
  /**
   * Loads one batch: its records are then in the raw table and in every rollup exactly once, or
   * not at all. Batches are loaded one after the other, in the order of the calls, those of money
   * before all trace that waits.
   *
   * @throws TypeError when the batch is none: the caller has validated the manifest.
   */
  load(batch: Batch): Promise<LoadResult>;
  /** Runs work between two loads, while none is under way. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
  readonly counters: Readonly<Record<BatchStream, LoadCounters>>;
}

/** Tries of one call; the courier offers the batch again after that. */
const TRIES_MAX = 3;
const WAITS = { firstMs: 100, lastMs: 2_000 };

const NEWLINE = 0x0a;

export function createLoader(options: LoaderOptions): Loader {
  const counters = { money: countersAtZero(), trace: countersAtZero() };
  const turns = new Turns();
  return {
    counters,
    exclusively: (work) => turns.take(work, true),
    load: async (batch) => {
      assertBatch(batch);
      const stream = streamOf(batch.manifest);
      const counts = counters[stream];
      const onRetry = (error: unknown): void => {
        counts.retries += 1;
        options.onRetry?.(error);
      };
      const result = await turns.take(
        () => loadBatch(batch, { ...options, onRetry }),
        stream === 'money',
      );
      counts.batches[result.kind] += 1;
      if (result.kind === 'loaded') {
        counts.records += result.records;
        counts.bytes += batch.records.length;
      }
      return result;
    },
  };
}

function countersAtZero() {
  const batches = { loaded: 0, already: 0, quarantined: 0, conflict: 0, failed: 0 };
  return { batches, records: 0, bytes: 0, retries: 0 };
}

function assertBatch({ manifest, records }: Batch): void {
  if (records.length > BATCH_BYTES_MAX) {
    throw new TypeError(`A batch has at most ${BATCH_BYTES_MAX} bytes, not ${records.length}.`);
  }
  if (records.length > 0 && records.at(-1) !== NEWLINE) {
    throw new TypeError('A batch has whole lines: its last byte is a newline.');
  }
  const names = new Set(manifest.segments.map(({ segment }) => segment));
  if (names.size === 0 || names.size < manifest.segments.length) {
    throw new TypeError('A batch has one range of each of its segments, and one segment at least.');
  }
  const spanned = manifest.segments.reduce((sum, { start, end }) => sum + end - start, 0);
  if (manifest.segments.some(({ start, end }) => start >= end) || spanned < records.length) {
    throw new TypeError('The ranges of the batch are empty, or shorter than its records.');
  }
}

/** The order of the steps is what makes it exact: see docs/decisions/0009-analytics.md. */
async function loadBatch(batch: Batch, options: LoaderOptions): Promise<LoadResult> {
  const { store, offsets } = options;
  const { manifest } = batch;
  const { incarnation, segments } = manifest;
  const stream = streamOf(manifest);
  if (manifest.schema > SCHEMA_OF[stream]) {
    return { kind: 'failed', reason: `schema ${manifest.schema} is newer than this version` };
  }
  const token = batchToken(batch);
  const known = await offsets.read(incarnation, stream);
  const place = placeOf(segments, token, known);
  if (place.kind !== 'next') return place;

  // Looked up before the INSERT is begun, and kept: once it was begun, its own records are there, too.
  const present =
    known.pending?.present ?? (manifest.again === true ? await findPresent(store, batch) : null);
  await offsets.begin({ token, manifest, ...(present === null ? {} : { present }) });
  const left = present ?? [];
  const absent = { manifest, records: withoutLines(batch.records, left) };
  const { records } = absent;
  const outcome = await insert(absent, tokenWithout(token, left), options);
  if (outcome.kind === 'failed') return outcome;
  if (outcome.kind === 'quarantined') await options.quarantine.hold(token, absent, outcome.reason);
  await offsets.commit(manifest);
  if (outcome.kind === 'loaded' && stream === 'money') await options.onLoaded?.(records);
  return outcome.kind === 'loaded' ? { kind: 'loaded', records: countLines(records) } : outcome;
}

/** The newest records that this version can load. */
const SCHEMA_OF: Readonly<Record<BatchStream, number>> = {
  money: MONEY_SCHEMA,
  trace: TRACE_SCHEMA,
};

type InsertOutcome =
  | { readonly kind: 'loaded' }
  | Extract<LoadResult, { kind: 'quarantined' | 'failed' }>;

async function insert(
  { manifest, records }: Batch,
  token: string,
  { store, onRetry }: LoaderOptions,
): Promise<InsertOutcome> {
  if (records.length === 0) return { kind: 'loaded' };
  const objection = objectTo(records);
  if (objection !== null) return { kind: 'quarantined', reason: objection };
  const sql =
    streamOf(manifest) === 'money'
      ? insertSql(token, manifest.schema < MONEY_SCHEMA)
      : insertTraceSql(token);
  const waits = new Backoff(WAITS);
  for (let tries = 1; ; tries += 1) {
    try {
      await store.insert(sql, records);
      return { kind: 'loaded' };
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal !== null) return { kind: 'quarantined', reason: refusal };
      // Also after the last try: the next call begins with a store that can be trusted.
      const recovered = await store.recover().then(
        () => true,
        (fault: unknown) => onRetry?.(fault) ?? false,
      );
      if (!recovered || tries === TRIES_MAX) return { kind: 'failed', reason: describe(error) };
      onRetry?.(error);
    }
    await sleep(jittered(waits.next(), Math.random()));
  }
}

/** What must not get as far as the engine, because it would not be refused there. */
function objectTo(records: Uint8Array): string | null {
  // chdb takes the records as text: bytes that are none would be replaced without a word.
  if (!isUtf8(records)) return 'the records are not UTF-8';
  // They stand behind the INSERT, where an empty line ends them: what follows would be run as SQL.
  if (
    records[0] === NEWLINE ||
    Buffer.from(records.buffer, records.byteOffset, records.length).includes('\n\n')
  ) {
    return 'a line is empty';
  }
  return null;
}

function countLines(records: Uint8Array): number {
  let lines = 0;
  for (let at = records.indexOf(NEWLINE); at >= 0; at = records.indexOf(NEWLINE, at + 1)) {
    lines += 1;
  }
  return lines;
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
