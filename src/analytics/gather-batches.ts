import type { Batch } from '../ports/batch.ts';
import type { LoadResult } from './load-result.ts';
import type { LoadResults } from './load-together.ts';

/** Above this an INSERT costs no less for a record. */
export const GATHERED_BYTES_MAX = 16 * 1024 * 1024;

/**
 * From here on an INSERT of its own costs little more than a share of one, and nobody waits for others: a
 * node that has much to catch up with would wait with each of its batches.
 */
export const WORTH_AN_INSERT_BYTES = 2 * 1024 * 1024;

/** A node that was heard in this time is likely to come again within a second. */
const HEARD_WITHIN_MS = 3_000;

export interface BatchGathererOptions {
  /** Loads these batches by one INSERT; of one node there is one at most. */
  readonly load: (batches: readonly Batch[]) => Promise<LoadResults>;
  /** Runs work when it is its turn. */
  readonly inTurn: (work: () => Promise<void>) => Promise<void>;
  /** How long a batch waits for those of other nodes that were heard lately. */
  readonly gatherMs: number;
}

interface Waiting {
  readonly batch: Batch;
  readonly resolve: (result: LoadResult) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Gathers the batches of all nodes: an INSERT costs much the same for three records as for a thousand.
 * What comes while one is under way is in the next one. A batch waits a moment for those of other nodes,
 * and not where all are there, or there is only one, or much waits already.
 */
export class BatchGatherer {
  readonly #options: BatchGathererOptions;
  #waiting: Waiting[] = [];
  /** When each node was heard last, on the monotonic clock. */
  readonly #heard = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: BatchGathererOptions) {
    this.#options = options;
  }

  add(batch: Batch): Promise<LoadResult> {
    const { promise, resolve, reject } = Promise.withResolvers<LoadResult>();
    this.#waiting.push({ batch, resolve, reject });
    this.#heard.set(batch.manifest.incarnation, performance.now());
    const { gatherMs } = this.#options;
    if (gatherMs === 0 || this.#isWhole()) this.#load();
    else this.#timer ??= setTimeout(() => this.#load(), gatherMs);
    return promise;
  }

  #isWhole(): boolean {
    const sinceMs = performance.now() - HEARD_WITHIN_MS;
    for (const [node, heardMs] of this.#heard) if (heardMs < sinceMs) this.#heard.delete(node);
    const nodes = new Set(this.#waiting.map(({ batch }) => batch.manifest.incarnation));
    const bytes = this.#waiting.reduce((sum, { batch }) => sum + batch.records.length, 0);
    return nodes.size === this.#heard.size || bytes >= WORTH_AN_INSERT_BYTES;
  }

  #load(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    void this.#options.inTurn(() => this.#loadNext());
  }

  async #loadNext(): Promise<void> {
    const next = this.#takeNext();
    if (next.length === 0) return;
    try {
      const results = await this.#options.load(next.map(({ batch }) => batch));
      for (const [index, { resolve, reject }] of next.entries()) {
        const result = results[index];
        if (result?.status === 'fulfilled') resolve(result.value);
        else reject(result?.reason);
      }
    } catch (error) {
      for (const { reject } of next) reject(error);
    }
    if (this.#waiting.length > 0) this.#load();
  }

  /** In their order, as many as fit: one of each node, since the next one has to find it loaded. */
  #takeNext(): readonly Waiting[] {
    const taken: Waiting[] = [];
    const left: Waiting[] = [];
    const nodes = new Set<string>();
    let bytes = 0;
    for (const each of this.#waiting) {
      const { manifest, records } = each.batch;
      const fits = taken.length === 0 || bytes + records.length <= GATHERED_BYTES_MAX;
      if (!fits || nodes.has(manifest.incarnation)) {
        left.push(each);
        continue;
      }
      nodes.add(manifest.incarnation);
      bytes += records.length;
      taken.push(each);
    }
    this.#waiting = left;
    return taken;
  }
}
