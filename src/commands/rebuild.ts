import { join } from 'node:path';
import { openChdb } from '../adapters/chdb.ts';
import { migrateAnalytics } from '../analytics/migrate.ts';
import { rebuildRollups } from '../analytics/rebuild.ts';
import { createOffsetStore } from '../configuration/offset-store.ts';
import type { StorePlace } from '../settings/settings.ts';
import { openConfigurationStore } from '../roles/configuration-store.ts';

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
  const { dataDirectory, startDate, endDate, today } = request;
  const db = await openConfigurationStore(request);
  try {
    const store = await openChdb({ directory: join(dataDirectory, 'analytics') });
    try {
      await migrateAnalytics(store);
      await rebuildRollups({ store, offsets: createOffsetStore(db), startDate, endDate, today });
    } finally {
      await store.close();
    }
  } finally {
    await db.destroy();
  }
}
