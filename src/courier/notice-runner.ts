import { setTimeout as delay } from 'node:timers/promises';

import type { Journal } from '../journal/journal.ts';
import { isUnreadable, noticeDatabasePath } from './notice-database.ts';
import { noOutcomes, type NoticeFigures } from './notice-figures.ts';
import { moveNoticeStoreAside, openNoticeStore } from './notice-recovery.ts';
import type { NoticeStore } from './notice-store.ts';
import { Notices, type NoticesOptions } from './notices.ts';

export interface NoticeRunnerOptions extends Omit<NoticesOptions, 'store' | 'journal'> {
  readonly dataDirectory: string;
  /** Takes what only one courier of a node may have; null while another one has it. */
  readonly lock: () => { release(): void } | null;
  readonly openJournal: () => Pick<Journal, 'append' | 'close'>;
}

/** How often it is asked for the lock: a courier that is replaced lets go of it as it ends. */
const LOCK_RETRY_MS = 50;
/** How often a store is tried that cannot be opened. */
const OPEN_RETRY_MS = 5_000;

/** What is open while notices are called. */
interface Opened {
  readonly notices: Notices;
  readonly store: NoticeStore;
  readonly journal: Pick<Journal, 'close'>;
  readonly lock: { release(): void };
}

/**
 * Begins to call notices as soon as it may: a replacement waits for the courier before it, which
 * still has calls under way, and a disk that has no room for the store keeps nothing else of the
 * courier from its work.
 */
export class NoticeRunner {
  readonly #options: NoticeRunnerOptions;
  readonly #stopping = new AbortController();
  #opened: Opened | null = null;
  #running: Promise<void> | undefined;

  constructor(options: NoticeRunnerOptions) {
    this.#options = options;
  }

  get figures(): NoticeFigures {
    return this.#opened?.notices.figures ?? NO_FIGURES;
  }

  /** As `Notices.hasPassed`; false as long as nothing is known. */
  hasPassed(segment: string, bytes: number): boolean {
    return this.#opened?.notices.hasPassed(segment, bytes) ?? false;
  }

  /**
   * Calls notices until `stop`.
   *
   * @throws SQLite's error when the store has become unreadable: it has been moved aside, and the
   *   next process fills another one
   */
  run(): Promise<void> {
    this.#running ??= this.#run();
    return this.#running;
  }

  /** Waits for calls that are under way as long as a grace lasts, saves all, and lets go of it. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping.abort();
    const opened = this.#opened;
    this.#opened = null;
    await opened?.notices.stop(graceMs);
    await this.#running;
    if (opened === null) return;
    const { store, journal, lock } = opened;
    journal.close();
    store.close();
    lock.release();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    const lock = await this.#waitFor(() => this.#options.lock());
    const store = await this.#waitFor(() => openNoticeStore(this.#options));
    if (lock === null || store === null || signal.aborted) {
      store?.close();
      lock?.release();
      return;
    }
    const journal = this.#options.openJournal();
    const notices = new Notices({ ...this.#options, store, journal });
    this.#opened = { notices, store, journal, lock };
    try {
      await notices.run();
    } catch (error) {
      // It would be found readable by the next process, as far as that looks.
      const path = noticeDatabasePath(this.#options.dataDirectory);
      if (isUnreadable(error)) moveNoticeStoreAside(path);
      throw error;
    }
  }

  /** Null once stopped. */
  async #waitFor<T>(take: () => T | null | Promise<T | null>): Promise<T | null> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      let waitMs = LOCK_RETRY_MS;
      try {
        const taken = await take();
        if (taken !== null) return taken;
      } catch (error) {
        waitMs = OPEN_RETRY_MS;
        const details = { err: error, waitMs };
        this.#options.logger.error(details, 'notices wait: their state cannot be opened');
      }
      await delay(waitMs, undefined, { signal }).catch(() => {});
    }
    return null;
  }
}

const NO_FIGURES: NoticeFigures = {
  outcomes: noOutcomes(),
  pending: { win: 0, billing: 0, loss: 0 },
  oldestSeconds: 0,
  tries: 0,
  failingDestinations: 0,
  partners: [],
  storeSeconds: 0,
};
