import type { AnalyticsStore } from '../ports/analytics-store.ts';
import { streamOf, type BatchStream } from '../ports/batch.ts';
import type { OffsetStore, PendingBatch } from '../ports/offset-store.ts';
import { countOf } from './cells.ts';

/**
 * Finds out what became of a batch whose INSERT was begun and whose answer nobody has seen, with no
 * word from its node: all of it is there, or nothing, or what one day's part of it has. Its load is settled
 * either way, so that those of others do not wait for it. Where something is missing the batch comes
 * again, for what is not there. To be called while nothing is inserted.
 */
export async function settleLoad(
  store: AnalyticsStore,
  offsets: OffsetStore,
  pending: PendingBatch,
): Promise<void> {
  const { load, manifest } = pending;
  if (load === null) return;
  const records = await countLoad(store, streamOf(manifest), load);
  if (records === pending.records) await offsets.commit(pending);
  else await offsets.release(pending, { records, comesAgain: true });
}

/** How many records of a load are in the raw table; parts without it are not opened. */
export async function countLoad(
  store: AnalyticsStore,
  stream: BatchStream,
  load: number,
): Promise<number> {
  const [row] = await store.query(`SELECT count() AS records FROM ${stream} WHERE load = ${load}`);
  return row === undefined ? 0 : countOf(row, 'records');
}
