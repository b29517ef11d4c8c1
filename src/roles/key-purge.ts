import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { purgeKeys } from '../configuration/idempotency-keys.ts';
import type { Database } from '../configuration/schema.ts';
import { daily } from './daily.ts';

export interface KeyPurge {
  readonly db: Kysely<Database>;
  readonly logger: Logger;
  /** Unix time in milliseconds. */
  readonly now: () => number;
}

/**
 * Removes the Idempotency-Keys that are known no longer, of users too who send no more of them, now and
 * once a day.
 *
 * @returns ends it; resolves when nothing is under way.
 */
export function purgeKeysDaily({ db, logger, now }: KeyPurge): () => Promise<void> {
  return daily(async () => {
    try {
      const removed = await purgeKeys(db, now());
      if (removed > 0) logger.info({ removed }, 'old Idempotency-Keys were removed');
    } catch (error) {
      logger.error(
        { err: error },
        'old Idempotency-Keys could not be removed; it is tried again in a day',
      );
    }
  });
}
