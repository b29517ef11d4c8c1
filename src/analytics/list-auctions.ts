import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';

import { processUsage } from '../base/process-usage.ts';
import { AuctionRecordSchema } from '../events/auction-record.ts';
import type { AnalyticsStore, StoreRow } from '../ports/analytics-store.ts';
import { conditionsOf, type AuctionListQuestion, type AuctionPlace } from './auction-conditions.ts';
import { countOf } from './cells.ts';
import { dateOf } from './dates.ts';

/** What of an auction's record a list is made of. */
const ListedRecordSchema = Type.Omit(AuctionRecordSchema, ['notices']);
export type ListedRecord = Static<typeof ListedRecordSchema>;

/** The newest first. `next` is where there may be more, though this part may be short. */
export interface AuctionList {
  readonly auctions: readonly ListedRecord[];
  readonly next: AuctionPlace | null;
}

const SETTINGS =
  'SETTINGS max_execution_time = 5, output_format_json_quote_64bit_integers = 0, output_format_json_named_tuples_as_objects = 1';

/** The first slice of time that is looked through; the next ones are wider. */
const FIRST_SLICE_MS = 10_000;
const WIDER = 6;
/** A slice that cost more than this is followed by one that is as wide. */
const QUICK_CPU_MS = 30;
/** Once something was found, looking is given up after so much, with a place to go on from. */
const BUDGET_CPU_MS = 120;

const rowsValidator = Compile(Type.Array(ListedRecordSchema));

/**
 * Lists recent auctions, the newest first. The raw records are sorted by publisher and then by time,
 * so that the newest of all are looked for in slices of time, each before the last one and wider,
 * until there are enough, the window ends, or there are some and looking on would cost too much: a
 * list is empty only where nothing is. Only times are read there; what is listed is then read by them.
 *
 * @param cpuMs what this process, with the store in it, has used of the processor so far. A machine
 *   that has other work takes longer, and finds as much.
 */
export async function listAuctions(
  store: AnalyticsStore,
  question: AuctionListQuestion,
  cpuMs: () => number = () => processUsage().cpuSeconds * 1_000,
): Promise<AuctionList> {
  const { limit } = question;
  const { times, openMs } = await findTimes(store, question, cpuMs);
  const auctions = await readRecords(store, question, times);
  const last = auctions.at(-1);
  if (last !== undefined && auctions.length === limit) {
    return { auctions, next: { atMs: last.at_ms, auctionId: last.auction_id } };
  }
  return { auctions, next: openMs === null ? null : { atMs: openMs, auctionId: '' } };
}

interface FoundTimes {
  /** When the newest were, before the place that the list goes on from. */
  readonly times: readonly number[];
  /** What was before this was not looked through, and there were not enough; null for the end. */
  readonly openMs: number | null;
}

async function findTimes(
  store: AnalyticsStore,
  question: AuctionListQuestion,
  cpuMs: () => number,
): Promise<FoundTimes> {
  const { fromMs, before, limit } = question;
  const startMs = cpuMs();
  const times: number[] = [];
  let toMs = Math.min(question.toMs, before?.atMs ?? question.toMs);
  let sliceMs = FIRST_SLICE_MS;
  while (toMs > fromMs) {
    const slice = { fromMs: Math.max(fromMs, toMs - sliceMs), toMs };
    const sliceStartMs = cpuMs();
    times.push(...(await findInSlice(store, question, { ...slice, max: limit - times.length })));
    if (times.length === limit) return { times, openMs: null };
    const endMs = cpuMs();
    toMs = slice.fromMs;
    const isLong = times.length > 0 && endMs - startMs > BUDGET_CPU_MS;
    if (toMs > fromMs && isLong) return { times, openMs: toMs };
    if (endMs - sliceStartMs < QUICK_CPU_MS) sliceMs *= WIDER;
  }
  return { times, openMs: null };
}

interface Slice {
  readonly fromMs: number;
  readonly toMs: number;
  readonly max: number;
}

async function findInSlice(
  store: AnalyticsStore,
  question: AuctionListQuestion,
  { fromMs, toMs, max }: Slice,
): Promise<number[]> {
  const { conditions, parameters } = conditionsOf(question);
  const rows = await store.query(
    `SELECT at_ms FROM money
     PREWHERE at_ms >= {from_ms:Int64} AND at_ms < {to_ms:Int64}
     WHERE date BETWEEN {from_date:Date} AND {to_date:Date}
       AND ${[`kind = 'auction'`, ...conditions].join(' AND ')}
     ORDER BY at_ms DESC LIMIT {max:UInt32} ${SETTINGS}`,
    {
      ...parameters,
      from_date: dateOf(fromMs),
      to_date: dateOf(toMs - 1),
      from_ms: fromMs,
      to_ms: toMs,
      max,
    },
  );
  return rows.map((row) => countOf(row, 'at_ms'));
}

/** The records of these times, and of those at the place that the list goes on from. */
async function readRecords(
  store: AnalyticsStore,
  question: AuctionListQuestion,
  found: readonly number[],
): Promise<readonly ListedRecord[]> {
  const { before, limit, fromMs, toMs } = question;
  const isWithin = before !== null && before.atMs >= fromMs && before.atMs < toMs;
  const atPlace = isWithin && before.auctionId !== '' ? [before.atMs] : [];
  const times = [...new Set([...found, ...atPlace])];
  if (times.length === 0) return [];
  const { conditions, parameters } = conditionsOf(question);
  const columns = Object.keys(ListedRecordSchema.properties).join(', ');
  const rows = await store.query(
    `SELECT ${columns} FROM money
     PREWHERE at_ms IN {times:Array(UInt64)}
     WHERE date IN {dates:Array(Date)}
       AND (at_ms < {before_ms:Int64} OR auction_id < {before_id:String})
       AND ${[`kind = 'auction'`, ...conditions].join(' AND ')}
     ORDER BY at_ms DESC, auction_id DESC LIMIT {limit:UInt32} ${SETTINGS}`,
    {
      ...parameters,
      times,
      dates: [...new Set(times.map(dateOf))],
      before_ms: before?.atMs ?? toMs,
      before_id: before?.auctionId ?? '',
      limit,
    },
  );
  return decode(rows);
}

/** What the store gives of its own tables is what was loaded, and the schema was checked then. */
function decode(rows: readonly StoreRow[]): readonly ListedRecord[] {
  if (rowsValidator.Check(rows)) return rows;
  throw new Error('Auctions have another form in the store than they were written in.');
}
