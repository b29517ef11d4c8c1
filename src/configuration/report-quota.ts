import type { Kysely } from 'kysely';
import type { Database } from './schema.ts';

/** Requests of an account in any hour, demand and publisher alike (reporting API, section 8). */
export const REPORTS_MAX = 100;
const SECOND_MS = 1_000;
export const WINDOW_SECONDS = 3_600;
const WINDOW_MS = WINDOW_SECONDS * SECOND_MS;

/** What is left to an account after a request, or of the one that it may not make. */
export interface QuotaState {
  readonly isAllowed: boolean;
  /** Requests that it may still make now. */
  readonly remaining: number;
  /** Whole seconds until it may make one more than that. */
  readonly moreInSeconds: number;
}

/**
 * Counts a request of an account, unless it has made its hundred within the hour before: then it is
 * told to wait and is not counted. The times are in the store, and are read and written in one
 * transaction, so that the limit is exact over parallel requests, restarts and several controls.
 *
 * @param account who asks, such as `demand partner 1001`.
 * @param nowMs Unix time in milliseconds.
 */
export async function takeReport(
  db: Kysely<Database>,
  account: string,
  nowMs: number,
): Promise<QuotaState> {
  return db.transaction().execute(async (transaction) => {
    const row = await transaction
      .selectFrom('report_requests')
      .select('times')
      .where('account', '=', account)
      .executeTakeFirst();
    const stored: readonly number[] = JSON.parse(row?.times ?? '[]');
    // A clock that was set back has left requests of the future, which are taken for ones of now.
    const times = stored.map((ms) => Math.min(ms, nowMs)).filter((ms) => ms > nowMs - WINDOW_MS);
    const isAllowed = times.length < REPORTS_MAX;
    if (isAllowed) times.push(nowMs);
    if (isAllowed || stored.some((ms) => ms > nowMs)) {
      await transaction
        .insertInto('report_requests')
        .values({ account, times: JSON.stringify(times) })
        .onConflict((conflict) =>
          conflict.column('account').doUpdateSet((written) => ({
            times: written.ref('excluded.times'),
          })),
        )
        .execute();
    }
    const [oldest = nowMs] = times;
    return {
      isAllowed,
      remaining: REPORTS_MAX - times.length,
      moreInSeconds: Math.ceil((oldest + WINDOW_MS - nowMs) / SECOND_MS),
    };
  });
}
