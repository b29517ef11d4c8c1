import type { Kysely } from 'kysely';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import type { LoadedRecord, StoreRegister } from '../ports/store-register.ts';
import type { Database } from './schema.ts';

const loadedValidator = Compile(
  Type.Object({
    node: Type.String(),
    kind: Type.String(),
    key: Type.String(),
    at_ms: Type.Integer(),
  }),
);

/** The one row of `reoffers`. */
const ONLY = 1;

/** @param place tells controls apart that share the configuration store. */
export function createStoreRegister(db: Kysely<Database>, place: string): StoreRegister {
  return {
    read: async () => {
      const row = await db
        .selectFrom('analytics_stores')
        .select(['id', 'last_loaded'])
        .where('place', '=', place)
        .executeTakeFirst();
      return row === undefined ? null : { id: row.id, lastLoaded: decodeLoaded(row.last_loaded) };
    },
    adopt: (id) => adopt(db, place, id),
    noteLoaded: async (record) => {
      await db
        .updateTable('analytics_stores')
        .set({ last_loaded: JSON.stringify(record) })
        .where('place', '=', place)
        .execute();
    },
    reoffer: (id, nowMs) =>
      db.transaction().execute(async (transaction) => {
        await adopt(transaction, place, id);
        await transaction.deleteFrom('segment_offsets').execute();
        await transaction.deleteFrom('pending_batches').execute();
        await transaction.deleteFrom('settled_loads').where('place', '=', place).execute();
        const askedAt = Math.max(nowMs, (await readReofferedAt(transaction)) + 1);
        await transaction
          .insertInto('reoffers')
          .values({ id: ONLY, asked_at: askedAt })
          .onConflict((conflict) => conflict.column('id').doUpdateSet({ asked_at: askedAt }))
          .execute();
      }),
    reofferedAt: () => readReofferedAt(db),
  };
}

async function adopt(db: Kysely<Database>, place: string, id: string): Promise<void> {
  await db
    .insertInto('analytics_stores')
    .values({ place, id, last_loaded: null })
    .onConflict((conflict) => conflict.column('place').doUpdateSet({ id, last_loaded: null }))
    .execute();
}

async function readReofferedAt(db: Kysely<Database>): Promise<number> {
  const row = await db.selectFrom('reoffers').select('asked_at').executeTakeFirst();
  return row?.asked_at ?? 0;
}

/** Null also for what this version does not know: an older store is then not known as such. */
function decodeLoaded(text: string | null): LoadedRecord | null {
  const decoded: unknown = text === null ? null : JSON.parse(text);
  return loadedValidator.Check(decoded) ? decoded : null;
}
