import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';

import type { AnalyticsStore, SqlParameter, StoreRow } from '../ports/analytics-store.ts';
import { countOf } from './cells.ts';
import { dateOf } from './dates.ts';
import {
  RecordedAuctionSchema,
  RecordedTraceSchema,
  PAGE_AUCTIONS_MAX,
  WHOLE_PPM,
  type AuctionChoice,
  type Minutes,
  type PageQuestion,
  type RecordedAuction,
  type RecordedPage,
  type RecordedTrace,
} from './recorded-wire.ts';

/** A page is read in milliseconds; integers of records are exact as numbers. */
const SETTINGS =
  'SETTINGS max_execution_time = 60, output_format_json_quote_64bit_integers = 0, output_format_json_named_tuples_as_objects = 1';

const MINUTE_MS = 60_000;
/** A beacon is good for four hours at most, counted from its auction. */
const BILLED_WITHIN_MS = 5 * 60 * 60 * 1000;

/** Tests are left out: nothing of them is counted. */
const CHOSEN = `date BETWEEN {from_date:Date} AND {to_date:Date}
  AND at_ms >= {from_ms:Int64} AND at_ms < {to_ms:Int64} AND kind = 'auction' AND test = 0
  AND ({publisher_id:UInt64} = 0 OR publisher_id = {publisher_id:UInt64})
  AND ({zone_id:UInt64} = 0 OR has(imps.zone_id, {zone_id:UInt64}))
  AND ({partner_id:UInt64} = 0 OR has(money.bids.demand_partner_id, {partner_id:UInt64}))`;

/** When the chosen auctions were, so that whoever reads them knows how much of a time to ask for. */
export async function readMinutes(store: AnalyticsStore, choice: AuctionChoice): Promise<Minutes> {
  const rows = await store.query(
    `SELECT intDiv(at_ms, ${MINUTE_MS}) * ${MINUTE_MS} AS minute_ms, count() AS auctions
     FROM money WHERE ${CHOSEN} GROUP BY minute_ms ORDER BY minute_ms ${SETTINGS}`,
    parametersOf(choice),
  );
  return rows.map((row) => ({
    at_ms: countOf(row, 'minute_ms'),
    auctions: countOf(row, 'auctions'),
  }));
}

/**
 * Reads the chosen auctions of some time in the order of their times, each with its trace and what of
 * it was billed. It costs as much as there is in that time, of all publishers: ask for little, and go
 * on with what comes next.
 */
export async function readRecordedPage(
  store: AnalyticsStore,
  question: PageQuestion,
): Promise<RecordedPage> {
  const rows = await readMoney(store, question);
  const [traces, billed] = await Promise.all([
    readTraces(store, question, rows),
    readBilled(store, question, rows),
  ]);
  const auctions = rows.map((row) => joined(row, traces, billed));
  const last = rows.at(-1);
  if (last === undefined || rows.length < PAGE_AUCTIONS_MAX) return { auctions, next: null };
  return { auctions, next: { at_ms: last.at_ms, auction_id: last.auction_id } };
}

function parametersOf(choice: AuctionChoice): Record<string, SqlParameter> {
  return {
    ...datesOf(choice),
    from_ms: choice.from_ms,
    to_ms: choice.to_ms,
    publisher_id: choice.publisher_id,
    zone_id: choice.zone_id,
    partner_id: choice.demand_partner_id,
  };
}

function datesOf({ from_ms, to_ms }: Pick<AuctionChoice, 'from_ms' | 'to_ms'>): {
  from_date: string;
  to_date: string;
} {
  return { from_date: dateOf(from_ms), to_date: dateOf(Math.max(from_ms, to_ms - 1)) };
}

/** What of an auction's record is read. */
const MoneyRowSchema = Type.Omit(RecordedAuctionSchema, ['trace']);
type MoneyRow = Static<typeof MoneyRowSchema>;
const moneyValidator = Compile(Type.Array(MoneyRowSchema));

/** Of impressions and bids the columns that are needed; the others are not read. */
const IMPS = `CAST(arrayZip(imps.zone_id, imps.floor_micros, imps.filled,
    arrayMap(filled -> 0, imps.filled)),
  'Array(Tuple(zone_id UInt64, floor_micros UInt64, filled UInt8, billed UInt8))')`;
const BIDS = `CAST(arrayZip(money.bids.demand_partner_id, money.bids.imp, money.bids.bid_id,
    money.bids.dealid, money.bids.price_micros, money.bids.loss_reason, money.bids.in_auction,
    money.bids.clearing_micros, money.bids.payout_micros),
  'Array(Tuple(demand_partner_id UInt64, imp Int64, bid_id String, dealid String,
    price_micros UInt64, loss_reason UInt64, in_auction UInt8, clearing_micros UInt64,
    payout_micros UInt64))')`;

async function readMoney(
  store: AnalyticsStore,
  question: PageQuestion,
): Promise<readonly MoneyRow[]> {
  const { after, seed, sample_ppm } = question;
  const rows = await store.query(
    `SELECT auction_id, publisher_id, at_ms, ${IMPS} AS imps, ${BIDS} AS bids, bids_dropped
     FROM money
     WHERE ${CHOSEN}
       AND (at_ms > {after_ms:Int64} OR (at_ms = {after_ms:Int64} AND auction_id > {after_id:String}))
       AND cityHash64({seed:String}, auction_id) % ${WHOLE_PPM} < {sample_ppm:UInt32}
     ORDER BY at_ms, auction_id LIMIT ${PAGE_AUCTIONS_MAX}
     ${SETTINGS}, prefer_column_name_to_alias = 1`,
    {
      ...parametersOf(question),
      after_ms: after?.at_ms ?? 0,
      after_id: after?.auction_id ?? '',
      seed,
      sample_ppm,
    },
  );
  if (moneyValidator.Check(rows)) return rows;
  throw new Error('Auctions have another form in the store than they were written in.');
}

/** Read in the store: what is kept of messages, which is far more, is of no use here. */
const TRACE_TYPE = `Tuple(revenue_share_bps UInt64, imps Array(Tuple(first_price UInt8)),
  bids Array(Tuple(floor_micros UInt64, lineitem_floor_micros UInt64,
    deal_type String, group Int64, min_to_win_micros Int64, out UInt8)))`;

const traceValidator = Compile(
  Type.Array(Type.Object({ auction_id: Type.String(), trace: RecordedTraceSchema })),
);

/** The traces that were kept. Where nobody bid there is nothing to decide. */
async function readTraces(
  store: AnalyticsStore,
  question: PageQuestion,
  rows: readonly MoneyRow[],
): Promise<ReadonlyMap<string, RecordedTrace>> {
  const ids = idsOf(rows.filter(({ bids }) => bids.length > 0));
  if (ids.length === 0) return new Map();
  const found = await store.query(
    `SELECT auction_id, JSONExtract(line, '${TRACE_TYPE}') AS trace FROM trace
     WHERE date BETWEEN {from_date:Date} AND {to_date:Date} AND kind = 'trace'
       AND auction_id IN {ids:Array(String)} ${SETTINGS}`,
    { ...datesOf(question), ids },
  );
  if (!traceValidator.Check(found)) throw new Error('A trace cannot be read.');
  return new Map(found.map(({ auction_id, trace }) => [auction_id, trace]));
}

/** The billed impressions of the auctions that filled any. */
async function readBilled(
  store: AnalyticsStore,
  question: PageQuestion,
  rows: readonly MoneyRow[],
): Promise<ReadonlySet<string>> {
  const ids = idsOf(rows.filter(({ imps }) => imps.some(({ filled }) => filled === 1)));
  if (ids.length === 0) return new Set();
  const found = await store.query(
    `SELECT auction_id, imp FROM money
     WHERE date BETWEEN {from_date:Date} AND {to_date:Date} AND kind = 'impression' AND test = 0
       AND ({publisher_id:UInt64} = 0 OR publisher_id = {publisher_id:UInt64})
       AND at_ms BETWEEN {from_ms:Int64} AND {to_ms:Int64}
       AND auction_id IN {ids:Array(String)} ${SETTINGS}`,
    {
      ...parametersOf({
        ...question,
        // Another machine's clock may be behind.
        from_ms: Math.max(0, question.from_ms - MINUTE_MS),
        to_ms: question.to_ms + BILLED_WITHIN_MS,
      }),
      ids,
    },
  );
  return new Set(found.map(billedKeyOf));
}

function billedKeyOf(row: StoreRow): string {
  return `${String(row['auction_id'])} ${String(countOf(row, 'imp'))}`;
}

function idsOf(rows: readonly MoneyRow[]): string[] {
  return rows.map(({ auction_id }) => auction_id);
}

function joined(
  row: MoneyRow,
  traces: ReadonlyMap<string, RecordedTrace>,
  billed: ReadonlySet<string>,
): RecordedAuction {
  const imps = row.imps.map((imp, slot) =>
    billed.has(`${row.auction_id} ${slot}`) ? { ...imp, billed: 1 as const } : imp,
  );
  return { ...row, imps, trace: traces.get(row.auction_id) ?? null };
}
