import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { trimAuditLog } from '../configuration/audit-log.ts';
import type { Database } from '../configuration/schema.ts';
import { daily } from './daily.ts';

const DAY_MS = 24 * 3_600_000;

export interface AuditTrim {
  readonly db: Kysely<Database>;
  /** How long entries are kept; 0 keeps them all. */
  readonly days: number;
  readonly logger: Logger;
  /** Unix time in milliseconds. */
  readonly now: () => number;
}

/**
 * Removes what is too old from the audit log, now and once a day.
 *
 * @returns ends it; resolves when nothing is under way.
 */
export function trimAuditLogDaily({ db, days, logger, now }: AuditTrim): () => Promise<void> {
  if (days === 0) return () => Promise.resolve();
  const trim = async (): Promise<void> => {
    try {
      const removed = await trimAuditLog(db, now() - days * DAY_MS);
      if (removed > 0) logger.info({ removed, days }, 'old entries of the audit log were removed');
    } catch (error) {
      logger.error(
        { err: error },
        'the audit log could not be trimmed; it is tried again in a day',
      );
    }
  };
  return daily(trim);
}
