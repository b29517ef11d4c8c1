import { rebuildRollups } from '../analytics/rebuild.ts';
import type { StorePlace } from '../settings/read-settings.ts';
import { openLocalAnalytics } from './local-analytics.ts';

export interface RebuildRequest extends StorePlace {
  /** UTC days, both included, YYYY-MM-DD. */
  readonly startDate: string;
  readonly endDate: string;
  readonly today: string;
}

/**
 * Computes the rollups of some days anew from the raw records, on the data directory of a node that
 * does not run: the analytics store belongs to one process at a time.
 *
 * @throws CommandError when the store is in use, or the raw records do not cover the days.
 */
export async function runRebuild(request: RebuildRequest): Promise<void> {
  const { startDate, endDate, today } = request;
  const analytics = await openLocalAnalytics(request, today);
  const { store, steps } = analytics;
  try {
    await rebuildRollups({ store, steps, startDate, endDate, today });
  } finally {
    await analytics.close();
  }
}
