import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Agent, request } from 'undici';
import { Backoff, jittered } from '../base/backoff.ts';
import type { ExchangeSettings } from '../snapshot/entities.ts';
import { diffSnapshots, type SnapshotDelta, type SnapshotNews } from '../snapshot/delta.ts';
import { versionKey } from '../snapshot/snapshot.ts';
import { decodeSnapshot } from '../snapshot/wire.ts';
import { readSnapshotFile, removeHalfWritten, writeSnapshotFile } from './snapshot-file.ts';

const RETRY = { firstMs: 100, lastMs: 5_000 };
const CONNECT_MS = 2_000;
/** One absolute limit for a question: control holds it for 25 s, the rest is for a large answer. */
const QUESTION_MS = 60_000;
const SNAPSHOT_BYTES_MAX = 512 * 1024 * 1024;

export interface SnapshotFeedOptions {
  /** Addresses of the controls' internal listeners; all have the same configuration. */
  readonly urls: readonly string[];
  readonly secret: string;
  readonly dataDirectory: string;
  readonly logger: Logger;
  /** What is on disk: at the start what is found there, then each new snapshot. */
  readonly onNews: (news: SnapshotNews) => void;
  /** The settings of the exchange, as the snapshot on disk has them from now on. */
  readonly onSettings: (settings: ExchangeSettings) => void;
}

/**
 * Brings the configuration from control to this node's disk: asks for what differs from the
 * snapshot that it has, checks what comes, replaces the file. While control does not answer it
 * goes on asking, and the node with what it has.
 */
export class SnapshotFeed {
  readonly #options: SnapshotFeedOptions;
  readonly #agent = new Agent({
    connect: { timeout: CONNECT_MS },
    headersTimeout: QUESTION_MS,
    bodyTimeout: QUESTION_MS,
    maxResponseSize: SNAPSHOT_BYTES_MAX,
  });
  readonly #backoff = new Backoff(RETRY);
  readonly #stopping = new AbortController();
  #knownKey = '';
  /** How often another control had to be asked. */
  #turns = 0;
  #failing = false;
  #running: Promise<void> | undefined;

  constructor(options: SnapshotFeedOptions) {
    this.#options = options;
  }

  /** The version on disk, `EPOCH.SEQ`; empty while there is none. */
  get knownVersion(): string {
    return this.#knownKey;
  }

  /**
   * Follows control until `stop`.
   *
   * @param onAnswer called after each question: true when control has answered it, and what it
   *   answered is on disk.
   */
  start(onAnswer: (answered: boolean) => void): void {
    this.#running ??= this.#run(onAnswer);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    await this.#agent.destroy();
  }

  async #run(onAnswer: (answered: boolean) => void): Promise<void> {
    await removeHalfWritten(this.#options.dataDirectory);
    this.#knownKey = await this.#keyOnDisk();
    // Until control has answered once, and again after a failure, the answer itself is the news.
    let waits = false;
    while (!this.#stopping.signal.aborted) {
      try {
        await this.#ask(waits);
        waits = true;
        this.#answered();
        onAnswer(true);
      } catch (error) {
        if (this.#stopping.signal.aborted) return;
        waits = false;
        this.#turns += 1;
        const waitMs = jittered(this.#backoff.next(), Math.random());
        this.#failed(error, waitMs);
        onAnswer(false);
        await delay(waitMs, undefined, { signal: this.#stopping.signal }).catch(() => {});
      }
    }
  }

  async #ask(waits: boolean): Promise<void> {
    const { urls, secret } = this.#options;
    const url = urls[this.#turns % urls.length] ?? '';
    const query = new URLSearchParams({ after: this.#knownKey });
    if (!waits) query.set('wait_ms', '0');
    const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(QUESTION_MS)]);
    const { statusCode, body } = await request(`${url}/internal/snapshot?${query.toString()}`, {
      dispatcher: this.#agent,
      headers: { authorization: `Bearer ${secret}` },
      signal,
    });
    if (statusCode === 200) {
      await this.#take(await body.text());
      return;
    }
    await body.dump();
    if (statusCode !== 304) throw new Error(`control answered with status ${statusCode}`);
  }

  /** Throws for a snapshot that no exchange could read; the one on disk stays. */
  async #take(text: string): Promise<void> {
    const { version, exchange } = await decodeSnapshot(text, nextSlice);
    const { dataDirectory, logger, onNews, onSettings } = this.#options;
    const delta = await this.#differenceTo(text);
    await writeSnapshotFile(dataDirectory, text);
    this.#knownKey = versionKey(version);
    logger.info({ version: this.#knownKey }, 'new snapshot on disk');
    onSettings(exchange);
    onNews({ version, delta });
  }

  /** How the snapshot that is still on disk becomes the new one; null where the whole has to be read. */
  async #differenceTo(text: string): Promise<SnapshotDelta | null> {
    const { dataDirectory, logger } = this.#options;
    if (this.#knownKey === '') return null;
    try {
      const before = await readSnapshotFile(dataDirectory);
      return before === undefined ? null : await diffSnapshots(before, text, nextSlice);
    } catch (error) {
      logger.warn({ err: error }, 'the snapshot on disk cannot be compared with the new one');
      return null;
    }
  }

  /** What this node had before; nothing when the file is missing or not whole. */
  async #keyOnDisk(): Promise<string> {
    const { dataDirectory, logger, onNews, onSettings } = this.#options;
    try {
      const text = await readSnapshotFile(dataDirectory);
      if (text === undefined) return '';
      const { version, exchange } = await decodeSnapshot(text, nextSlice);
      onSettings(exchange);
      // A courier may have been killed after it wrote and before it told; those who know pass it over.
      onNews({ version, delta: null });
      return versionKey(version);
    } catch (error) {
      logger.warn({ err: error }, 'the snapshot on disk is not usable');
      return '';
    }
  }

  #answered(): void {
    if (this.#failing) this.#options.logger.info('control answers again');
    this.#failing = false;
    this.#backoff.reset();
  }

  /** The first failure of a row is worth a line, its repetition is not. */
  #failed(error: unknown, waitMs: number): void {
    const { logger } = this.#options;
    const details = { err: error, waitMs: Math.round(waitMs) };
    if (this.#failing) logger.debug(details, 'no new configuration from control');
    else logger.warn(details, 'no new configuration from control; trying on with the present one');
    this.#failing = true;
  }
}

/** Lets the courier's other work run. */
function nextSlice(): Promise<void> {
  return nextTurn();
}
