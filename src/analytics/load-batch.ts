import { MONEY_SCHEMA } from '../events/money-record.ts';
import { startOfSegment } from '../events/segment-start.ts';
import { TRACE_SCHEMA } from '../events/trace-record.ts';
import type { AnalyticsStore } from '../ports/analytics-store.ts';
import { streamOf, type Batch, type BatchManifest, type BatchStream } from '../ports/batch.ts';
import type { OffsetStore, PendingBatch } from '../ports/offset-store.ts';
import type { BatchLine } from './batch-lines.ts';
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

/** The order of the steps is what makes it exact: see docs/decisions/0009-analytics.md. */
export async function loadBatch(batch: Batch, options: LoadOptions): Promise<LoadResult> {
  const { offsets, onRetry } = options;
  const { manifest } = batch;
  const { incarnation, segments } = manifest;
  const stream = streamOf(manifest);
  if (manifest.schema > SCHEMA_OF[stream]) {
    return { kind: 'failed', reason: `schema ${manifest.schema} is newer than this version` };
  }
  let known = await offsets.read(incarnation, stream);
  if (known.pending !== null) {
    await settleLoad(options.store, offsets, known.pending);
    await options.onLoaded?.(stream, null);
    known = await offsets.read(incarnation, stream);
  }
  const token = batchToken(batch);
  const place = placeOf(segments, token, known);
  if (place.kind !== 'next') return place;

  const mayBeThere = known.pending !== null || (await wasOffered(manifest, options));
  const present = mayBeThere ? await findPresent(options.store, batch) : [];
  const holding = await (options.holding?.() ?? holdInEntry(batch, token, options));
  const { refusedBefore } = holding;
  const load = await options.nextLoad();
  let pending: PendingBatch = { token, manifest, load, records: 0 };
  const outcome = await insertBatch(batch, {
    store: options.store,
    load,
    present,
    onRetry,
    refusedBefore,
    hold: (refused) => holding.hold(refused),
    begin: (records) => {
      pending = { ...pending, records };
      return offsets.begin(pending);
    },
  });
  if (outcome.kind === 'failed') return outcome;
  await offsets.commit(pending);
  await options.onLoaded?.(stream, outcome.last === undefined ? null : lineOf(batch, outcome.last));
  const { records } = outcome;
  const held = holding.held();
  const [first] = held?.parts ?? [];
  if (held === null || first === undefined) return { kind: 'loaded', records };
  const { refused, missing } = figuresOf([held]);
  return { kind: 'quarantined', records, refused, missing, reason: first.reason };
}

function lineOf({ records }: Batch, { from, to }: BatchLine): Uint8Array {
  return records.subarray(from, to);
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
