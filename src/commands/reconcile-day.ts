import { addDays, startOf } from '../analytics/dates.ts';
import type { StoreQuestion } from '../analytics/reconcile-wire.ts';
import { findDifferences } from './reconcile-differences.ts';
import { readJournalSide, type JournalQuestion } from './reconcile-journal.ts';
import type { PendingNotices } from './reconcile-notices.ts';
import { differingBuckets, reportOf } from './reconcile-report.ts';
import type { ReconcileReport } from './reconcile-section.ts';
import type { StoreReader } from '../control/reconcile.ts';

export interface ReconcileParts {
  /** The UTC day, YYYY-MM-DD. */
  readonly date: string;
  readonly store: StoreReader;
  /** Null for a data directory without a journal. */
  readonly local: LocalParts | null;
}

/** What lies on this node's disk. */
export interface LocalParts {
  /** The incarnation of the data directory. */
  readonly node: string;
  readonly journalDirectory: string;
  /** Up to which time segments of the journal may have been removed, Unix time in milliseconds. */
  readonly trimmedMs: () => Promise<number>;
  readonly pendingNotices: () => Promise<PendingNotices>;
}

export interface Reconciled {
  readonly report: ReconcileReport;
  /** Something went on that may have spoilt the comparison. */
  readonly isUnsettled: boolean;
}

/**
 * Compares journal, raw records, rollups and notices of one day. The order makes it exact while the
 * node runs: the store is read first, then what waits to be called, then the journal. Whatever has
 * left one place since is found in the next one.
 */
export async function reconcileDay({ date, store, local }: ReconcileParts): Promise<Reconciled> {
  if (local === null) {
    const side = await store.side({ date, node: '', after_ms: 0 });
    const report = reportOf({ date, store: side, local: null });
    return { report, isUnsettled: side.unfinished.length > 0 };
  }
  const { node, journalDirectory } = local;
  const trimmedMs = await local.trimmedMs();
  const asked: StoreQuestion = { date, node, after_ms: trimmedMs };
  const side = await store.side(asked);
  const pending = await local.pendingNotices();
  const question: JournalQuestion = {
    directory: journalDirectory,
    startMs: startOf(date),
    endMs: startOf(addDays(date, 1)),
    afterMs: trimmedMs,
    store: side,
    noticesReadTo: pending.readTo,
  };
  const journal = await readJournalSide(question);
  const differences = await findDifferences(
    differingBuckets(journal, side.digests),
    question,
    (bucket) => store.rows({ ...asked, ...bucket }),
  );
  // A segment that was removed meanwhile may not have been read.
  const wasTrimmed = (await local.trimmedMs()) !== trimmedMs;
  const coverage = coverageOf(question);
  const isCovered = question.afterMs < question.endMs;
  const found = { node, journal, coverage, isCovered, pending, differences };
  return {
    report: reportOf({ date, store: side, local: found }),
    isUnsettled: wasTrimmed || !pending.isWhole || side.unfinished.length > 0,
  };
}

/** From when on the journal is compared, in words. */
function coverageOf({ startMs, endMs, afterMs }: JournalQuestion): string {
  if (afterMs < startMs) return 'the whole day';
  const time = new Date(afterMs).toISOString().slice(0, 'YYYY-MM-DDThh:mm:ss'.length);
  if (afterMs >= endMs) return `not compared: the journal on this disk begins at ${time} UTC`;
  return `from where the journal on this disk begins, at ${time.slice(-'hh:mm:ss'.length)} UTC`;
}
