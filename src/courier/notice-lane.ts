import type { LaneName } from './notice-store.ts';
import type { DueNotice } from './notice.ts';

/** Notices of a lane that are in memory, waiting for their call, at most; more wait on the disk. */
export const QUEUED_MAX = 256;
/** Loss notices of a lane that wait for their call at most; what comes on top is dropped. */
const LOSSES_QUEUED_MAX = 256;

/** So many failures in a row, and a lane counts as failing. */
const FAILURES_MAX = 5;
/** A failing lane is tried with one notice at a time, after a pause that grows from this to that. */
const PAUSE_FIRST_MS = 1_000;
const PAUSE_MAX_MS = 10_000;

/** Calls of a lane under way at most, as long as its destination takes them. */
export const LANE_CALLS_MAX = 256;
/** How long a lane waits whose destination takes no call although none of its own is under way. */
const BUSY_MS = 20;

/**
 * A win or billing notice in memory. `queued` waits for its call; `waiting` is in no queue, but on
 * the disk or on its way there, and is forgotten as soon as it is.
 */
export interface Notice {
  readonly due: DueNotice;
  readonly lane: NoticeLane;
  state: 'queued' | 'calling' | 'waiting' | 'done';
  /** Unix time in milliseconds of the next try. */
  nextMs: number;
  tries: number;
  /** Of the last answer; 0 while there was none. */
  status: number;
  /** In the store; 0 while it is not there. */
  row: number;
  /** It is in the store, or in the checkpoint that is being made. */
  isSaved: boolean;
  /** The store does not know its present state. */
  isChanged: boolean;
}

/**
 * The notices of one demand partner to one destination: what has its answers and failures in common.
 * Those that may be called soon are in memory, the others in the store.
 */
export class NoticeLane implements LaneName {
  readonly partnerId: number;
  readonly destination: string;
  /** Calls under way. */
  inFlight = 0;
  /** Notices of it in the store, and those among them that are in memory, by row. */
  stored = 0;
  readonly loaded = new Set<number>();
  /** Unix time in milliseconds at which the first of the others is to be tried. */
  nextStoredMs = Infinity;
  /** Notices that are not done, wherever they are. */
  pending = 0;
  /** Notices that are in memory and not in the store. */
  unsaved = 0;
  readonly #queue: Notice[] = [];
  readonly #losses: DueNotice[] = [];
  #failures = 0;
  #isFailing = false;
  #pauseMs = 0;
  /** On the monotonic clock. */
  #failingSinceMs = 0;
  #quietUntilMs = -Infinity;
  /** Follows what the destination takes: up with each answer, down with each failure. */
  #callsMax = LANE_CALLS_MAX;

  constructor({ partnerId, destination }: LaneName) {
    this.partnerId = partnerId;
    this.destination = destination;
  }

  get queued(): number {
    return this.#queue.length;
  }

  get queuedLosses(): number {
    return this.#losses.length;
  }

  get isFailing(): boolean {
    return this.#isFailing;
  }

  /** Nothing is known of it that would be missed. */
  get isIdle(): boolean {
    return (
      this.stored + this.unsaved + this.inFlight + this.#queue.length + this.#losses.length === 0
    );
  }

  /** Whether it may call now; `monotonicMs` is compared with the times of its failures. */
  mayCall(monotonicMs: number): boolean {
    if (monotonicMs < this.#quietUntilMs) return false;
    return this.inFlight < (this.#isFailing ? 1 : this.#callsMax);
  }

  /** There is room for one that has been read, and nothing older waits in the store. */
  takes(nowMs: number): boolean {
    return !this.#isFailing && this.#queue.length < QUEUED_MAX && this.nextStoredMs > nowMs;
  }

  push(notice: Notice): void {
    notice.state = 'queued';
    this.#queue.push(notice);
  }

  /** @returns false when it is dropped: nobody waits for the loss of a bid. */
  pushLoss(loss: DueNotice): boolean {
    if (this.#isFailing || this.#losses.length >= LOSSES_QUEUED_MAX) return false;
    this.#losses.push(loss);
    return true;
  }

  /** What is called next: losses when nothing else waits. */
  shift(): Notice | DueNotice | undefined {
    return this.#queue.shift() ?? this.#losses.shift();
  }

  /** The destination takes no more for now: what was shifted goes back to where it was. */
  unshift(item: Notice | DueNotice, monotonicMs: number): void {
    if ('lane' in item) this.#queue.unshift(item);
    else this.#losses.unshift(item);
    this.#callsMax = Math.max(1, this.inFlight);
    if (this.inFlight === 0)
      this.#quietUntilMs = Math.max(this.#quietUntilMs, monotonicMs + BUSY_MS);
  }

  answered(): void {
    this.#callsMax = Math.min(LANE_CALLS_MAX, this.#callsMax + 1);
    this.#failures = 0;
    this.#isFailing = false;
    this.#pauseMs = 0;
    this.#quietUntilMs = -Infinity;
  }

  /**
   * A call without an answer that ends it.
   *
   * @param calledMs when it began, on the monotonic clock: those that were under way as the lane
   *   began to fail say nothing new.
   */
  failed(calledMs: number, monotonicMs: number): void {
    this.#failures += 1;
    // One that is only slow is asked for less at a time, and then answers in time.
    this.#callsMax = Math.max(1, this.#callsMax >> 1);
    if (this.#isFailing ? calledMs < this.#failingSinceMs : this.#failures < FAILURES_MAX) return;
    if (!this.#isFailing) this.#failingSinceMs = monotonicMs;
    this.#isFailing = true;
    this.#pauseMs = Math.min(Math.max(this.#pauseMs * 2, PAUSE_FIRST_MS), PAUSE_MAX_MS);
    this.#quietUntilMs = monotonicMs + this.#pauseMs;
  }

  /** Empties the queues of a lane that fails: what waits there would wait for long. */
  spill(): { readonly notices: readonly Notice[]; readonly losses: number } {
    return { notices: this.#queue.splice(0), losses: this.#losses.splice(0).length };
  }

  /** A notice of it waits in the store. */
  waits(nextMs: number): void {
    this.nextStoredMs = Math.min(this.nextStoredMs, nextMs);
  }
}
