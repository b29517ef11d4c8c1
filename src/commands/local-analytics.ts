import { join } from 'node:path';

import { openChdb } from '../adapters/chdb.ts';
import { migrateAnalytics } from '../analytics/migrate.ts';
import { RollupSteps } from '../analytics/step-rollups.ts';
import { identifyStore } from '../analytics/store-identity.ts';
import type { StorePlace } from '../settings/read-settings.ts';
import { createOffsetStore } from '../configuration/offset-store.ts';
import { createStoreRegister } from '../configuration/store-register.ts';
import type { AnalyticsStore } from '../ports/analytics-store.ts';
import type { OffsetStore } from '../ports/offset-store.ts';
import { openConfigurationStore, readControlPlace } from '../roles/configuration-store.ts';

/** The stores of a node that does not run. */
export interface LocalAnalytics {
  readonly store: AnalyticsStore;
  readonly offsets: OffsetStore;
  readonly steps: RollupSteps;
  close(): Promise<void>;
}

/**
 * Opens the stores of a node that does not run, in this process. What was loaded last is in the rollups
 * then, unless the analytics store is not the one that was loaded into.
 *
 * @param today the current day.
 * @throws CommandError when another process uses them.
 */
export async function openLocalAnalytics(
  place: StorePlace,
  today: string,
): Promise<LocalAnalytics> {
  const db = await openConfigurationStore(place);
  try {
    const store = await openChdb({ directory: join(place.dataDirectory, 'analytics') });
    try {
      await migrateAnalytics(store);
      const name = readControlPlace(place);
      const offsets = createOffsetStore(db, name);
      const steps = new RollupSteps({ store, offsets });
      const register = createStoreRegister(db, name);
      if ((await identifyStore({ store, register, today })) === 'known') await steps.fill();
      return {
        store,
        offsets,
        steps,
        close: async () => {
          await store.close();
          await db.destroy();
        },
      };
    } catch (error) {
      await store.close();
      throw error;
    }
  } catch (error) {
    await db.destroy();
    throw error;
  }
}
