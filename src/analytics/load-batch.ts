import { MONEY_SCHEMA } from '../events/money-record.ts';
import { startOfSegment } from '../events/segment-start.ts';
import { TRACE_SCHEMA } from '../events/trace-record.ts';
import type { AnalyticsStore } from '../ports/analytics-store.ts';
import { streamOf, type Batch, type BatchManifest, type BatchStream } from '../ports/batch.ts';
import type { OffsetStore } from '../ports/offset-store.ts';
import { batchToken } from './batch-token.ts';
import { figuresOf } from './held.ts';
import { holdInEntry, type Holding } from './hold-batch.ts';
import { insertBatch } from './insert-batch.ts';
import type { LoadResult } from './load-result.ts';
import { placeOf } from './place.ts';
import { findPresent } from './present-records.ts';
import type { Quarantine } from './quarantine.ts';

export interface LoaderOptions {
  readonly store: AnalyticsStore;
  readonly offsets: OffsetStore;
  readonly quarantine: Quarantine;
  /** Unix time in milliseconds. */
  readonly now?: () => number;
  /** Told of every failure that is tried again. */
  readonly onRetry?: (error: unknown) => void;
  /** Told of the records of money that a batch brought, once they are loaded for good. */
  readonly onLoaded?: (records: Uint8Array) => Promise<void>;
  /** When all journals were last asked for again, Unix time in milliseconds; 0 for never, as by default. */
  readonly reofferedAt?: () => Promise<number>;
  /** Told of days whose rollups may lack records that are in the raw table; see `giveUp`. */
  readonly onUnsure?: (dates: readonly string[]) => void;
}

/** The same with what was left out. */
export type LoadOptions = LoaderOptions &
  Required<Pick<LoaderOptions, 'now'>> & {
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
  const token = batchToken(batch);
  const known = await offsets.read(incarnation, stream);
  const place = placeOf(segments, token, known);
  if (place.kind !== 'next') return place;

  // Looked up before the INSERT is begun, and kept: once it was begun, its own records are there, too.
  const present =
    known.pending?.present ??
    ((await mayBeThere(manifest, options)) ? await findPresent(options.store, batch) : null);
  await offsets.begin({ token, manifest, ...(present === null ? {} : { present }) });
  const holding = await (options.holding?.() ?? holdInEntry(batch, token, options));
  const { refusedBefore } = holding;
  const outcome = await insertBatch(batch, token, {
    store: options.store,
    present: present ?? [],
    onRetry,
    refusedBefore,
    hold: (refused) => holding.hold(refused),
  });
  if (outcome.kind === 'failed') return outcome;
  await offsets.commit(manifest);
  if (stream === 'money') await options.onLoaded?.(outcome.bytes);
  const { records } = outcome;
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
async function mayBeThere(
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
