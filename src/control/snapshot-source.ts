import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Entity } from '../snapshot/entities.ts';
import { versionKey, type SnapshotVersion } from '../snapshot/snapshot.ts';
import { encodeInSlices } from '../snapshot/wire.ts';

/** How often the store is asked whether its configuration has changed. */
const POLL_MS = 250;
/**
 * After a compilation the next waits for some times as long as that took: where much changes one by one,
 * most of this process is left for those who change it. A change is still there within two seconds.
 */
const REST_FACTOR = 4;
const REST_MAX_MS = 1_000;
const RETRY_MS = 10_000;

/** What control reads of the configuration store. */
export interface ConfigurationReader {
  version(): Promise<SnapshotVersion>;
  compile(): Promise<{
    readonly version: SnapshotVersion;
    readonly entities: readonly Entity[];
  }>;
}

/** A snapshot ready to be sent. */
export interface PublishedSnapshot {
  /** The version as one word, see `versionKey`. */
  readonly key: string;
  readonly text: string;
}

export interface SnapshotSourceOptions {
  readonly reader: ConfigurationReader;
  readonly registry: Registry;
  readonly logger: Logger;
  /** Called with what was compiled, before couriers hear of it. */
  readonly onCompiled?: (entities: readonly Entity[]) => void;
  readonly pollMs?: number;
}

/**
 * Control's snapshot of the configuration: compiled and encoded once a change, whoever made it and
 * in which process, and kept for all couriers. When a change does not compile the last good
 * snapshot stays, and the failure is logged and counted.
 */
export class SnapshotSource {
  readonly #reader: ConfigurationReader;
  readonly #logger: Logger;
  readonly #onCompiled: (entities: readonly Entity[]) => void;
  readonly #pollMs: number;
  readonly #compilations: Counter<'result'>;
  readonly #waiting = new Set<() => void>();
  #current: PublishedSnapshot | undefined;
  /** The version that was tried last, so that one that does not compile is not tried four times a second. */
  #triedKey: string | undefined;
  /** When it is tried again nevertheless: perhaps it was the store that failed in between. */
  #retryMs = Number.POSITIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;
  #isAway = false;
  /** How long the last question took, if it came to a compilation. */
  #compiledInMs = 0;

  constructor({ reader, registry, logger, onCompiled, pollMs }: SnapshotSourceOptions) {
    this.#reader = reader;
    this.#logger = logger;
    this.#onCompiled = onCompiled ?? (() => {});
    this.#pollMs = pollMs ?? POLL_MS;
    this.#compilations = new Counter({
      name: 'rialto_snapshot_compilations_total',
      help: 'Changes of the configuration compiled into a snapshot, by result: ok or failed.',
      labelNames: ['result'],
      registers: [registry],
    });
    const bytes: Gauge = new Gauge({
      name: 'rialto_snapshot_bytes',
      help: 'Size of the present snapshot as it is sent to nodes, in bytes.',
      aggregator: 'max',
      registers: [],
      collect: () => bytes.set(Buffer.byteLength(this.#current?.text ?? '')),
    });
    registry.registerMetric(bytes);
  }

  get current(): PublishedSnapshot | undefined {
    return this.#current;
  }

  /** Compiles the first snapshot and follows the store from then on. Rejects when it cannot. */
  async start(): Promise<void> {
    await this.#compile();
    this.#schedule();
  }

  /**
   * Waits for a snapshot other than the one that the caller has.
   *
   * @returns undefined when there was none in the time given, or this source has stopped.
   */
  async other(knownKey: string, withinMs: number): Promise<PublishedSnapshot | undefined> {
    if (this.#current?.key === knownKey && !this.#stopped) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, withinMs);
      this.#waiting.add(resolve);
      await promise;
      clearTimeout(timer);
      this.#waiting.delete(resolve);
    }
    return this.#current?.key === knownKey ? undefined : this.#current;
  }

  /** Ends the polling and lets all who wait go. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#wake();
  }

  #schedule(): void {
    if (this.#stopped) return;
    const waitMs = Math.max(this.#pollMs, Math.min(REST_FACTOR * this.#compiledInMs, REST_MAX_MS));
    this.#timer = setTimeout(() => void this.#poll().then(() => this.#schedule()), waitMs);
  }

  async #poll(): Promise<void> {
    let key: string | undefined;
    const startMs = performance.now();
    this.#compiledInMs = 0;
    try {
      key = versionKey(await this.#reader.version());
      this.#isAway = false;
      if (key === this.#triedKey && performance.now() < this.#retryMs) return;
      this.#triedKey = key;
      await this.#compile();
      this.#compiledInMs = performance.now() - startMs;
    } catch (error) {
      if (key === undefined) {
        this.#tellAway(error);
        return;
      }
      this.#retryMs = performance.now() + RETRY_MS;
      this.#compilations.inc({ result: 'failed' });
      this.#logger.error({ err: error }, 'the configuration does not compile; the last one stays');
    }
  }

  /** A store that cannot be asked is asked again all the time, which is worth one line. */
  #tellAway(error: unknown): void {
    if (!this.#isAway) {
      this.#logger.error({ err: error }, 'the store does not answer; the last configuration stays');
    }
    this.#isAway = true;
  }

  async #compile(): Promise<void> {
    const { version, entities } = await this.#reader.compile();
    const key = versionKey(version);
    this.#triedKey = key;
    this.#retryMs = Number.POSITIVE_INFINITY;
    this.#onCompiled(entities);
    this.#current = { key, text: await encodeInSlices(version, entities, nextSlice) };
    this.#compilations.inc({ result: 'ok' });
    this.#logger.info({ version: key, entities: entities.length }, 'configuration compiled');
    this.#wake();
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve();
  }
}

/** Lets what others ask of control run. */
function nextSlice(): Promise<void> {
  return nextTurn();
}
