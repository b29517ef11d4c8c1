import { RialtoError } from '../base/errors.ts';
import { FewAtATime } from '../identity/few-at-a-time.ts';

/**
 * What the management API asks of the analytics store at a time: a question takes all cores, and its
 * answer up to 100 MB of this process, which has batches to load meanwhile.
 */
const LIMITS = { concurrentMax: 2, waitingMax: 64 };

/** Asks the analytics store something as soon as it is its turn. */
export type AnalyticsTurns = <T>(question: () => Promise<T>) => Promise<T>;

/** The result throws RialtoError `overloaded` when too many questions wait already. */
export function createAnalyticsTurns(): AnalyticsTurns {
  const few = new FewAtATime(LIMITS);
  return async (question) => {
    if (few.isFull) throw new RialtoError('overloaded');
    return few.run(question);
  };
}
