/** How much may be done at the same time, and how much may wait for it. */
export interface TaskQueueLimits {
  readonly concurrentMax: number;
  readonly waitingMax: number;
}

const ONE_AFTER_THE_OTHER: TaskQueueLimits = { concurrentMax: 1, waitingMax: Infinity };

/** Runs tasks a few at a time, in the order in which they came, urgent ones before all others. */
export class TaskQueue {
  readonly #limits: TaskQueueLimits;
  readonly #urgent: (() => void)[] = [];
  readonly #others: (() => void)[] = [];
  #running = 0;

  constructor(limits: TaskQueueLimits = ONE_AFTER_THE_OTHER) {
    this.#limits = limits;
  }

  /** Whether so much waits that no more should be begun. */
  get isFull(): boolean {
    return this.#urgent.length + this.#others.length >= this.#limits.waitingMax;
  }

  /** Whether nothing runs, and so nothing waits. */
  get isIdle(): boolean {
    return this.#running === 0;
  }

  /** Resolves, or rejects, as the task does. Ask `isFull` first where there is a limit. */
  async run<T>(task: () => Promise<T>, isUrgent = false): Promise<T> {
    await this.#begin(isUrgent);
    try {
      return await task();
    } finally {
      this.#end();
    }
  }

  async #begin(isUrgent: boolean): Promise<void> {
    if (this.#running < this.#limits.concurrentMax) this.#running += 1;
    else {
      await new Promise<void>((resolve) => (isUrgent ? this.#urgent : this.#others).push(resolve));
    }
  }

  /** Hands the place on to the next, or leaves it free. */
  #end(): void {
    const next = this.#urgent.shift() ?? this.#others.shift();
    if (next === undefined) this.#running -= 1;
    else next();
  }
}
