import type { Kysely, Transaction } from 'kysely';
import type { SnapshotVersion } from '../snapshot/snapshot.ts';
import type { Database } from './schema.ts';

/**
 * Which state the store is in. Reads one row by its key, so that `control` may ask several times a
 * second and see what another process has changed.
 */
export async function readVersion(db: Kysely<Database>): Promise<SnapshotVersion> {
  return db
    .selectFrom('configuration_version')
    .select(['epoch', 'seq'])
    .where('id', '=', 1)
    .executeTakeFirstOrThrow();
}

/** Counts a change, in the transaction that makes it. */
export async function raiseVersion(transaction: Transaction<Database>): Promise<SnapshotVersion> {
  return transaction
    .updateTable('configuration_version')
    .set((row) => ({ seq: row('seq', '+', 1) }))
    .where('id', '=', 1)
    .returning(['epoch', 'seq'])
    .executeTakeFirstOrThrow();
}

export function isSameVersion(a: SnapshotVersion, b: SnapshotVersion): boolean {
  return a.epoch === b.epoch && a.seq === b.seq;
}
