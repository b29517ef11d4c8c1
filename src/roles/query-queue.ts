import { RialtoError } from '../base/errors.ts';
import { TaskQueue } from '../base/task-queue.ts';

/**
 * Queries of the management API that run at the same time: each takes all cores, and its
 * answer up to 100 MB of this process, which has batches to load meanwhile.
 */
const LIMITS = { concurrentMax: 2, waitingMax: 64 };

/** Runs a query of the analytics store as soon as there is a place. */
export type RunQuery = <T>(query: () => Promise<T>) => Promise<T>;

/** The result throws RialtoError `overloaded` when too many querys wait already. */
export function createQueryQueue(): RunQuery {
  const queue = new TaskQueue(LIMITS);
  return async (query) => {
    if (queue.isFull) throw new RialtoError('overloaded');
    return queue.run(query);
  };
}
