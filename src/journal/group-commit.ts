/** Told once a record is where it was promised to be, or why it is not. */
export type Done = (error: Error | null) => void;

/**
 * Commits to the disk of one file: all who wait while one commit is under way share the next one.
 * After the first failure nobody is told of a success any more, because a disk that has failed to
 * write once may say "done" at the next try without having written (Linux marks the pages clean).
 */
export class GroupCommit {
  readonly #sync: (settled: Done) => void;
  readonly #onFailure: (error: Error) => void;
  #waiting: Done[] = [];
  #running = false;
  #failure: Error | null = null;
  #whenIdle: Done = () => {};

  /**
   * @param sync brings what has been written so far to the disk, and calls back.
   * @param onFailure called once, before anybody else is told.
   */
  constructor(sync: (settled: Done) => void, onFailure: (error: Error) => void) {
    this.#sync = sync;
    this.#onFailure = onFailure;
  }

  /** The records of these have been written; they are told when a commit has covered them. */
  add(waiting: readonly Done[]): void {
    this.#waiting = this.#waiting.concat(waiting);
    if (!this.#running) this.#next();
  }

  /**
   * Calls back once no commit is under way or wanted, with what made one fail, or null when all that
   * was added is on the disk. Nothing may be added afterwards.
   */
  finish(whenIdle: Done): void {
    this.#whenIdle = whenIdle;
    if (!this.#running) whenIdle(this.#failure);
  }

  #next(): void {
    const group = this.#waiting;
    this.#waiting = [];
    if (this.#failure !== null) tell(group, this.#failure);
    if (this.#failure !== null || group.length === 0) return this.#whenIdle(this.#failure);
    this.#running = true;
    this.#sync((error) => {
      this.#running = false;
      if (error !== null) this.#fail(error);
      tell(group, error);
      // One of those told may have begun the next commit already.
      if (!this.#running) this.#next();
    });
  }

  #fail(error: Error): void {
    this.#failure = error;
    this.#onFailure(error);
  }
}

function tell(group: readonly Done[], error: Error | null): void {
  for (const done of group) done(error);
}
