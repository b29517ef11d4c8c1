import { crc32 } from 'node:zlib';

import type { MoneyRecord } from '../events/money-record.ts';
import type { AnalyticsStore } from '../ports/analytics-store.ts';
import { streamOf, type Batch, type BatchStream } from '../ports/batch.ts';
import { textOf } from './cells.ts';
import { dateOf } from './dates.ts';
import { KEY_SQL, recordKey } from './reconcile-key.ts';

/** Records that one statement asks about: their times stand in its text. */
const RECORDS_MAX = 1_000;
const NEWLINE = 0x0a;
/** The last moment that a Date can be. */
const AT_MS_MAX = 8.64e15;

/** A line of a batch, and what it is found by. */
interface NamedLine {
  readonly index: number;
  readonly at_ms: number;
  /** Of a trace nothing. */
  readonly node: string;
  readonly name: string;
}

/**
 * Which lines of a batch the raw table has already: their numbers, from 0. A line that is no record is
 * not among them; the schema judges it.
 */
export async function findPresent(store: AnalyticsStore, batch: Batch): Promise<number[]> {
  const { manifest, records } = batch;
  const stream = streamOf(manifest);
  const lines = linesOf(records).flatMap((line, index) => nameLine(stream, line, index));
  const present: number[] = [];
  for (let from = 0; from < lines.length; from += RECORDS_MAX) {
    const some = lines.slice(from, from + RECORDS_MAX);
    const names = await readNames(store, stream, some);
    present.push(...some.filter(({ name }) => names.has(name)).map(({ index }) => index));
  }
  return present;
}

/** Each with its newline. */
function linesOf(records: Uint8Array): Buffer[] {
  const bytes = Buffer.from(records.buffer, records.byteOffset, records.byteLength);
  const lines: Buffer[] = [];
  let from = 0;
  for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, from)) {
    lines.push(bytes.subarray(from, end + 1));
    from = end + 1;
  }
  return lines;
}

function nameLine(stream: BatchStream, line: Buffer, index: number): NamedLine[] {
  try {
    const record: MoneyRecord = JSON.parse(line.toString());
    const { at_ms, node } = record;
    if (!(at_ms >= 0 && at_ms <= AT_MS_MAX)) return [];
    const name =
      stream === 'trace'
        ? `${at_ms} ${line.length - 1} ${crc32(line.subarray(0, -1))}`
        : `${record.kind} ${recordKey(record)}`;
    return [{ index, at_ms, node: stream === 'trace' ? '' : node, name }];
  } catch {
    return [];
  }
}

/** A trace is known by its time and bytes, a record of money by what names it. */
async function readNames(
  store: AnalyticsStore,
  stream: BatchStream,
  lines: readonly NamedLine[],
): Promise<Set<string>> {
  const times = [...new Set(lines.map((line) => line.at_ms))];
  const dates = [...new Set(times.map((ms) => dateOf(ms)))];
  const when = `date IN {dates:Array(Date)} AND at_ms IN (${times.join(', ')})`;
  const rows =
    stream === 'trace'
      ? await store.query(
          `SELECT concat(toString(at_ms), ' ', toString(length(line)), ' ', toString(CRC32(line))) AS name FROM trace WHERE ${when}`,
          {
            dates,
          },
        )
      : await store.query(
          `SELECT concat(toString(kind), ' ', ${KEY_SQL}) AS name FROM money
           WHERE node IN {nodes:Array(String)} AND ${when}`,
          { dates, nodes: [...new Set(lines.map(({ node }) => node))] },
        );
  return new Set(rows.map((row) => textOf(row, 'name')));
}
