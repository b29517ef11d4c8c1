import type { Kysely, Selectable } from 'kysely';
import { Compile } from 'typebox/compile';
import { BatchManifestSchema, streamOf, type BatchStream } from '../ports/batch.ts';
import type { NodeOffsets, OffsetStore, PendingBatch } from '../ports/offset-store.ts';
import type { Database } from './schema.ts';
import { readOnly } from './state.ts';

const manifestValidator = Compile(BatchManifestSchema);

/** The offsets in the configuration store, and how to keep them from growing for ever. */
export interface ConfigurationOffsetStore extends OffsetStore {
  /** Forgets segments that a node has removed from its disk; it never offers them again. */
  forget(incarnation: string, segments: readonly string[]): Promise<void>;
  /** Whether less of any of these segments is known to be loaded than was acknowledged of it. */
  lacks(incarnation: string, acknowledged: Readonly<Record<string, number>>): Promise<boolean>;
}

/**
 * How far the journal of each node has been loaded, in three tables of the configuration store.
 *
 * @param place tells the analytics stores apart that share the configuration store.
 */
export function createOffsetStore(db: Kysely<Database>, place: string): ConfigurationOffsetStore {
  return {
    read: (incarnation, stream) => read(db, place, { incarnation, stream }),
    begin: (...pending) =>
      db.transaction().execute(async (transaction) => {
        for (const each of pending) await begin(transaction, place, each);
      }),
    commit: (...pending) =>
      db.transaction().execute(async (transaction) => {
        for (const each of pending) await commit(transaction, place, each);
      }),
    release: (pending, { records, comesAgain }) =>
      db.transaction().execute(async (transaction) => {
        await settle(transaction, place, pending, records);
        if (!comesAgain) return forgetPending(transaction, pending);
        await transaction
          .updateTable('pending_batches')
          .set({ load_number: null })
          .where('incarnation', '=', pending.manifest.incarnation)
          .where('stream', '=', streamOf(pending.manifest))
          .execute();
      }),
    pending: async () => {
      const rows = await db
        .selectFrom('pending_batches')
        .selectAll()
        .where('place', '=', place)
        .execute();
      return rows.map((row) => decodePending(row, place));
    },
    settled: async (of) => {
      const all = db.selectFrom('settled_loads').selectAll().where('place', '=', place);
      const asked =
        of === undefined
          ? all
          : all.where('stream', '=', of.stream).where('load_number', '>=', of.first).limit(of.max);
      const rows = await asked.orderBy('load_number').execute();
      return rows.map(({ stream, load_number: load, records }) => ({ stream, load, records }));
    },
    forgetSettled: async (stream, last) => {
      await db
        .deleteFrom('settled_loads')
        .where('place', '=', place)
        .where('stream', '=', stream)
        .where('load_number', '<=', last)
        .execute();
    },
    lacks: async (incarnation, acknowledged) => {
      const told = Object.entries(acknowledged);
      if (told.length === 0) return false;
      const { offsets } = await read(db, place, { incarnation, stream: 'money' });
      return told.some(([segment, offset]) => (offsets.get(segment) ?? 0) < offset);
    },
    forget: async (incarnation, segments) => {
      if (segments.length === 0) return;
      await db
        .deleteFrom('segment_offsets')
        .where('incarnation', '=', incarnation)
        .where('segment', 'in', segments)
        .execute();
    },
  };
}

/** One state of both tables: a commit in between would show offsets beside their own batch. */
async function read(
  db: Kysely<Database>,
  place: string,
  { incarnation, stream }: { readonly incarnation: string; readonly stream: BatchStream },
): Promise<NodeOffsets> {
  return readOnly(db, async (transaction) => {
    const rows = await transaction
      .selectFrom('segment_offsets')
      .select(['segment', 'offset_bytes'])
      .where('incarnation', '=', incarnation)
      .execute();
    const pending = await transaction
      .selectFrom('pending_batches')
      .selectAll()
      .where('incarnation', '=', incarnation)
      .where('stream', '=', stream)
      .executeTakeFirst();
    return {
      offsets: new Map(rows.map((row) => [row.segment, row.offset_bytes] as const)),
      pending: pending === undefined ? null : decodePending(pending, place),
    };
  });
}

/** The loader has read that no other batch is pending; one that is would be lost by replacing it. */
async function begin(
  transaction: Kysely<Database>,
  place: string,
  pending: PendingBatch,
): Promise<void> {
  const { token, manifest, load, records } = pending;
  const { incarnation } = manifest;
  const stream = streamOf(manifest);
  const before = await transaction
    .selectFrom('pending_batches')
    .select('token')
    .where('incarnation', '=', incarnation)
    .where('stream', '=', stream)
    .executeTakeFirst();
  if (before !== undefined && before.token !== token) {
    throw new Error(`another batch of node ${incarnation} is pending`);
  }
  const row = {
    incarnation,
    stream,
    place,
    token,
    manifest: JSON.stringify(manifest),
    load_number: load,
    records,
  };
  await transaction
    .insertInto('pending_batches')
    .values(row)
    .onConflict((conflict) => conflict.columns(['incarnation', 'stream']).doUpdateSet(row))
    .execute();
}

async function commit(
  transaction: Kysely<Database>,
  place: string,
  pending: PendingBatch,
): Promise<void> {
  const { incarnation, segments } = pending.manifest;
  await transaction
    .insertInto('segment_offsets')
    .values(segments.map(({ segment, end }) => ({ incarnation, segment, offset_bytes: end })))
    .onConflict((conflict) =>
      conflict
        .columns(['incarnation', 'segment'])
        .doUpdateSet((row) => ({ offset_bytes: row.ref('excluded.offset_bytes') })),
    )
    .execute();
  await settle(transaction, place, pending, pending.records);
  await forgetPending(transaction, pending);
}

/** What has no records needs no step. */
async function settle(
  transaction: Kysely<Database>,
  place: string,
  { manifest, load }: PendingBatch,
  records: number,
): Promise<void> {
  if (load === null || records === 0) return;
  await transaction
    .insertInto('settled_loads')
    .values({ place, stream: streamOf(manifest), load_number: load, records })
    .execute();
}

async function forgetPending(
  transaction: Kysely<Database>,
  { manifest }: PendingBatch,
): Promise<void> {
  await transaction
    .deleteFrom('pending_batches')
    .where('incarnation', '=', manifest.incarnation)
    .where('stream', '=', streamOf(manifest))
    .execute();
}

/**
 * The number of a load says nothing in another analytics store, such as that of a control before this one.
 *
 * @throws when the row holds something else than what `begin` has written
 */
function decodePending(row: Selectable<Database['pending_batches']>, place: string): PendingBatch {
  const { token, records } = row;
  const load = row.place === place ? row.load_number : null;
  const manifest: unknown = JSON.parse(row.manifest);
  if (!manifestValidator.Check(manifest)) throw new Error(`the manifest of batch ${token} is none`);
  return { token, manifest, load, records };
}
