import { RialtoError } from '../base/errors.ts';
import { FewAtATime } from './few-at-a-time.ts';
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
  const few = new FewAtATime(LIMITS);
  return async (plain, like) => {
    if (few.isFull) throw new RialtoError('overloaded');
    return few.run(() => (like === undefined ? hashSecret(plain) : hashSecretLike(plain, like)));
  };
}
