import type { StoreReader } from '../control/reconcile.ts';
import type { RecordedReader } from '../control/replay.ts';

/** The store of a reconciliation or a replay: a running control is asked, else it is opened. */
export interface OpenedStore extends StoreReader, RecordedReader {
  /** A node runs on the data directory, or control elsewhere: what is missing may be on its way. */
  readonly isRunning: boolean;
  close(): Promise<void>;
}
