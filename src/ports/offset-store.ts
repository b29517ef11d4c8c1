import type { BatchManifest, BatchStream } from './batch.ts';

/**
 * How far each segment has been loaded: what makes a batch, once loaded, loaded for good. Kept in
 * the configuration store, durable when a promise resolves. In SQL:
 *
 *     CREATE TABLE segment_offsets (
 *       incarnation TEXT NOT NULL, segment TEXT NOT NULL, offset_bytes INTEGER NOT NULL,
 *       PRIMARY KEY (incarnation, segment));
 *     CREATE TABLE pending_batches (
 *       incarnation TEXT NOT NULL, stream TEXT NOT NULL, token TEXT NOT NULL, manifest TEXT NOT NULL,
 *       place TEXT NOT NULL, load_number INTEGER, records INTEGER NOT NULL,
 *       PRIMARY KEY (incarnation, stream));
 *     CREATE TABLE settled_loads (
 *       place TEXT NOT NULL, stream TEXT NOT NULL, load_number INTEGER NOT NULL, records INTEGER NOT NULL,
 *       PRIMARY KEY (place, load_number));
 *
 * What is pending and settled is of one analytics store, offsets are of all that share a configuration
 * store.
 */
export interface OffsetStore {
  read(incarnation: string, stream: BatchStream): Promise<NodeOffsets>;
  /**
   * The batches whose insertion begins, all or none of them: at most one of a node's stream, replacing
   * none but itself.
   */
  begin(...pending: readonly PendingBatch[]): Promise<void>;
  /**
   * In one transaction: moves the offset of every range to its end, forgets the pending batches, and
   * settles their loads.
   */
  commit(...pending: readonly PendingBatch[]): Promise<void>;
  /**
   * Settles the load of a batch, of which so many records are in the store and no more will come. The
   * batch stays pending, without a load, where it has to come again for the others.
   */
  release(pending: PendingBatch, release: Release): Promise<void>;
  /** Of all nodes and streams: batches that may be in the store in part. */
  pending(): Promise<readonly PendingBatch[]>;
  /** The loads that were settled and are not forgotten, the lowest first: all, or some of one stream. */
  settled(of?: SettledQuestion): Promise<readonly SettledLoad[]>;
  /** Forgets the settled loads of a stream up to this one. */
  forgetSettled(stream: BatchStream, last: number): Promise<void>;
}

/** The lowest loads of a stream from `first` on, at most so many. */
export interface SettledQuestion {
  readonly stream: BatchStream;
  readonly first: number;
  readonly max: number;
}

export interface Release {
  readonly records: number;
  readonly comesAgain: boolean;
}

/** What is known of one data directory. */
export interface NodeOffsets {
  /** By segment, of whatever stream; one of which nothing was loaded is missing. */
  readonly offsets: ReadonlyMap<string, number>;
  readonly pending: PendingBatch | null;
}

/** A batch that was begun and not committed: it alone may come next of its stream. */
export interface PendingBatch {
  readonly token: string;
  readonly manifest: BatchManifest;
  /** The number that its records bear; null where a part of them is in the store under an earlier one. */
  readonly load: number | null;
  /** How many records the INSERT has. */
  readonly records: number;
}

/** A load that is in the raw table for good. */
export interface SettledLoad {
  readonly stream: BatchStream;
  readonly load: number;
  readonly records: number;
}
