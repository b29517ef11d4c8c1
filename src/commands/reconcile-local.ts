import { join } from 'node:path';

import { createQuarantine } from '../analytics/quarantine.ts';
import { readMinutes, readRecordedPage } from '../analytics/recorded-auctions.ts';
import { readKeyedRows } from '../analytics/reconcile-records.ts';
import { readStoreSide } from '../analytics/reconcile.ts';
import type { StorePlace } from '../settings/read-settings.ts';
import { openLocalAnalytics } from './local-analytics.ts';
import type { OpenedStore } from './opened-store.ts';

/**
 * Opens the stores of a node that does not run, in this process.
 *
 * @param today the current day.
 * @throws CommandError when another process uses them.
 */
export async function openLocalStore(place: StorePlace, today: string): Promise<OpenedStore> {
  const analytics = await openLocalAnalytics(place, today);
  const { store, offsets } = analytics;
  const quarantine = createQuarantine(join(place.dataDirectory, 'quarantine'));
  return {
    isRunning: false,
    side: (question) => readStoreSide({ store, offsets, quarantine, question, today }),
    rows: (question) => readKeyedRows(store, question),
    minutes: (choice) => readMinutes(store, choice),
    recordedPage: (question) => readRecordedPage(store, question),
    close: () => analytics.close(),
  };
}
