type Turn = () => Promise<void>;

/** Does one piece of work after the other, what is urgent before all that is not. */
export class Turns {
  readonly #urgent: Turn[] = [];
  readonly #others: Turn[] = [];
  #isRunning = false;

  /** Resolves, or rejects, as the work does when its turn has come. */
  take<T>(work: () => Promise<T>, isUrgent: boolean): Promise<T> {
    return new Promise((resolve, reject) => {
      // Work that throws before it has a promise must not end the turns of all others.
      const turn = async (): Promise<void> => {
        try {
          resolve(await work());
        } catch (error) {
          reject(error);
        }
      };
      (isUrgent ? this.#urgent : this.#others).push(turn);
      if (!this.#isRunning) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    for (;;) {
      const turn = this.#urgent.shift() ?? this.#others.shift();
      if (turn === undefined) break;
      // One after the other is what this is for.
      // oxlint-disable-next-line no-await-in-loop
      await turn();
    }
    this.#isRunning = false;
  }
}
