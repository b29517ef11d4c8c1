import type { AnalyticsStore } from '../ports/analytics-store.ts';
import { streamOf, type BatchManifest } from '../ports/batch.ts';
import type { OffsetStore } from '../ports/offset-store.ts';
import type { Quarantine } from './quarantine.ts';
import { readNotices } from './reconcile-notices.ts';
import { readDigests, readDuplicates } from './reconcile-records.ts';
import { readMetrics } from './reconcile-rollups.ts';
import { readTotals } from './reconcile-totals.ts';
import type { StoreQuestion, StoreSide } from './reconcile-wire.ts';

export interface StoreSideOptions {
  readonly store: AnalyticsStore;
  readonly offsets: OffsetStore;
  readonly quarantine: Pick<Quarantine, 'list'>;
  readonly question: StoreQuestion;
  /** The current day. */
  readonly today: string;
}

/**
 * The store's side of a reconciliation: a node's records as digests, every metric of every rollup
 * beside the same counted in the raw records, what is there twice, and what became of notices. To be
 * read while nothing is loaded (`exclusively`), so that all of it is of one moment.
 */
export async function readStoreSide(options: StoreSideOptions): Promise<StoreSide> {
  const { store, offsets, quarantine, question, today } = options;
  const { date, node } = question;
  const pending = (await offsets.pending()).filter(isMoney);
  const { offsets: loaded } = await offsets.read(node, 'money');
  const held = (await quarantine.list()).filter(
    (each) => each.stream === 'money' && each.node === node,
  );
  return {
    offsets: Object.fromEntries(loaded),
    unfinished: pending.map(({ manifest }) => manifest.incarnation),
    held: held.map(({ id, at, parts }) => ({ id, at, parts })),
    digests: node === '' ? [] : await readDigests(store, question),
    metrics: await readMetrics(store, date, today),
    duplicates: await readDuplicates(store, date),
    notices: node === '' ? [] : await readNotices(store, question),
    totals: await readTotals(store, date),
  };
}

/** Nothing of the trace stream is compared. */
function isMoney({ manifest }: { readonly manifest: BatchManifest }): boolean {
  return streamOf(manifest) === 'money';
}
