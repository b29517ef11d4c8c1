import { isUtf8 } from 'node:buffer';
import { setTimeout as sleep } from 'node:timers/promises';

import { Backoff, jittered } from '../base/backoff.ts';
import { MONEY_SCHEMA } from '../events/money-record.ts';
import type { AnalyticsStore } from '../ports/analytics-store.ts';
import { BATCH_BYTES_MAX, type Batch } from '../ports/batch.ts';
import type { OffsetStore } from '../ports/offset-store.ts';
import { batchToken } from './batch-token.ts';
import { insertSql } from './insert-sql.ts';
import type { LoadResult } from './load-result.ts';
import { placeOf } from './place.ts';
import type { Quarantine } from './quarantine.ts';
import { refusalOf } from './refusal.ts';

export interface LoaderOptions {
  readonly store: AnalyticsStore;
  readonly offsets: OffsetStore;
  readonly quarantine: Quarantine;
  /** Told of every failure that is tried again. */
  readonly onRetry?: (error: unknown) => void;
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
   * not at all. Batches are loaded one after the other, in the order of the calls.
   *
   * @throws TypeError when the batch is none: the caller has validated the manifest.
   */
  load(batch: Batch): Promise<LoadResult>;
  /** Runs work between two loads, while none is under way. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
  readonly counters: LoadCounters;
}

/** Tries of one call; the courier offers the batch again after that. */
const TRIES_MAX = 3;
const WAITS = { firstMs: 100, lastMs: 2_000 };

const NEWLINE = 0x0a;

export function createLoader(options: LoaderOptions): Loader {
  const batches = { loaded: 0, already: 0, quarantined: 0, conflict: 0, failed: 0 };
  const counters = { batches, records: 0, bytes: 0, retries: 0 };
  let last: Promise<unknown> = Promise.resolve();
  const exclusively = <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };
  const onRetry = (error: unknown): void => {
    counters.retries += 1;
    options.onRetry?.(error);
  };
  return {
    counters,
    exclusively,
    load: async (batch) => {
      assertBatch(batch);
      const result = await exclusively(() => loadBatch(batch, { ...options, onRetry }));
      batches[result.kind] += 1;
      if (result.kind === 'loaded') {
        counters.records += result.records;
        counters.bytes += batch.records.length;
      }
      return result;
    },
  };
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
  const { offsets } = options;
  const { manifest, records } = batch;
  const { incarnation, segments } = manifest;
  if (manifest.schema > MONEY_SCHEMA) {
    return { kind: 'failed', reason: `schema ${manifest.schema} is newer than this version` };
  }
  const token = batchToken(batch);
  const place = placeOf(segments, token, await offsets.read(incarnation));
  if (place.kind !== 'next') return place;

  await offsets.begin({ token, manifest });
  const outcome = await insert(batch, token, options);
  if (outcome.kind === 'failed') return outcome;
  if (outcome.kind === 'quarantined') await options.quarantine.hold(token, batch, outcome.reason);
  await offsets.commit(incarnation, segments);
  return outcome.kind === 'loaded' ? { kind: 'loaded', records: countLines(records) } : outcome;
}

type InsertOutcome =
  | { readonly kind: 'loaded' }
  | Extract<LoadResult, { kind: 'quarantined' | 'failed' }>;

async function insert(
  { manifest, records }: Batch,
  token: string,
  { store, onRetry }: LoaderOptions,
): Promise<InsertOutcome> {
  if (records.length === 0) return { kind: 'loaded' };
  // chdb takes the records as text: bytes that are none would be replaced without a word.
  if (!isUtf8(records)) return { kind: 'quarantined', reason: 'the records are not UTF-8' };
  const sql = insertSql(token, manifest.schema < MONEY_SCHEMA);
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
