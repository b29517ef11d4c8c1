import { setTimeout as delay } from 'node:timers/promises';

import type { Loader } from './load.ts';
import { SOON, type StepResult, type StepScope, type WrongLoad } from './step-rollups.ts';

export interface RollupFillerOptions {
  readonly steps: { readonly step: (scope: StepScope) => Promise<StepResult> };
  readonly loader: Pick<Loader, 'exclusively'>;
  /** Until when everything that happened is loaded, in Unix time in milliseconds. */
  readonly loadedUntilMs: () => number;
  /** Told once of a load that holds the rollups, because its records are not those that it had. */
  readonly onWrong: (wrong: WrongLoad) => void;
  /** Told of a step that failed. */
  readonly onFault: (error: unknown) => void;
  readonly pace?: FillingPace;
}

/** How fast rollups are filled. */
export interface FillingPace {
  /** What is loaded in this time comes into the rollups together. */
  readonly stepAfterMs: number;
  /** The same, for rollups that need not be filled soon, where there is much. */
  readonly allAfterMs: number;
  /** So much in one step is much. */
  readonly busyRecords: number;
  /** After a fault, and while a load has not the records that it should have. */
  readonly retryMs: number;
}

/** With a second for a batch to come, a report shows an auction within five. */
const PACE: FillingPace = {
  stepAfterMs: 2_500,
  allAfterMs: 10_000,
  busyRecords: 1_000,
  retryMs: 5_000,
};

/** Fills the rollups between loads, some time after the first one of which they lack something. */
export class RollupFiller {
  readonly #options: RollupFillerOptions;
  readonly #pace: FillingPace;
  readonly #stopping = new AbortController();
  #running: Promise<void> | null = null;
  /** Something may have been loaded since the last step began: what is filled soon lacks it. */
  #isBehind = false;
  /** The same for all rollups, and when they were filled last, on the monotonic clock. */
  #isAllBehind = false;
  #allFilledMs = -Infinity;
  #isStepping = false;
  #isBusy = false;
  /** What `untilMs` was for the last step after which nothing was left for those that are filled soon. */
  #untilMs = 0;
  #wrong: WrongLoad | null = null;

  constructor(options: RollupFillerOptions) {
    this.#options = options;
    this.#pace = options.pace ?? PACE;
  }

  /** A load that holds the rollups. */
  get wrong(): WrongLoad | null {
    return this.#wrong;
  }

  /** Until when everything that happened is in the rollups that are filled soon, in Unix time in milliseconds. */
  get untilMs(): number {
    return this.#isBehind || this.#isStepping ? this.#untilMs : this.#options.loadedUntilMs();
  }

  /** Something was loaded. */
  note(): void {
    this.#isBehind = true;
    this.#isAllBehind = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
      if (this.#isAllBehind && !this.#stopping.signal.aborted) this.note();
    });
  }

  /**
   * Resolves when all that was loaded until now is in this rollup, whatever others lack.
   *
   * @throws Error when it cannot be.
   */
  async filled(table: string): Promise<void> {
    // A step that is under way has to end.
    await this.#options.loader.exclusively(() => Promise.resolve());
    while (this.#isAllBehind) {
      const result = await this.#step('all');
      const { isDone, wrong } = result.rollups.get(table) ?? result;
      if (wrong !== null) throw new Error(describe(wrong));
      if (isDone) return;
    }
  }

  /** After a last step: a node may stay off for longer than raw records are kept. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    if (!this.#isAllBehind) return;
    await this.#step('all').catch((error: unknown) => this.#options.onFault(error));
  }

  async #run(): Promise<void> {
    const { stepAfterMs, allAfterMs, retryMs } = this.#pace;
    let waitMs = stepAfterMs;
    while (this.#isAllBehind) {
      await delay(waitMs, undefined, { signal: this.#stopping.signal }).catch(() => {});
      if (this.#stopping.signal.aborted) return;
      const isAllDue = !this.#isBusy || performance.now() - this.#allFilledMs >= allAfterMs;
      waitMs = stepAfterMs;
      if (!this.#isBehind && !isAllDue) continue;
      try {
        const { isDone, wrong } = await this.#step(isAllDue ? 'all' : 'soon');
        if (!isDone) waitMs = wrong === null ? 0 : retryMs;
      } catch (error) {
        this.#options.onFault(error);
        waitMs = retryMs;
      }
    }
  }

  #step(scope: StepScope): Promise<StepResult> {
    const { loader, steps, loadedUntilMs, onWrong } = this.#options;
    return loader.exclusively(async () => {
      const untilMs = loadedUntilMs();
      const isAll = scope === 'all';
      this.#isStepping = true;
      let isDone = false;
      try {
        const result = await steps.step(scope);
        isDone = result.isDone;
        this.#isBusy = result.records >= this.#pace.busyRecords;
        if (SOON.every(({ table }) => result.rollups.get(table)?.isDone ?? isDone)) {
          this.#untilMs = untilMs;
          this.#isBehind = false;
        }
        if (isDone && isAll) {
          this.#isAllBehind = false;
          this.#allFilledMs = performance.now();
        }
        if (result.wrong !== null && result.wrong.load !== this.#wrong?.load) onWrong(result.wrong);
        if (isAll || result.wrong !== null) this.#wrong = result.wrong;
        return result;
      } finally {
        this.#isStepping = false;
      }
    });
  }
}

function describe({ load, expected, found }: WrongLoad): string {
  return `load ${load} has ${found} records in the analytics store, not ${expected}`;
}
