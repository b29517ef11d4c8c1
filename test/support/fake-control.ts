import { Readable } from 'node:stream';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLoader } from '../../src/analytics/load.ts';
import type { LoadResult } from '../../src/analytics/load-result.ts';
import { createQuarantine } from '../../src/analytics/quarantine.ts';
import type { ControlAnswer, ControlRequest } from '../../src/courier/control-client.ts';
import { AnalyticsStoreError, type AnalyticsStore } from '../../src/ports/analytics-store.ts';
import {
  BATCH_PATHS,
  decodeBatch,
  GIVEN_UP_PATH,
  type GivenUp,
} from '../../src/ports/batch-wire.ts';
import { streamOf, type BatchManifest, type BatchStream } from '../../src/ports/batch.ts';
import type { OffsetStore, PendingBatch } from '../../src/ports/offset-store.ts';
import { unmarked } from './journal-lines.ts';

/**
 * What an offer meets: everything in order; the connection lost before control heard of it, or
 * after it had loaded it; control killed after the insertion and before the commit; a status
 * without an answer; no room for it; a schema that refuses it.
 */
export type OfferFate =
  | 'well'
  | 'lost before'
  | 'lost after'
  | 'killed between'
  | 'status 500'
  | 'not now'
  | 'refused';

const STATUS = { loaded: 200, already: 200, quarantined: 200, conflict: 409, failed: 503 } as const;

/** Control for tests of the courier: the real loader on stores in memory, and a bad connection. */
export class FakeControl {
  /** The records that were loaded, in their order. */
  readonly lines: string[] = [];
  /** The manifests that were offered, also those that control never heard of. */
  readonly offered: BatchManifest[] = [];
  readonly bodies: Buffer[] = [];
  /** Batches that the courier could not make again. */
  readonly givenUp: GivenUp[] = [];
  readonly statuses: unknown[] = [];
  readonly results: LoadResult['kind'][] = [];
  /** Of the next offers in turn; then all goes well. */
  fates: OfferFate[] = [];
  /** Called at each offer, before it meets its fate. */
  onOffer: () => void = () => {};
  readonly offsets = new Map<string, number>();
  readonly #pending = new Map<BatchStream, PendingBatch>();
  readonly #directory = mkdtempSync(join(tmpdir(), 'rialto-quarantine-'));
  /** By their numbers, how many records loads have. */
  readonly #loads = new Map<string, number>();
  readonly #marks: { readonly line: number; readonly crc: number }[] = [];
  #fate: OfferFate = 'well';
  readonly quarantine = createQuarantine(this.#directory);
  readonly #loader = createLoader({
    store: this.#makeStore(),
    offsets: this.#makeOffsets(),
    quarantine: this.quarantine,
  });

  /** Of money: the batch that was begun and not committed. */
  get pending(): PendingBatch | null {
    return this.#pending.get('money') ?? null;
  }

  /** What control does when it hears that segments are gone. */
  forget(segments: readonly string[]): void {
    for (const segment of segments) this.offsets.delete(segment);
  }

  async post({ path, body }: ControlRequest): Promise<ControlAnswer> {
    if (path === '/internal/nodes/status') {
      const status = JSON.parse(String(body));
      this.statuses.push(status);
      this.forget(status.gone);
      return {
        status: 200,
        text: '{"reofferedAt":0,"isBehind":false,"isStoreStrange":false}',
        retryAfterMs: 0,
      };
    }
    if (path === GIVEN_UP_PATH) {
      this.givenUp.push(JSON.parse(String(body)));
      const answer = await this.#loader.giveUp(JSON.parse(String(body)));
      return { status: 200, text: JSON.stringify(answer), retryAfterMs: 0 };
    }
    // The courier uses its buffer again.
    const bytes = Buffer.from(body);
    const batch = decodeBatch(bytes);
    if (batch === null || path !== BATCH_PATHS[streamOf(batch.manifest)]) {
      throw new Error('what was offered is no batch');
    }
    this.bodies.push(bytes);
    this.offered.push(batch.manifest);
    this.#fate = this.fates.shift() ?? 'well';
    this.onOffer();
    if (this.#fate === 'lost before') throw new Error('connection refused');
    if (this.#fate === 'status 500') return { status: 500, text: '{}', retryAfterMs: 0 };
    if (this.#fate === 'not now') return answerOf({ kind: 'failed', reason: 'not now' });
    const result = await this.#loader.load(batch).catch((error: unknown) => {
      if (this.#fate === 'killed between') return null;
      throw error;
    });
    if (result === null || this.#fate === 'lost after') throw new Error('connection reset');
    this.results.push(result.kind);
    return answerOf(result);
  }

  close(): void {
    rmSync(this.#directory, { recursive: true });
  }

  #makeStore(): AnalyticsStore {
    return {
      command: () => Promise.resolve(),
      query: async (sql, { crcs } = {}) => {
        const [, load] = /WHERE load = (\d+)$/.exec(sql) ?? [];
        if (load !== undefined) return [{ records: this.#loads.get(load) ?? 0 }];
        if (!Array.isArray(crcs)) return [];
        return this.#marks.filter(({ crc }) => crcs.some((each) => each === crc));
      },
      stream: () => Readable.from([]),
      recover: () => Promise.resolve(),
      close: () => Promise.resolve(),
      insert: async (sql, records) => {
        if (this.#fate === 'refused') throw new AnalyticsStoreError('no such column', 117);
        const [, load = ''] = /insert_deduplication_token = '(\d+)'/.exec(sql) ?? [];
        const rows = Buffer.from(records).toString().split('\n').slice(0, -1);
        this.#loads.set(load, rows.length);
        for (const row of rows) {
          const line = row.replace(`,"load":${load}}`, '}').replace(`${load}\t`, '');
          this.lines.push(unmarked(line) ?? `damaged: ${line}`);
          this.#marks.push(JSON.parse(line));
        }
      },
    };
  }

  #makeOffsets(): OffsetStore {
    return {
      read: (_incarnation, stream) =>
        Promise.resolve({ offsets: this.offsets, pending: this.#pending.get(stream) ?? null }),
      begin: async (pending) => {
        this.#pending.set(streamOf(pending.manifest), pending);
      },
      commit: async ({ manifest }) => {
        if (this.#fate === 'killed between') throw new Error('killed');
        for (const { segment, end } of manifest.segments) this.offsets.set(segment, end);
        this.#pending.delete(streamOf(manifest));
      },
      release: async ({ manifest }) => void this.#pending.delete(streamOf(manifest)),
      settled: () => Promise.resolve([]),
      forgetSettled: () => Promise.resolve(),
      pending: () => Promise.resolve([...this.#pending.values()]),
    };
  }
}

function answerOf(result: LoadResult): ControlAnswer {
  const retryAfterMs = result.kind === 'failed' ? 20 : 0;
  return { status: STATUS[result.kind], text: JSON.stringify(result), retryAfterMs };
}
