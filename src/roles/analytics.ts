import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { dateOf } from '../analytics/dates.ts';
import type { FoundAuction } from '../analytics/find-auction.ts';
import type { AuctionListQuestion } from '../analytics/auction-conditions.ts';
import type { AuctionList } from '../analytics/list-auctions.ts';
import type { LoadResult } from '../analytics/load-result.ts';
import type { RollupFiller } from '../analytics/fill-rollups.ts';
import type { Loader } from '../analytics/load.ts';
import type { Quarantine } from '../analytics/quarantine.ts';
import type {
  KeyedRows,
  RowsQuestion,
  StoreQuestion,
  StoreSide,
} from '../analytics/reconcile-wire.ts';
import type {
  AuctionChoice,
  Minutes,
  PageQuestion,
  RecordedPage,
} from '../analytics/recorded-wire.ts';
import { Backoff, jittered } from '../base/backoff.ts';
import { RialtoError } from '../base/errors.ts';
import type { AnalyticsStore } from '../ports/analytics-store.ts';
import type { GivenUp, GivenUpAnswer } from '../ports/batch-wire.ts';
import type { Batch } from '../ports/batch.ts';
import type { OffsetStore } from '../ports/offset-store.ts';
import type { StoreRegister } from '../ports/store-register.ts';
import type { RollupSteps, StepResult } from '../analytics/step-rollups.ts';
import type { StoreState } from '../analytics/store-identity.ts';

const RETRY = { firstMs: 500, lastMs: 5_000 };
/** How long a batch waits for the store to be opened, before its courier is told to come again. */
const BATCH_WAIT_MS = 5_000;
/** The engine forgets it whenever it is opened anew. */
const STOP_EXPIRY = 'SYSTEM STOP TTL MERGES';
const START_EXPIRY = 'SYSTEM START TTL MERGES';
/** How long a batch waits for those of other nodes; a report shows an auction within five seconds with it. */
const GATHER_MS = 400;

export interface AnalyticsOptions {
  readonly dataDirectory: string;
  readonly offsets: OffsetStore;
  readonly register: StoreRegister;
  readonly quarantine: Quarantine;
  /** Until when everything that happened is loaded, in Unix time in milliseconds. */
  readonly loadedUntilMs: () => number;
  readonly logger: Logger;
}

/** What is the matter with a store that is not the one that was loaded into. */
const STRANGE: Readonly<Record<Exclude<StoreState, 'known'>, string>> = {
  empty: 'the analytics store is empty, and was not',
  another: 'the analytics store is another one than was loaded into',
  older:
    'the analytics store lacks records that had been loaded: an older copy was put in its place',
};

/** What belongs to a store that is open. */
interface Opened {
  readonly store: AnalyticsStore;
  readonly loader: Loader;
  readonly steps: RollupSteps;
}

/** For a store that takes no step. */
const NOTHING_LEFT: StepResult = {
  isDone: true,
  wrong: null,
  rollups: new Map(),
  records: 0,
};

/**
 * Control's analytics store, opened beside everything else: the node starts, serves and records
 * without it, and couriers come back with their batches.
 */
export class Analytics {
  readonly #options: AnalyticsOptions;
  readonly #closing = new AbortController();
  #opening: Promise<void> | undefined;
  #store: AnalyticsStore | null = null;
  #loader: Loader | null = null;
  #steps: RollupSteps | null = null;
  #filler: RollupFiller | null = null;
  #state: StoreState = 'known';
  /** After a long stop what has expired may not be in the rollups yet. */
  #mayExpire = false;

  constructor(options: AnalyticsOptions) {
    this.#options = options;
  }

  /** @throws RialtoError as long as it is not open. */
  opened(): AnalyticsStore {
    if (this.#store === null) throw new RialtoError('analytics_unavailable');
    return this.#store;
  }

  /**
   * The same, for what would take an absent record for one that never was.
   *
   * @throws RialtoError also while the store is not the one that was loaded into.
   */
  whole(): AnalyticsStore {
    if (this.#state !== 'known') throw new RialtoError('analytics_unavailable');
    return this.opened();
  }

  get loader(): Loader | null {
    return this.#loader;
  }

  /** Whether the store that is open is the one that was loaded into; nothing is loaded else. */
  get state(): StoreState {
    return this.#state;
  }

  /** Whether rollups are held up by a load that has not the records that it had; a person has to look. */
  get isHeld(): boolean {
    return (this.#filler?.wrong ?? null) !== null;
  }

  /** Until when everything that happened is in the rollups, in Unix time in milliseconds. */
  filledUntilMs(): number {
    return this.#filler?.untilMs ?? this.#options.loadedUntilMs();
  }

  /**
   * The store, once all that was loaded until now is in one of its rollups.
   *
   * @throws RialtoError as long as it is not open, or not the store that was loaded into.
   * @throws Error when the rollup cannot be filled.
   */
  async filled(table: string): Promise<AnalyticsStore> {
    const store = this.whole();
    await this.#filler?.filled(table);
    return store;
  }

  /** Begins to open it, and tries on until it is open. */
  open(): void {
    this.#opening ??= this.#open();
  }

  async load(batch: Batch): Promise<LoadResult> {
    if (this.#loader === null) await this.#waitUntilOpen();
    if (this.#state !== 'known') return { kind: 'failed', reason: STRANGE[this.#state] };
    if (this.#loader !== null) return this.#loader.load(batch);
    return { kind: 'failed', reason: 'the analytics store is not open yet' };
  }

  async giveUp(batch: GivenUp): Promise<GivenUpAnswer> {
    if (this.#loader === null) await this.#waitUntilOpen();
    if (this.#state !== 'known') return { kind: 'failed', reason: STRANGE[this.#state] };
    if (this.#loader !== null) return this.#loader.giveUp(batch);
    return { kind: 'failed', reason: 'the analytics store is not open yet' };
  }

  /**
   * Takes the store as it is, and has all journals offered again, of which what is there is left out.
   *
   * @returns what the store was until now.
   * @throws RialtoError as long as the store is not open.
   */
  async reoffer(): Promise<StoreState> {
    const store = this.opened();
    const { register, logger } = this.#options;
    const { adoptStore } = await import('../analytics/store-identity.ts');
    const adopt = (): Promise<void> => adoptStore({ store, register }, Date.now());
    await (this.#loader === null ? adopt() : this.#loader.exclusively(adopt));
    const before = this.#state;
    this.#state = 'known';
    this.#filler?.note();
    logger.warn({ before }, 'all journals are offered again to the analytics store');
    return before;
  }

  /**
   * The store's side of a reconciliation, read while nothing is loaded and all that was is in the rollups,
   * as far as they can be filled.
   *
   * @throws RialtoError as long as the store is not open.
   */
  async side(question: StoreQuestion): Promise<StoreSide> {
    const store = this.opened();
    const { offsets, quarantine } = this.#options;
    const { readStoreSide } = await import('../analytics/reconcile.ts');
    const today = dateOf(Date.now());
    const read = async (): Promise<StoreSide> => {
      if (this.#state === 'known') await this.#steps?.fill();
      return readStoreSide({ store, offsets, quarantine, question, today });
    };
    return this.#loader === null ? read() : this.#loader.exclusively(read);
  }

  /** @throws RialtoError as long as the store is not open. */
  async rows(question: RowsQuestion): Promise<KeyedRows> {
    const { readKeyedRows } = await import('../analytics/reconcile-records.ts');
    return readKeyedRows(this.opened(), question);
  }

  /** @throws RialtoError as long as the store is not open. */
  async minutes(choice: AuctionChoice): Promise<Minutes> {
    const { readMinutes } = await import('../analytics/recorded-auctions.ts');
    return readMinutes(this.opened(), choice);
  }

  /** @throws RialtoError as long as the store is not open. */
  async recordedPage(question: PageQuestion): Promise<RecordedPage> {
    const { readRecordedPage } = await import('../analytics/recorded-auctions.ts');
    return readRecordedPage(this.opened(), question);
  }

  /** @throws RialtoError as long as the store is not open. */
  async findAuction(auctionId: string): Promise<FoundAuction | null> {
    const store = this.opened();
    const { findAuction } = await import('../analytics/find-auction.ts');
    return findAuction(store, auctionId, Date.now());
  }

  /** @throws RialtoError as long as the store is not open. */
  async listAuctions(question: AuctionListQuestion): Promise<AuctionList> {
    const store = this.opened();
    const { listAuctions } = await import('../analytics/list-auctions.ts');
    return listAuctions(store, question);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#opening;
    await this.#filler?.stop();
    await this.#store?.close();
  }

  /** Waits until it is open, but not for long. */
  async #waitUntilOpen(): Promise<void> {
    this.open();
    const waiting = new AbortController();
    const waited = delay(BATCH_WAIT_MS, undefined, { signal: waiting.signal }).catch(() => {});
    await Promise.race([this.#opening, waited]);
    waiting.abort();
  }

  async #open(): Promise<void> {
    const { logger } = this.#options;
    const { signal } = this.#closing;
    const backoff = new Backoff(RETRY);
    for (let tries = 1; !signal.aborted; tries += 1) {
      try {
        await this.#openOnce();
        return;
      } catch (error) {
        const waitMs = jittered(backoff.next(), Math.random());
        const details = { err: error, waitMs: Math.round(waitMs) };
        const message = 'the analytics store cannot be opened; nodes keep their records meanwhile';
        if (tries === 1) logger.error(details, message);
        else logger.debug(details, message);
        await delay(waitMs, undefined, { signal }).catch(() => {});
      }
    }
  }

  /** What is loaded here is large, and only this process needs it, after it serves. */
  async #openOnce(): Promise<void> {
    const { dataDirectory, offsets, register, quarantine, logger } = this.#options;
    const { openChdb } = await import('../adapters/chdb.ts');
    const { createLoader } = await import('../analytics/load.ts');
    const { migrateAnalytics } = await import('../analytics/migrate.ts');
    const { identifyStore, lastRecordOf } = await import('../analytics/store-identity.ts');
    const { RollupSteps } = await import('../analytics/step-rollups.ts');
    const startMs = performance.now();
    const store = await openChdb({
      directory: join(dataDirectory, 'analytics'),
      atOpening: () => (this.#mayExpire ? [] : [STOP_EXPIRY]),
      onRepair: (parts) => logger.warn({ parts }, 'parts that were announced and not made'),
      onRedefine: (tables) => logger.warn({ tables }, 'definitions that were broken'),
    });
    try {
      await migrateAnalytics(store);
      // Once more, for tables that are new.
      await store.command(STOP_EXPIRY);
      this.#state = await identifyStore({ store, register, today: dateOf(Date.now()) });
    } catch (error) {
      await store.close();
      throw error;
    }
    if (this.#state !== 'known') {
      logger.error(
        { state: this.#state },
        `${STRANGE[this.#state]}; nothing is loaded into it: put the right one back, or run rialto reoffer`,
      );
    }
    const loader = createLoader(
      {
        store,
        offsets,
        quarantine,
        reofferedAt: () => register.reofferedAt(),
        onLoaded: async (stream, record) => {
          this.#filler?.note();
          const last = stream === 'trace' || record === null ? null : lastRecordOf(record);
          if (last !== null) await register.noteLoaded(last);
        },
        onRetry: (error) => logger.warn({ err: error }, 'an insertion failed and is tried again'),
      },
      GATHER_MS,
    );
    const steps = new RollupSteps({ store, offsets });
    // All at once: what is loaded has to be noted, and what is read to be filled.
    this.#filler = await this.#createFiller({ store, loader, steps });
    this.#steps = steps;
    this.#loader = loader;
    this.#store = store;
    this.#filler.note();
    const tookMs = Math.round(performance.now() - startMs);
    logger.info({ tookMs }, 'the analytics store is open');
  }

  /** What fills what the last control left, and what is loaded from now on. */
  async #createFiller({ store, loader, steps }: Opened): Promise<RollupFiller> {
    const { loadedUntilMs, logger } = this.#options;
    const { RollupFiller } = await import('../analytics/fill-rollups.ts');
    return new RollupFiller({
      steps: {
        step: async (scope) => {
          // Into a store that is strange nothing is loaded, and nothing of what was begun is looked for there.
          if (this.#state !== 'known') return NOTHING_LEFT;
          const result = await steps.step(scope);
          if (!this.#mayExpire && scope === 'all' && result.isDone) {
            await store.command(START_EXPIRY);
            this.#mayExpire = true;
          }
          return result;
        },
      },
      loader,
      loadedUntilMs,
      onWrong: (wrong) =>
        logger.error(
          wrong,
          'a load has not the records that it had, and holds up the reports: run rialto reoffer',
        ),
      onFault: (error) =>
        logger.error({ err: error }, 'rollups cannot be filled; this is tried again'),
    });
  }
}
