import { setTimeout as delay } from 'node:timers/promises';

import { reconcileDay } from './reconcile-day.ts';
import type { ReconcileReport } from './reconcile-section.ts';
import { readLocalParts } from './reconcile-node.ts';
import { openReconcileStore, type StoreOptions } from './reconcile-store.ts';

export interface ReconcileRequest extends StoreOptions {
  /** A UTC day of which raw records are kept, YYYY-MM-DD. */
  readonly date: string;
}

/**
 * What a running node does meanwhile can look like a difference for a moment: it is looked at again
 * before it is told.
 */
const LOOKS_MAX = 4;
const LOOK_AGAIN_MS = 2_000;

/**
 * Compares the journal of a node, the raw records, the rollups and the notices of one day, whether or
 * not the node runs.
 *
 * @throws CommandError when there is no store to compare with, or control cannot be reached.
 */
export async function runReconcile(request: ReconcileRequest): Promise<ReconcileReport> {
  const { dataDirectory, date } = request;
  const local = readLocalParts(dataDirectory, date);
  const store = await openReconcileStore(request);
  try {
    for (let looks = 1; ; looks += 1) {
      const { report, isUnsettled } = await reconcileDay({ date, store, local });
      const isSure = report.agrees || !store.isRunning;
      if ((isSure && !isUnsettled) || looks === LOOKS_MAX) return report;
      await delay(LOOK_AGAIN_MS);
    }
  } finally {
    await store.close();
  }
}
