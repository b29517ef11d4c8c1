import { setImmediate, setTimeout as delay } from 'node:timers/promises';

import type { Logger } from 'pino';

import type { Journal } from '../journal/journal.ts';
import type { NoticeClient } from '../ports/notice-client.ts';
import { NoticeBacklog } from './notice-backlog.ts';
import { NoticeCaller } from './notice-caller.ts';
import type { JournalNews } from './journal-news.ts';
import { isUnreadable } from './notice-database.ts';
import type { NoticeFigures } from './notice-figures.ts';
import { NoticeLanes } from './notice-lanes.ts';
import { NoticeLedger } from './notice-ledger.ts';
import type { NoticeSink } from './notice-lines.ts';
import { NoticeReader } from './notice-reader.ts';
import { lifeEndsMs } from './notice-schedule.ts';
import type { NoticeStore } from './notice-store.ts';
import { NoticeWatch } from './notice-watch.ts';
import { noticeId, type DueNotice } from './notice.ts';

export interface NoticesOptions {
  readonly journalDirectory: string;
  readonly incarnation: string;
  readonly store: NoticeStore;
  /** The courier's own, durable. */
  readonly journal: Pick<Journal, 'append'>;
  readonly client: Pick<NoticeClient, 'call'>;
  /** Of the journal's growth. */
  readonly news: JournalNews;
  readonly logger: Logger;
  /** Unix time in milliseconds. */
  readonly now: () => number;
  /** The clock of `performance.now()`. */
  readonly monotonic: () => number;
  /** For tests. */
  readonly storedMax?: number;
}

/** How often the journal is looked at while there is something to do. */
const LOOK_MS = 100;
/** How often it is looked at while nothing is told of it. */
const IDLE_LOOK_MS = 2_000;
const CHECKPOINT_MS = 1_000;

/** So much in memory that only a checkpoint lets go of: nothing more is read before that. */
const UNSAVED_MAX = 20_000;
const STORED_MAX = 1_000_000;

/** Reading goes on for so long before calls and answers have their turn. */
const READ_MS = 5;

/** A beacon is recorded a moment after it came. */
const HELD_SLACK_MS = 2_000;

const STOP_LOOK_MS = 10;

/**
 * Calls the notices that the journal makes due: reads them, calls them in turns, writes what became
 * of them, and keeps what has to wait in the store. Memory is bounded whatever partners do.
 */
export class Notices implements NoticeSink {
  readonly #options: NoticesOptions;
  readonly #lanes = new NoticeLanes();
  readonly #watch: NoticeWatch;
  readonly #ledger: NoticeLedger;
  readonly #caller: NoticeCaller;
  readonly #backlog: NoticeBacklog;
  readonly #reader: NoticeReader;
  readonly #stopping = new AbortController();
  /** How far each segment has been read, as the store has it. */
  readonly #read: Map<string, number>;
  #isRecovering: boolean;
  #hasReadAll = false;
  #checkpointMs = -Infinity;
  #failing = false;
  #running: Promise<void> | undefined;

  constructor(options: NoticesOptions) {
    const { store, storedMax = STORED_MAX, journalDirectory: directory } = options;
    const lanes = this.#lanes;
    this.#options = options;
    this.#watch = new NoticeWatch({ ...options, lanes });
    this.#ledger = new NoticeLedger(options);
    const watch = this.#watch;
    this.#caller = new NoticeCaller({ ...options, lanes, ledger: this.#ledger, watch });
    this.#backlog = new NoticeBacklog({ ...options, lanes, caller: this.#caller, storedMax });
    this.#read = store.cursors();
    this.#reader = new NoticeReader({ ...options, directory, cursors: this.#read, sink: this });
    this.#isRecovering = store.isRecovering;
  }

  get figures(): NoticeFigures {
    const { store, now } = this.#options;
    const oldestMs = Math.min(
      store.oldestDueMs('win') ?? Infinity,
      store.oldestDueMs('billing') ?? Infinity,
    );
    return {
      outcomes: this.#caller.outcomes,
      pending: this.#ledger.pending,
      oldestSeconds: oldestMs === Infinity ? 0 : Math.max(0, now() - oldestMs) / 1000,
      tries: this.#caller.tries,
      failingDestinations: [...this.#lanes].filter(({ isFailing }) => isFailing).length,
      partners: this.#watch.figures,
      storeSeconds: store.busySeconds,
    };
  }

  /** Whether a segment of this size may be removed: the store has all that it makes due, or it is done. */
  hasPassed(segment: string, bytes: number): boolean {
    const readTo = this.#reader.readTo(segment, bytes);
    return readTo !== null && readTo <= (this.#read.get(segment) ?? 0);
  }

  /**
   * Calls notices until `stop`.
   *
   * @throws SQLite's error when the store is not readable any more; all others are waited out
   */
  run(): Promise<void> {
    this.#running ??= this.#run();
    return this.#running;
  }

  /** Calls nothing more, waits for what is under way as long as a grace lasts, and saves all. */
  async stop(graceMs: number): Promise<void> {
    const { monotonic } = this.#options;
    this.#stopping.abort();
    this.#caller.stop();
    await this.#running;
    const endMs = monotonic() + graceMs;
    while (this.#lanes.inFlight > 0 && monotonic() < endMs) await delay(STOP_LOOK_MS);
    await this.#checkpoint();
  }

  /**
   * One look at the journal, and a checkpoint when it is time.
   *
   * @throws what makes it impossible for now
   */
  async step(): Promise<void> {
    const { monotonic } = this.#options;
    if (monotonic() - this.#checkpointMs >= CHECKPOINT_MS) {
      await this.#checkpoint();
      this.#backlog.giveUpOld();
      this.#backlog.giveUpExcess();
      this.#watch.tell();
    }
    await this.#readOn();
    if (this.#ledger.size >= UNSAVED_MAX) await this.#checkpoint();
    this.#backlog.refill();
    this.#caller.pump();
  }

  onNotice(due: DueNotice): void {
    if (!this.#isRecovering || this.#isStillDue(due)) this.#caller.take(due);
  }

  onHeld(due: DueNotice): void {
    if (this.#isRecovering && due.dueMs <= this.#options.now()) return;
    this.#ledger.hold(due);
  }

  onWon(auctionId: string, imp: number): void {
    this.#ledger.won({ auctionId, imp });
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const seen = this.#options.news.count;
      try {
        await this.step();
        if (this.#failing) this.#options.logger.info('notices are called again');
        this.#failing = false;
      } catch (error) {
        if (isUnreadable(error)) throw error;
        if (!this.#failing) {
          this.#options.logger.error({ err: error }, 'notices wait: their state cannot be kept');
        }
        this.#failing = true;
      }
      await delay(this.#failing ? CHECKPOINT_MS : LOOK_MS, undefined, { signal }).catch(() => {});
      if (this.#isIdle()) await this.#options.news.after(seen, IDLE_LOOK_MS, signal);
    }
  }

  /** Nothing waits to be called, tried again, saved or read; losses that are held in the store have time. */
  #isIdle(): boolean {
    const { size, pending } = this.#ledger;
    const waiting = size + pending.win + pending.billing + this.#lanes.inFlight;
    if (waiting > 0) return false;
    if ([...this.#lanes].some((lane) => lane.queued + lane.queuedLosses > 0)) return false;
    return this.#hasReadAll && !this.#isRecovering && !this.#failing;
  }

  /** Reads the journal to the end, unless what was read has to be saved first. */
  async #readOn(): Promise<void> {
    const { monotonic } = this.#options;
    let untilMs = monotonic() + READ_MS;
    while (this.#ledger.size < UNSAVED_MAX) {
      if (!this.#reader.read()) {
        this.#hasReadAll = true;
        return;
      }
      if (monotonic() < untilMs) continue;
      this.#caller.pump();
      await setImmediate();
      untilMs = monotonic() + READ_MS;
    }
  }

  async #checkpoint(): Promise<void> {
    const { store, logger, monotonic } = this.#options;
    const isRecovered = this.#isRecovering && this.#hasReadAll;
    const checkpoint = await this.#ledger.checkpoint(() => ({
      ...this.#reader.takeProgress(),
      releasedUntilMs: this.#reader.readUntilMs - HELD_SLACK_MS,
    }));
    this.#checkpointMs = monotonic();
    for (const [segment, readTo] of checkpoint?.cursors ?? []) this.#read.set(segment, readTo);
    for (const segment of checkpoint?.gone ?? []) this.#read.delete(segment);
    this.#caller.outcomes.loss.dropped += checkpoint?.notHeld ?? 0;
    for (const loss of checkpoint?.released ?? []) this.onNotice(loss);
    if (!isRecovered) return;
    store.endRecovery();
    this.#isRecovering = false;
    logger.warn({ pending: this.#ledger.pending }, 'the state of notices is whole again');
  }

  /** While the store is filled from the journal: losses had their time, as had most wins. */
  #isStillDue(due: DueNotice): boolean {
    const { store, now } = this.#options;
    if (due.event === 'loss') return false;
    if (due.event === 'win' && lifeEndsMs('win', due.dueMs) < now()) return false;
    return !store.isRecorded(noticeId(due));
  }
}
