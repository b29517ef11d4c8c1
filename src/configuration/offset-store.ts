import type { Kysely, Selectable } from 'kysely';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { BatchManifestSchema, streamOf, type BatchStream } from '../ports/batch.ts';
import type { NodeOffsets, OffsetStore, PendingBatch } from '../ports/offset-store.ts';
import type { Database } from './schema.ts';
import { readOnly } from './state.ts';

const manifestValidator = Compile(BatchManifestSchema);
const linesValidator = Compile(Type.Array(Type.Integer({ minimum: 0 })));

/** The offsets in the configuration store, and how to keep them from growing for ever. */
export interface ConfigurationOffsetStore extends OffsetStore {
  /** Forgets segments that a node has removed from its disk; it never offers them again. */
  forget(incarnation: string, segments: readonly string[]): Promise<void>;
  /** Whether less of any of these segments is known to be loaded than was acknowledged of it. */
  lacks(incarnation: string, acknowledged: Readonly<Record<string, number>>): Promise<boolean>;
}

/** How far the journal of each node has been loaded, in two tables of the configuration store. */
export function createOffsetStore(db: Kysely<Database>): ConfigurationOffsetStore {
  return {
    read: (incarnation, stream) => read(db, incarnation, stream),
    begin: (pending) => begin(db, pending),
    commit: (manifest) =>
      db.transaction().execute(async (transaction) => {
        const { incarnation, segments } = manifest;
        await transaction
          .insertInto('segment_offsets')
          .values(segments.map(({ segment, end }) => ({ incarnation, segment, offset_bytes: end })))
          .onConflict((conflict) =>
            conflict
              .columns(['incarnation', 'segment'])
              .doUpdateSet((row) => ({ offset_bytes: row.ref('excluded.offset_bytes') })),
          )
          .execute();
        await transaction
          .deleteFrom('pending_batches')
          .where('incarnation', '=', incarnation)
          .where('stream', '=', streamOf(manifest))
          .execute();
      }),
    abandon: async ({ token, manifest }) => {
      await db
        .deleteFrom('pending_batches')
        .where('incarnation', '=', manifest.incarnation)
        .where('stream', '=', streamOf(manifest))
        .where('token', '=', token)
        .execute();
    },
    pending: async () => {
      const rows = await db.selectFrom('pending_batches').selectAll().execute();
      return rows.map((row) => decodePending(row));
    },
    lacks: async (incarnation, acknowledged) => {
      const told = Object.entries(acknowledged);
      if (told.length === 0) return false;
      const { offsets } = await read(db, incarnation, 'money');
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
  incarnation: string,
  stream: BatchStream,
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
      pending: pending === undefined ? null : decodePending(pending),
    };
  });
}

/** The loader has read that no other batch is pending; one that is would be lost by replacing it. */
async function begin(db: Kysely<Database>, pending: PendingBatch): Promise<void> {
  const { token, manifest, present } = pending;
  const { incarnation } = manifest;
  const stream = streamOf(manifest);
  await db.transaction().execute(async (transaction) => {
    const before = await transaction
      .selectFrom('pending_batches')
      .select('token')
      .where('incarnation', '=', incarnation)
      .where('stream', '=', stream)
      .executeTakeFirst();
    if (before?.token === token) return;
    if (before !== undefined) throw new Error(`another batch of node ${incarnation} is pending`);
    await transaction
      .insertInto('pending_batches')
      .values({
        incarnation,
        stream,
        token,
        manifest: JSON.stringify(manifest),
        present: present === undefined ? null : JSON.stringify(present),
      })
      .execute();
  });
}

/** @throws when the row holds something else than what `begin` has written */
function decodePending(row: Selectable<Database['pending_batches']>): PendingBatch {
  const { token } = row;
  const manifest: unknown = JSON.parse(row.manifest);
  if (!manifestValidator.Check(manifest)) throw new Error(`the manifest of batch ${token} is none`);
  if (row.present === null) return { token, manifest };
  const present: unknown = JSON.parse(row.present);
  if (!linesValidator.Check(present)) throw new Error(`the lines of batch ${token} are none`);
  return { token, manifest, present };
}
