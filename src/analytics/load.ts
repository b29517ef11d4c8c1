import { TaskQueue } from '../base/task-queue.ts';
import type { GivenUp, GivenUpAnswer } from '../ports/batch-wire.ts';
import { BATCH_BYTES_MAX, streamOf, type Batch, type BatchStream } from '../ports/batch.ts';
import { giveUpBatch } from './give-up-batch.ts';
import type { LoaderOptions } from './load-batch.ts';
import { countLoads } from './load-number.ts';
import type { LoadResult } from './load-result.ts';
import { BatchGatherer } from './gather-batches.ts';
import { loadTogether } from './load-together.ts';
import { dropHeld, retryHeld, type DropResult, type RetryResult } from './retry-held.ts';

/** Since the process began, for metrics. */
export interface LoadCounters {
  readonly batches: Readonly<Record<LoadResult['kind'], number>>;
  readonly records: number;
  readonly bytes: number;
  readonly retries: number;
}

export interface Loader {
  /**
   * Loads one batch: its records are then in the raw table exactly once, and will be in every rollup
   * with the next step. Batches of different nodes that wait are loaded together, those of a node one
   * after the other in the order of the calls, and money before all trace that waits.
   *
   * @throws TypeError when the batch is none: the caller has validated the manifest.
   */
  load(batch: Batch): Promise<LoadResult>;
  /**
   * Gives up a batch that its node cannot make again: it is not awaited any more, and what of it is in
   * the raw table counts.
   */
  giveUp(givenUp: GivenUp): Promise<GivenUpAnswer>;
  /** Tries the refused records of an entry in quarantine again; those that are refused stay there. */
  retryHeld(id: string): Promise<RetryResult>;
  /** Removes an entry from quarantine: what is in it is lost then. */
  dropHeld(id: string): Promise<DropResult>;
  /** Runs work between two loads, while none is under way. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
  readonly counters: Readonly<Record<BatchStream, LoadCounters>>;
}

const NEWLINE = 0x0a;

/** @param gatherMs how long a batch waits for those of other nodes, where there are others. */
export function createLoader(options: LoaderOptions, gatherMs = 0): Loader {
  const counters = { money: countersAtZero(), trace: countersAtZero() };
  const queue = new TaskQueue();
  const { now = Date.now } = options;
  const nextLoad = countLoads(options);
  const gathererOf = (stream: BatchStream): BatchGatherer => {
    const onRetry = (error: unknown): void => {
      counters[stream].retries += 1;
      options.onRetry?.(error);
    };
    return new BatchGatherer({
      load: (batches) => loadTogether(batches, { ...options, now, nextLoad, onRetry }),
      inTurn: (work) => queue.run(work, stream === 'money'),
      gatherMs,
    });
  };
  const gatherers = { money: gathererOf('money'), trace: gathererOf('trace') };
  return {
    counters,
    giveUp: (givenUp) => queue.run(() => giveUpBatch(givenUp, options), true),
    retryHeld: (id) => queue.run(() => retryHeld(id, { ...options, now, nextLoad }), true),
    dropHeld: (id) => queue.run(() => dropHeld(id, options), true),
    exclusively: (work) => queue.run(work, true),
    load: async (batch) => {
      assertBatch(batch);
      const stream = streamOf(batch.manifest);
      const counts = counters[stream];
      const result = await gatherers[stream].add(batch);
      counts.batches[result.kind] += 1;
      if (result.kind === 'loaded' || result.kind === 'quarantined') {
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

function assertBatch({ manifest, records, damaged }: Batch): void {
  const bytes = records.length + (damaged?.length ?? 0);
  if (bytes > BATCH_BYTES_MAX) {
    throw new TypeError(`A batch has at most ${BATCH_BYTES_MAX} bytes, not ${bytes}.`);
  }
  if (records.length > 0 && records.at(-1) !== NEWLINE) {
    throw new TypeError('A batch has whole lines: its last byte is a newline.');
  }
  const names = new Set(manifest.segments.map(({ segment }) => segment));
  if (names.size === 0 || names.size < manifest.segments.length) {
    throw new TypeError('A batch has one range of each of its segments, and one segment at least.');
  }
  const spanned = manifest.segments.reduce((sum, { start, end }) => sum + end - start, 0);
  if (manifest.segments.some(({ start, end }) => start >= end) || spanned < bytes) {
    throw new TypeError('The ranges of the batch are empty, or shorter than its records.');
  }
}
