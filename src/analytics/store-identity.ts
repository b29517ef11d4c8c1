import { randomBytes } from 'node:crypto';

import type { MoneyRecord } from '../events/money-record.ts';
import type { AnalyticsStore } from '../ports/analytics-store.ts';
import type { LoadedRecord, StoreRegister } from '../ports/store-register.ts';
import { countOf, textOf } from './cells.ts';
import { addDays, dateOf } from './dates.ts';
import { KEY_SQL, recordKey } from './reconcile-key.ts';
import { RAW_DAYS } from './rebuild.ts';

/**
 * Whether the store is the one that was loaded into: `empty` has nothing, `another` is not it, and
 * `older` is it as it once was. Into these three nothing may be loaded before a person has decided.
 */
export type StoreState = 'known' | 'empty' | 'another' | 'older';

const ID_BYTES = 8;

/** The newest row counts. */
const IDENTITY_TABLE = `
CREATE TABLE IF NOT EXISTS store_identity
(
    id String,
    number UInt64
)
ENGINE = MergeTree
ORDER BY number
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1`;

export interface IdentityOptions {
  readonly store: AnalyticsStore;
  readonly register: StoreRegister;
  /** The current day, YYYY-MM-DD. */
  readonly today: string;
}

/** Compares the store with what is known of it; the first one ever gets an id, and is known. */
export async function identifyStore({
  store,
  register,
  today,
}: IdentityOptions): Promise<StoreState> {
  await store.command(IDENTITY_TABLE);
  const [id, known] = [await readId(store), await register.read()];
  if (known === null) {
    // Its id is in the store first: killed in between, the store is taken as it is the next time.
    await register.adopt(id ?? (await giveId(store)));
    return 'known';
  }
  if (id === null) return (await hasRecords(store)) ? 'another' : 'empty';
  if (id !== known.id) return 'another';
  const { lastLoaded } = known;
  if (lastLoaded === null || dateOf(lastLoaded.at_ms) < addDays(today, 1 - RAW_DAYS))
    return 'known';
  return (await hasRecord(store, lastLoaded)) ? 'known' : 'older';
}

/** Takes the store as it is, and has all journals offered again; what it has already is left out. */
export async function adoptStore(
  { store, register }: Omit<IdentityOptions, 'today'>,
  nowMs: number,
): Promise<void> {
  await store.command(IDENTITY_TABLE);
  await register.reoffer((await readId(store)) ?? (await giveId(store)), nowMs);
}

/** What names the last of these lines; null where that is no record, or there is none. */
export function lastRecordOf(records: Uint8Array): LoadedRecord | null {
  const lines = Buffer.from(records.buffer, records.byteOffset, records.byteLength);
  const start = lines.lastIndexOf('\n', -2) + 1;
  try {
    const record: MoneyRecord = JSON.parse(lines.toString('utf8', start));
    const { node, kind, at_ms } = record;
    return { node, kind, key: recordKey(record), at_ms };
  } catch {
    return null;
  }
}

async function readId(store: AnalyticsStore): Promise<string | null> {
  const [row] = await store.query('SELECT id FROM store_identity ORDER BY number DESC LIMIT 1');
  return row === undefined ? null : textOf(row, 'id');
}

async function giveId(store: AnalyticsStore): Promise<string> {
  const id = randomBytes(ID_BYTES).toString('hex');
  await store.command(
    `INSERT INTO store_identity SETTINGS async_insert = 0
     SELECT '${id}', (SELECT max(number) + 1 FROM store_identity)`,
  );
  return id;
}

async function hasRecords(store: AnalyticsStore): Promise<boolean> {
  return (await store.query('SELECT 1 FROM money LIMIT 1')).length > 0;
}

async function hasRecord(store: AnalyticsStore, record: LoadedRecord): Promise<boolean> {
  const [row] = await store.query(
    `SELECT count() AS records FROM money
     WHERE date = {date:Date} AND at_ms = {at_ms:UInt64} AND node = {node:String}
       AND kind = {kind:String} AND ${KEY_SQL} = {key:String}`,
    { ...record, date: dateOf(record.at_ms) },
  );
  return row !== undefined && countOf(row, 'records') > 0;
}
