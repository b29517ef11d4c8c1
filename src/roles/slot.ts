import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Backoff } from '../base/backoff.ts';
import { CommandError } from '../base/errors.ts';
import { describeEnding, type Ending, type SlotProcess } from './slot-process.ts';

/** The longest wait is short, so that a process is back soon after what kept it from starting is gone. */
const RESTART_BACKOFF = { firstMs: 100, lastMs: 5_000 };
/** A process that lived this long was well: its next failure is a first one. */
const WELL_AFTER_MS = 30_000;
/** How often a role is tried at the first start before the node gives up. */
const FIRST_START_TRIES = 3;
/** How long a replacement may take to be ready before the old process is kept instead. */
const REPLACEMENT_READY_MS = 30_000;
const REPLACED_DRAIN_MS = 4_500;

export interface SlotOptions<T> {
  readonly spawn: () => T;
  /** A replacement is ready before the old process is stopped. */
  readonly overlaps: boolean;
  readonly logger: Logger;
}

/** One place among a role's processes: keeps a process in it, whatever happens to the last one. */
export class Slot<T extends SlotProcess> {
  /** How often a process had to be started again because the last one ended by itself. */
  restarts = 0;
  readonly #spawn: () => T;
  readonly #overlaps: boolean;
  readonly #logger: Logger;
  readonly #backoff = new Backoff(RESTART_BACKOFF);
  readonly #alive = new Set<T>();
  #prepared: T | undefined;
  #current: T | undefined;
  #lastEnded: { readonly child: T; readonly ending: Ending } | undefined;
  #replacing: Promise<void> | undefined;
  #restartTimer: NodeJS.Timeout | undefined;
  #stopping = false;

  constructor({ spawn, overlaps, logger }: SlotOptions<T>) {
    this.#spawn = spawn;
    this.#overlaps = overlaps;
    this.#logger = logger;
  }

  /** The processes in this place: one, two while one replaces the other, none between two tries. */
  get children(): readonly T[] {
    return [...this.#alive];
  }

  /** Lets the first process load its code before `start`, while other roles start. */
  prepare(): void {
    this.#prepared = this.#spawnTracked();
  }

  /**
   * Starts the first process and waits until it is ready.
   *
   * @throws CommandError with the process's own reason when it cannot start.
   */
  async start(): Promise<void> {
    for (let tries = 1; !this.#stopping; tries += 1) {
      const child = this.#launch();
      if (await child.ready) {
        this.#adopt(child);
        return;
      }
      const ending = await child.ended;
      if (this.#stopping) return;
      if (ending.failure?.final === true) throw new CommandError(ending.failure.reason);
      if (tries === FIRST_START_TRIES) {
        throw new CommandError(`The ${child.role} role does not start: ${describeEnding(ending)}.`);
      }
      await delay(this.#backoff.next());
    }
  }

  /**
   * Starts the first process of a role that the node can do without for a while: one that fails is
   * started again like one that ends later.
   *
   * @returns whether it is ready; false as soon as it has failed, or is not ready within `waitMs`.
   * @throws CommandError with the process's own reason when trying again would not change it.
   */
  async startOptional(waitMs: number): Promise<boolean> {
    const child = this.#adopt(this.#launch());
    const ready = await this.#readyInTime(child, waitMs);
    if (ready !== false) return ready === true;
    const { failure } = await child.ended;
    if (failure?.final === true) throw new CommandError(failure.reason);
    return false;
  }

  /** Puts a new process in the place of the present one. Calls during a replacement join it. */
  replace(): Promise<void> {
    this.#replacing ??= this.#replaceNow().finally(() => {
      this.#replacing = undefined;
      // What ended meanwhile was left to the replacement, which may have failed as well.
      if (this.#current === undefined && this.#lastEnded !== undefined) {
        this.#scheduleRestart(this.#lastEnded.child, this.#lastEnded.ending);
      }
    });
    return this.#replacing;
  }

  isCurrent(child: T): boolean {
    return this.#current === child;
  }

  /** Ends every process in this place, and starts none again. */
  async stop(withinMs: number): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#restartTimer);
    await Promise.all(this.children.map((child) => child.drain(withinMs)));
  }

  kill(): void {
    this.#stopping = true;
    for (const child of this.#alive) child.kill();
  }

  async #replaceNow(): Promise<void> {
    const old = this.#current;
    if (this.#stopping || old === undefined) return;
    clearTimeout(this.#restartTimer);
    if (!this.#overlaps) {
      this.#current = undefined;
      await old.drain(REPLACED_DRAIN_MS);
      if (!this.#stopping) {
        await this.#readyInTime(this.#adopt(this.#launch()), REPLACEMENT_READY_MS);
      }
      return;
    }
    const next = this.#launch();
    const ready = await this.#readyInTime(next, REPLACEMENT_READY_MS);
    if (this.#stopping) return;
    if (ready === true) {
      this.#adopt(next);
      await old.drain(REPLACED_DRAIN_MS);
      return;
    }
    this.#logger.error({ child: next.role, worker: next.worker }, 'the replacement is not ready');
    next.kill();
    await next.ended;
  }

  /** Whether the process became ready, or ended before; null when it is late. */
  async #readyInTime(child: T, waitMs: number): Promise<boolean | null> {
    const waiting = new AbortController();
    const tooLate = delay(waitMs, null, { signal: waiting.signal });
    // Ending the wait makes it reject, which nobody is interested in any more.
    tooLate.catch(() => {});
    const ready = await Promise.race([child.ready, tooLate]);
    waiting.abort();
    return ready;
  }

  #launch(): T {
    const child = this.#prepared ?? this.#spawnTracked();
    this.#prepared = undefined;
    child.begin();
    return child;
  }

  #spawnTracked(): T {
    const child = this.#spawn();
    this.#alive.add(child);
    void child.ended.then(() => this.#alive.delete(child));
    return child;
  }

  #adopt(child: T): T {
    this.#current = child;
    void this.#watch(child);
    return child;
  }

  async #watch(child: T): Promise<void> {
    const ending = await child.ended;
    if (this.#current !== child) return;
    this.#current = undefined;
    this.#lastEnded = { child, ending };
    // During a replacement the next process is on its way already.
    if (this.#replacing === undefined) this.#scheduleRestart(child, ending);
  }

  #scheduleRestart(child: T, ending: Ending): void {
    if (this.#stopping) return;
    if (child.lifeMs >= WELL_AFTER_MS) this.#backoff.reset();
    const waitMs = this.#backoff.next();
    this.restarts += 1;
    this.#logger.warn(
      { child: child.role, worker: child.worker, reason: describeEnding(ending), waitMs },
      'a process ended and is started again',
    );
    this.#restartTimer = setTimeout(() => this.#adopt(this.#launch()), waitMs);
  }
}
