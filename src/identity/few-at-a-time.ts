/** How much may be done at the same time, and how much may wait for it. */
export interface FewAtATimeLimits {
  readonly concurrentMax: number;
  readonly waitingMax: number;
}

/** Does costly work a few at a time, in the order in which it came. */
export class FewAtATime {
  readonly #limits: FewAtATimeLimits;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(limits: FewAtATimeLimits) {
    this.#limits = limits;
  }

  /** Whether so much waits that no more should be begun. */
  get isFull(): boolean {
    return this.#waiting.length >= this.#limits.waitingMax;
  }

  /** Whether nothing runs, and so nothing waits. */
  get isIdle(): boolean {
    return this.#running === 0;
  }

  /** Does it as soon as there is a place; ask `isFull` first. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.#begin();
    try {
      return await work();
    } finally {
      this.#end();
    }
  }

  async #begin(): Promise<void> {
    if (this.#running < this.#limits.concurrentMax) this.#running += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Hands the place on to the next, or leaves it free. */
  #end(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#running -= 1;
    else next();
  }
}
