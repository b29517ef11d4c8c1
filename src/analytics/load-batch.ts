import { MONEY_SCHEMA } from '../events/money-record.ts';
import { startOfSegment } from '../events/segment-start.ts';
import { TRACE_SCHEMA } from '../events/trace-record.ts';
import type { AnalyticsStore } from '../ports/analytics-store.ts';
import { streamOf, type Batch, type BatchManifest, type BatchStream } from '../ports/batch.ts';
import type { OffsetStore, PendingBatch } from '../ports/offset-store.ts';
import { linesOf, type BatchLine } from './batch-lines.ts';
import { batchToken } from './batch-token.ts';
import { figuresOf } from './held.ts';
import { holdInEntry, type Holding } from './hold-batch.ts';
import { insertBatch } from './insert-batch.ts';
import type { LoadResult } from './load-result.ts';
import { placeOf } from './place.ts';
import { findPresent } from './present-records.ts';
import type { Quarantine } from './quarantine.ts';
import { settleLoad } from './settle-load.ts';

export interface LoaderOptions {
  readonly store: AnalyticsStore;
  readonly offsets: OffsetStore;
  readonly quarantine: Quarantine;
  /** Unix time in milliseconds. */
  readonly now?: () => number;
  /** Told of every failure that is tried again. */
  readonly onRetry?: (error: unknown) => void;
  /** Told that records are loaded for good, and of the last of them where there are any. */
  readonly onLoaded?: (stream: BatchStream, last: Uint8Array | null) => Promise<void>;
  /** When all journals were last asked for again, Unix time in milliseconds; 0 for never, as by default. */
  readonly reofferedAt?: () => Promise<number>;
}

/** The same with what was left out. */
export type LoadOptions = LoaderOptions &
  Required<Pick<LoaderOptions, 'now'>> & {
    /** A number above all that any load ever had. */
    readonly nextLoad: () => Promise<number>;
    /** Where it is kept what is refused; in an entry of its own by default. */
    readonly holding?: () => Promise<Holding>;
  };

/** A batch that comes next of its node, with what has to be known before it is inserted. */
export interface ReadyBatch {
  readonly batch: Batch;
  readonly token: string;
  /** The number that its records will bear. */
  readonly load: number;
  /** Those that the raw table lacks. */
  readonly lines: readonly BatchLine[];
  readonly holding: Holding;
}

/** The order of the steps is what makes it exact: see docs/decisions/0009-analytics.md. */
export async function loadBatch(batch: Batch, options: LoadOptions): Promise<LoadResult> {
  const ready = await prepareBatch(batch, options);
  return 'kind' in ready ? ready : loadReady(ready, options);
}

/** Settles what was begun of the node before, and looks whether this batch comes next. */
export async function prepareBatch(
  batch: Batch,
  options: LoadOptions,
): Promise<ReadyBatch | LoadResult> {
  const { offsets, store } = options;
  const { manifest } = batch;
  const { incarnation, segments } = manifest;
  const stream = streamOf(manifest);
  if (manifest.schema > SCHEMA_OF[stream]) {
    return { kind: 'failed', reason: `schema ${manifest.schema} is newer than this version` };
  }
  let known = await offsets.read(incarnation, stream);
  if (known.pending !== null) {
    await settleLoad(store, offsets, known.pending);
    await options.onLoaded?.(stream, null);
    known = await offsets.read(incarnation, stream);
  }
  const token = batchToken(batch);
  const place = placeOf(segments, token, known);
  // It may have been committed by a call that did not see the answer, and told nobody.
  if (place.kind === 'already') await options.onLoaded?.(stream, null);
  if (place.kind !== 'next') return place;

  const mayBeThere = known.pending !== null || (await wasOffered(manifest, options));
  const present = new Set(mayBeThere ? await findPresent(store, batch) : []);
  const holding = await (options.holding?.() ?? holdInEntry(batch, token, options));
  const lines = linesOf(batch).filter((_, index) => !present.has(index));
  return { batch, token, load: await options.nextLoad(), lines, holding };
}

/** Loads a batch by an INSERT of its own. */
export async function loadReady(ready: ReadyBatch, options: LoadOptions): Promise<LoadResult> {
  const { store, offsets, onRetry } = options;
  const { load, holding } = ready;
  let pending = pendingOf(ready, 0);
  const outcome = await insertBatch(ready, {
    store,
    load,
    onRetry,
    refusedBefore: holding.refusedBefore,
    hold: (refused) => holding.hold(refused),
    begin: (records) => {
      pending = pendingOf(ready, records);
      return offsets.begin(pending);
    },
  });
  if (outcome.kind === 'failed') return outcome;
  await offsets.commit(pending);
  await tellLoaded(ready, outcome.last, options);
  return resultOf(ready, outcome.records);
}

export function pendingOf({ token, load, batch }: ReadyBatch, records: number): PendingBatch {
  return { token, manifest: batch.manifest, load, records };
}

/** Of a batch that is committed. */
export async function tellLoaded(
  { batch: { manifest, records } }: ReadyBatch,
  last: BatchLine | undefined,
  { onLoaded }: LoadOptions,
): Promise<void> {
  const line = last === undefined ? null : records.subarray(last.from, last.to);
  await onLoaded?.(streamOf(manifest), line);
}

/** What has become of a batch of which so many records were loaded. */
export function resultOf({ holding }: ReadyBatch, records: number): LoadResult {
  const held = holding.held();
  const [first] = held?.parts ?? [];
  if (held === null || first === undefined) return { kind: 'loaded', records };
  const { refused, missing } = figuresOf([held]);
  return { kind: 'quarantined', records, refused, missing, reason: first.reason };
}

/** A journal is offered again within this time: couriers keep for hours what was acknowledged. */
const REOFFER_MS = 24 * 3_600_000;
/** A node's clock may be ahead of this one's. */
const CLOCK_MARGIN_MS = 3_600_000;

/**
 * Whether lines of the batch may have been loaded under other offsets than those that are known. A
 * courier says so, unless it has lost its own state, or has not heard of the request yet: of processes
 * that began before it nothing is taken for new.
 */
async function wasOffered(
  { again, segments }: BatchManifest,
  { now, reofferedAt }: LoadOptions,
): Promise<boolean> {
  if (again === true) return true;
  const askedAt = (await reofferedAt?.()) ?? 0;
  if (now() - askedAt > REOFFER_MS) return false;
  return segments.some(({ segment }) => startOfSegment(segment) < askedAt + CLOCK_MARGIN_MS);
}

/** The newest records that this version can load. */
const SCHEMA_OF: Readonly<Record<BatchStream, number>> = {
  money: MONEY_SCHEMA,
  trace: TRACE_SCHEMA,
};
