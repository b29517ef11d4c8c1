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
 *       present TEXT, PRIMARY KEY (incarnation, stream));
 */
export interface OffsetStore {
  read(incarnation: string, stream: BatchStream): Promise<NodeOffsets>;
  /** The batch whose insertion begins: at most one of a node's stream, replacing none but itself. */
  begin(pending: PendingBatch): Promise<void>;
  /** In one transaction: moves the offset of every range to its end, and forgets the pending batch. */
  commit(manifest: BatchManifest): Promise<void>;
  /** Forgets a batch that was begun and will never come again. */
  abandon(pending: PendingBatch): Promise<void>;
  /** Of all nodes and streams: batches that may be in the store in part. */
  pending(): Promise<readonly PendingBatch[]>;
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
  /** Of a batch that is offered again: the lines, from 0, that were in the store before it. */
  readonly present?: readonly number[];
}
