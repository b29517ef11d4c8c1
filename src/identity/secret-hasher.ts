import { RialtoError } from '../base/errors.ts';
import { TaskQueue } from '../base/task-queue.ts';
import { hashSecret, hashSecretLike } from './passwords.ts';

/** Fewer than verifications: whoever sets a secret has one already, and others wait to get in. */
const LIMITS = { concurrentMax: 1, waitingMax: 16 };

/**
 * Hashes the secrets that people set.
 *
 * @param like the hash of the secret whose place it takes while that is good; see `hashSecretLike`.
 * @throws RialtoError `overloaded` when too many wait already.
 */
export type SecretHasher = (plain: string, like?: string) => Promise<string>;

/** A hasher that lets nobody who sets secrets occupy the process. */
export function createSecretHasher(): SecretHasher {
  const queue = new TaskQueue(LIMITS);
  return async (plain, like) => {
    if (queue.isFull) throw new RialtoError('overloaded');
    return queue.run(() => (like === undefined ? hashSecret(plain) : hashSecretLike(plain, like)));
  };
}
