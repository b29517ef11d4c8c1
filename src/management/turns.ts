import { RialtoError } from '../base/errors.ts';
import { FewAtATime } from '../identity/few-at-a-time.ts';

/** More than a console or a program asks at a time; what waits has its body in memory. */
const LIMITS = { concurrentMax: 8, waitingMax: 32 };

/** Answers each user's requests a few at a time, so that nobody keeps others waiting by asking much. */
export class Turns {
  /** Of those who ask something at this moment, by the id of the user. */
  readonly #users = new Map<number, FewAtATime>();

  /** @throws RialtoError `overloaded` when too much of the user's waits already. */
  async take<T>(userId: number, work: () => Promise<T>): Promise<T> {
    const few = this.#users.get(userId) ?? new FewAtATime(LIMITS);
    if (few.isFull) throw new RialtoError('overloaded');
    this.#users.set(userId, few);
    try {
      return await few.run(work);
    } finally {
      if (few.isIdle) this.#users.delete(userId);
    }
  }
}
