import { RialtoError } from '../base/errors.ts';
import { TaskQueue } from '../base/task-queue.ts';

/** More than a console or a program asks at a time; what waits has its body in memory. */
const LIMITS = { concurrentMax: 8, waitingMax: 32 };

/** Answers each user's requests a few at a time, so that nobody keeps others waiting by asking much. */
export class UserQueues {
  /** Of those who ask something at this moment, by the id of the user. */
  readonly #users = new Map<number, TaskQueue>();

  /** @throws RialtoError `overloaded` when too much of the user's waits already. */
  async run<T>(userId: number, work: () => Promise<T>): Promise<T> {
    const queue = this.#users.get(userId) ?? new TaskQueue(LIMITS);
    if (queue.isFull) throw new RialtoError('overloaded');
    this.#users.set(userId, queue);
    try {
      return await queue.run(work);
    } finally {
      if (queue.isIdle) this.#users.delete(userId);
    }
  }
}
