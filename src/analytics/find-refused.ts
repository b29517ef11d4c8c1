import { MONEY_SCHEMA } from '../events/money-record.ts';
import type { AnalyticsStore } from '../ports/analytics-store.ts';
import { streamOf, type Batch } from '../ports/batch.ts';
import type { BatchLine } from './batch-lines.ts';
import { tryInsertSql } from './insert-sql.ts';
import { numberedBytes } from './numbered-bytes.ts';
import { refusalOf } from './refusal.ts';

/** Lines side by side that the store refuses, each of them or all together. */
export interface Refused {
  readonly lines: readonly BatchLine[];
  readonly reason: string;
}

/** Where nearly all are refused, the last ones are not told apart: each try takes some milliseconds. */
const TRIES_MAX = 1_000;

/** Has the columns and constraints of the raw table, and keeps nothing. */
const TABLE = 'refused_records';
/** Of a load that is not kept. */
const ANY = 1;

/**
 * Which of these lines the store refuses, by halves: what is refused as a whole is tried in two parts.
 *
 * @throws AnalyticsStoreError for every other failure, which may pass
 */
export async function findRefused(
  store: AnalyticsStore,
  { manifest, records }: Batch,
  lines: readonly BatchLine[],
): Promise<Refused[]> {
  const stream = streamOf(manifest);
  const sql = tryInsertSql(TABLE, stream, manifest.schema < MONEY_SCHEMA);
  const refused: Refused[] = [];
  let tries = 0;
  const look = async (part: readonly BatchLine[]): Promise<void> => {
    const [first, last] = [part[0], part.at(-1)];
    if (first === undefined || last === undefined) return;
    tries += 1;
    const reason = await tryInsert(store, sql, numberedBytes(records, part, { stream, load: ANY }));
    if (reason === null) return;
    if (part.length === 1 || tries > TRIES_MAX) {
      refused.push({ lines: part, reason });
      return;
    }
    const middle = Math.ceil(part.length / 2);
    await look(part.slice(0, middle));
    await look(part.slice(middle));
  };
  await store.command(`DROP TABLE IF EXISTS ${TABLE} SYNC`);
  await store.command(`CREATE TABLE ${TABLE} AS ${stream} ENGINE = Null`);
  try {
    await look(lines);
  } finally {
    await store.command(`DROP TABLE IF EXISTS ${TABLE} SYNC`);
  }
  return refused;
}

/** The bytes of some lines, one after the other. */
export function bytesOf(records: Uint8Array, lines: readonly BatchLine[]): Buffer {
  return Buffer.concat(lines.map(({ from, to }) => records.subarray(from, to)));
}

async function tryInsert(
  store: AnalyticsStore,
  sql: string,
  records: Uint8Array,
): Promise<string | null> {
  try {
    await store.insert(sql, records);
    return null;
  } catch (error) {
    const reason = refusalOf(error);
    if (reason === null) throw error;
    return reason;
  }
}
