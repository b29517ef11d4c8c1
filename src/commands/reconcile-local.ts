import { join } from 'node:path';

import { openChdb } from '../adapters/chdb.ts';
import { migrateAnalytics } from '../analytics/migrate.ts';
import { createQuarantine } from '../analytics/quarantine.ts';
import { readMinutes, readRecordedPage } from '../analytics/recorded-auctions.ts';
import { readKeyedRows } from '../analytics/reconcile-records.ts';
import { readStoreSide } from '../analytics/reconcile.ts';
import type { StorePlace } from '../settings/settings.ts';
import { createOffsetStore } from '../configuration/offset-store.ts';
import { openConfigurationStore } from '../roles/configuration-store.ts';
import type { OpenedStore } from './opened-store.ts';

/**
 * Opens the stores of a node that does not run, in this process.
 *
 * @param today the current day.
 * @throws CommandError when another process uses them.
 */
export async function openLocalStore(place: StorePlace, today: string): Promise<OpenedStore> {
  const { dataDirectory } = place;
  const db = await openConfigurationStore(place);
  try {
    const store = await openChdb({ directory: join(dataDirectory, 'analytics') });
    try {
      await migrateAnalytics(store);
    } catch (error) {
      await store.close();
      throw error;
    }
    const offsets = createOffsetStore(db);
    const quarantine = createQuarantine(join(dataDirectory, 'quarantine'));
    return {
      isRunning: false,
      side: (question) => readStoreSide({ store, offsets, quarantine, question, today }),
      rows: (question) => readKeyedRows(store, question),
      minutes: (choice) => readMinutes(store, choice),
      recordedPage: (question) => readRecordedPage(store, question),
      close: async () => {
        await store.close();
        await db.destroy();
      },
    };
  } catch (error) {
    await db.destroy();
    throw error;
  }
}
