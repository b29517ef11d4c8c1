import { BEACON_KINDS } from '../events/beacon-record.ts';
import type { AnalyticsStore } from '../ports/analytics-store.ts';
import { countOf, textOf } from './cells.ts';
import { addDays, startOf } from './dates.ts';
import { BUCKET_SQL, CHECKSUM_SQL, CLEARING_SQL, KEY_SQL, PAYOUT_SQL } from './reconcile-key.ts';
import type {
  Digest,
  Duplicates,
  KeyedRows,
  RowsQuestion,
  StoreQuestion,
} from './reconcile-wire.ts';

/**
 * A reconciliation reads whole days; what takes longer than this is a fault. Integers of 64 bits come
 * as text, whole.
 */
export const RECONCILE_SETTINGS =
  'SETTINGS max_execution_time = 300, output_format_json_quote_64bit_integers = 1';

/** As many rows of one bucket as are looked at one by one, and as many differences as are named. */
const ROWS_MAX = 50_000;
const EXAMPLES_MAX = 5;

/** A beacon is good for four hours at most: only so near to midnight can it be on two days. */
const NEAR_MIDNIGHT_MS = 5 * 60 * 60 * 1000;
const DAY_MS = 24 * 60 * 60 * 1000;

const BEACONS = `kind IN (${BEACON_KINDS.map((kind) => `'${kind}'`).join(', ')})`;
const OF_NODE = `date = {date:Date} AND node = {node:String} AND at_ms > {after_ms:UInt64}`;

/** The digests of what the store has of a node's day. */
export async function readDigests(
  store: AnalyticsStore,
  { date, node, after_ms }: StoreQuestion,
): Promise<Digest[]> {
  const rows = await store.query(
    `SELECT kind, ${BUCKET_SQL} AS bucket, count() AS records,
       sum(toUInt64(${CHECKSUM_SQL})) AS checksum,
       sum(clearing) AS clearing_micros, sum(payout) AS payout_micros
     FROM (
       SELECT kind, ${KEY_SQL} AS key, ${CLEARING_SQL} AS clearing, ${PAYOUT_SQL} AS payout
       FROM money WHERE ${OF_NODE})
     GROUP BY kind, bucket ${RECONCILE_SETTINGS}`,
    { date, node, after_ms },
  );
  return rows.map((row) => ({
    kind: textOf(row, 'kind'),
    bucket: countOf(row, 'bucket'),
    records: countOf(row, 'records'),
    checksum: textOf(row, 'checksum'),
    clearing_micros: textOf(row, 'clearing_micros'),
    payout_micros: textOf(row, 'payout_micros'),
  }));
}

/** The records of one bucket of a node's day. */
export async function readKeyedRows(
  store: AnalyticsStore,
  { date, node, after_ms, kind, bucket }: RowsQuestion,
): Promise<KeyedRows> {
  const rows = await store.query(
    `SELECT key, clearing AS clearing_micros, payout AS payout_micros
     FROM (
       SELECT kind, ${KEY_SQL} AS key, ${CLEARING_SQL} AS clearing, ${PAYOUT_SQL} AS payout
       FROM money WHERE ${OF_NODE} AND kind = {kind:String})
     WHERE ${BUCKET_SQL} = {bucket:UInt32}
     LIMIT ${ROWS_MAX + 1} ${RECONCILE_SETTINGS}`,
    { date, node, after_ms, kind, bucket },
  );
  const shown = rows.slice(0, ROWS_MAX).map((row) => ({
    key: textOf(row, 'key'),
    clearing_micros: textOf(row, 'clearing_micros'),
    payout_micros: textOf(row, 'payout_micros'),
  }));
  return { rows: shown, complete: rows.length <= ROWS_MAX };
}

/** What the raw records of a day hold more than once: all nodes, every kind but deliveries. */
export async function readDuplicates(store: AnalyticsStore, date: string): Promise<Duplicates[]> {
  const rows = await store.query(
    `SELECT kind, count() AS rows, uniqExact(key) AS distinct
     FROM (SELECT kind, ${KEY_SQL} AS key FROM money WHERE date = {date:Date} AND kind != 'delivery')
     GROUP BY kind ${RECONCILE_SETTINGS}`,
    { date },
  );
  const elsewhere = await readElsewhere(store, date);
  const counts = new Map(rows.map((row) => [textOf(row, 'kind'), row]));
  const found: Duplicates[] = [];
  for (const kind of ['auction', ...BEACON_KINDS]) {
    const row = counts.get(kind);
    const [all, distinct] =
      row === undefined ? [0, 0] : [countOf(row, 'rows'), countOf(row, 'distinct')];
    const twice = elsewhere.get(kind) ?? [];
    const examples = all > distinct ? await readRepeated(store, date, kind) : [];
    found.push({
      kind,
      rows: all,
      distinct,
      elsewhere: twice.length,
      examples: [...examples, ...twice].slice(0, EXAMPLES_MAX),
    });
  }
  return found;
}

async function readRepeated(store: AnalyticsStore, date: string, kind: string): Promise<string[]> {
  const rows = await store.query(
    `SELECT ${KEY_SQL} AS key FROM money WHERE date = {date:Date} AND kind = {kind:String}
     GROUP BY key HAVING count() > 1 ORDER BY key LIMIT ${EXAMPLES_MAX} ${RECONCILE_SETTINGS}`,
    { date, kind },
  );
  return rows.map((row) => textOf(row, 'key'));
}

/** The keys of beacons that were counted on a day beside this one too, by kind. */
async function readElsewhere(store: AnalyticsStore, date: string): Promise<Map<string, string[]>> {
  const startMs = startOf(date);
  const rows = await store.query(
    `SELECT kind, concat(auction_id, ' ', toString(imp)) AS key FROM money
     WHERE date IN ({before:Date}, {after:Date}) AND ${BEACONS}
       AND (kind, auction_id, imp) IN (
         SELECT kind, auction_id, imp FROM money WHERE date = {date:Date} AND ${BEACONS}
           AND (at_ms < {early_ms:UInt64} OR at_ms >= {late_ms:UInt64}))
     GROUP BY kind, key ORDER BY key LIMIT ${ROWS_MAX} ${RECONCILE_SETTINGS}`,
    {
      date,
      before: addDays(date, -1),
      after: addDays(date, 1),
      early_ms: startMs + NEAR_MIDNIGHT_MS,
      late_ms: startMs + DAY_MS - NEAR_MIDNIGHT_MS,
    },
  );
  const keys = new Map<string, string[]>();
  for (const row of rows) {
    const kind = textOf(row, 'kind');
    keys.set(kind, [...(keys.get(kind) ?? []), textOf(row, 'key')]);
  }
  return keys;
}
