import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';

import { timeOfAuctionId } from '../events/auction-id.ts';
import { AuctionRecordSchema } from '../events/auction-record.ts';
import { BeaconRecordSchema } from '../events/beacon-record.ts';
import { DeliverySchema } from '../events/delivery-record.ts';
import type { AnalyticsStore } from '../ports/analytics-store.ts';
import { countOf } from './cells.ts';
import { dateOf } from './dates.ts';
import type { Minutes } from './recorded-wire.ts';
import type { Window } from './recorded-windows.ts';

/** Whose log is read. Nothing of anybody else leaves the store with it. */
export interface LogOwner {
  readonly side: 'demand' | 'supply';
  readonly id: number;
}

/** A page is read in milliseconds; integers of records are exact as numbers. */
const SETTINGS =
  'SETTINGS max_execution_time = 60, output_format_json_quote_64bit_integers = 0, output_format_json_named_tuples_as_objects = 1, prefer_column_name_to_alias = 1';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** An id is made when its auction is: by the same clock, at most so much earlier or later. */
const ID_TOLERANCE_MS = 5 * MINUTE_MS;
/** Beacons are good for four hours at most, notices are called for an hour after. */
const FOLLOWS_WITHIN_MS = 6 * HOUR_MS;

/** Which records a log is made of. Publishers are told of what they sold, and of no calls. */
const CHOSEN: Readonly<Record<LogOwner['side'], string>> = {
  demand: `((kind = 'auction' AND has(money.calls.demand_partner_id, {owner:UInt64}))
    OR (kind IN ('win', 'impression', 'view', 'click') AND demand_partner_id = {owner:UInt64})
    OR (kind = 'delivery' AND has(money.deliveries.demand_partner_id, {owner:UInt64})))`,
  supply: `(kind IN ('win', 'impression', 'view', 'click') AND publisher_id = {owner:UInt64})`,
};

const WITHIN = `date BETWEEN {from_date:Date} AND {to_date:Date}
  AND at_ms >= {from_ms:Int64} AND at_ms < {to_ms:Int64}`;

/** How many records there are in each minute that has any: how much of a time to ask for at once. */
export async function readLogMinutes(
  store: AnalyticsStore,
  owner: LogOwner,
  window: Window,
): Promise<Minutes> {
  const rows = await store.query(
    `SELECT intDiv(at_ms, ${MINUTE_MS}) * ${MINUTE_MS} AS minute_ms, count() AS records
     FROM money WHERE ${WITHIN} AND ${CHOSEN[owner.side]}
     GROUP BY minute_ms ORDER BY minute_ms ${SETTINGS}`,
    parametersOf(owner, window),
  );
  return rows.map((row) => ({
    at_ms: countOf(row, 'minute_ms'),
    auctions: countOf(row, 'records'),
  }));
}

const Place = Type.Integer({ minimum: 1 });

/** An auction as far as it is the owner's; places are those in the auction's record, from 1. */
const OwnAuctionSchema = Type.Object({
  auction_id: Type.String(),
  fd: AuctionRecordSchema.properties.fd,
  calls: Type.Array(
    Type.Object({
      ...Type.Omit(AuctionRecordSchema.properties.calls.items, ['demand_partner_id']).properties,
      place: Place,
    }),
  ),
  bids: Type.Array(
    Type.Object({
      ...Type.Omit(AuctionRecordSchema.properties.bids.items, [
        'demand_partner_id',
        'payout_micros',
        'in_auction',
      ]).properties,
      place: Place,
    }),
  ),
});
export type OwnAuction = Static<typeof OwnAuctionSchema>;

/** A record of any kind; what belongs to other kinds is empty. */
const LogRowSchema = Type.Object({
  kind: Type.Union([
    AuctionRecordSchema.properties.kind,
    ...BeaconRecordSchema.properties.kind.anyOf,
    Type.Literal('delivery'),
  ]),
  at_ms: Type.Integer(),
  ...OwnAuctionSchema.properties,
  ...Type.Pick(AuctionRecordSchema, [
    'test',
    'publisher_id',
    'property_id',
    'app_bundle',
    'app_site_domain',
    'country_code',
    'platform_demand',
    'platform_supply',
    'os',
  ]).properties,
  /** Of those the impressions that the owner was not offered are left out later. */
  imps: Type.Array(
    Type.Omit(AuctionRecordSchema.properties.imps.items, ['floor_micros', 'filled']),
  ),
  ...Type.Pick(BeaconRecordSchema, [
    'imp',
    'zone_id',
    'lineitem_id',
    'dealid',
    'interstitial',
    'rewarded',
    'clearing_micros',
    'payout_micros',
  ]).properties,
  ad_format: Type.String(),
  has_notice: BeaconRecordSchema.properties.test,
  deliveries: Type.Array(Type.Omit(DeliverySchema, ['demand_partner_id'])),
});
export type LogRow = Static<typeof LogRowSchema>;

const rowsValidator = Compile(Type.Array(LogRowSchema));
const auctionsValidator = Compile(Type.Array(OwnAuctionSchema));

/** Calls and bids of the owner alone, each with its place. */
const OWN_CALLS = `CAST(arrayFilter(each -> each.1 = {owner:UInt64},
    arrayZip(money.calls.demand_partner_id, money.calls.imp, money.calls.lineitem_ids,
      money.calls.outcome, money.calls.reason, money.calls.latency_us,
      arrayEnumerate(money.calls.imp))),
  'Array(Tuple(demand_partner_id UInt64, imp UInt64, lineitem_ids Array(UInt64), outcome String,
    reason String, latency_us UInt64, place UInt32))')`;
const OWN_BIDS = `CAST(arrayFilter(each -> each.1 = {owner:UInt64},
    arrayZip(money.bids.demand_partner_id, money.bids.lineitem_id, money.bids.imp,
      money.bids.bid_id, money.bids.seat, money.bids.dealid, money.bids.crid, money.bids.adomain,
      money.bids.ad_format, money.bids.price_micros, money.bids.loss_reason,
      money.bids.clearing_micros, arrayEnumerate(money.bids.imp))),
  'Array(Tuple(demand_partner_id UInt64, lineitem_id UInt64, imp Int64, bid_id String, seat String,
    dealid String, crid String, adomain String, ad_format String, price_micros UInt64,
    loss_reason UInt64, clearing_micros UInt64, place UInt32))')`;
const IMPS = `CAST(arrayZip(money.imps.zone_id, money.imps.ad_format, money.imps.sizes,
    money.imps.interstitial, money.imps.rewarded, money.imps.secure),
  'Array(Tuple(zone_id UInt64, ad_format String, sizes Array(String), interstitial UInt8,
    rewarded UInt8, secure UInt8))')`;
const OWN_DELIVERIES = `arrayFilter(each -> each.demand_partner_id = {owner:UInt64}, money.deliveries)`;

/** Publishers have no part in calls and bids. */
const PARTS: Readonly<Record<LogOwner['side'], string>> = {
  demand: `${OWN_CALLS} AS own_calls, ${OWN_BIDS} AS own_bids, ${IMPS} AS all_imps, ${OWN_DELIVERIES} AS own_deliveries`,
  supply: '[] AS own_calls, [] AS own_bids, [] AS all_imps, [] AS own_deliveries',
};

/**
 * The records of some time, in its order.
 *
 * @param max one more than these tells the caller that there are more.
 */
export async function readLogRows(
  store: AnalyticsStore,
  owner: LogOwner,
  { window, max }: { readonly window: Window; readonly max: number },
): Promise<readonly LogRow[]> {
  const rows = await store.query(
    `SELECT kind, at_ms, auction_id, fd, test, publisher_id, property_id, app_bundle,
       app_site_domain, country_code, platform_demand, platform_supply, os, imp, zone_id,
       lineitem_id, dealid, ad_format, interstitial, rewarded, clearing_micros, payout_micros,
       notice_url != '' AS has_notice, ${PARTS[owner.side]}
     FROM money WHERE ${WITHIN} AND ${CHOSEN[owner.side]}
     ORDER BY at_ms, auction_id, kind, imp LIMIT {max:UInt64} ${SETTINGS}`,
    { ...parametersOf(owner, window), max: max + 1 },
  );
  const read: unknown = rows.map((row) => withParts(row));
  if (rowsValidator.Check(read)) return read;
  throw new Error('Records have another form in the store than they were written in.');
}

/** The auctions of beacons and notices, whose own records hold their bids. */
export async function readOwnAuctions(
  store: AnalyticsStore,
  owner: LogOwner,
  rows: readonly { readonly auction_id: string; readonly at_ms: number }[],
): Promise<readonly OwnAuction[]> {
  if (rows.length === 0) return [];
  const times = rows.map(({ auction_id, at_ms }) => {
    const saidMs = timeOfAuctionId(auction_id);
    return saidMs === null ? at_ms - FOLLOWS_WITHIN_MS : saidMs - ID_TOLERANCE_MS;
  });
  const window = {
    from_ms: Math.max(0, smallest(times)),
    to_ms: -smallest(rows.map(({ at_ms }) => -at_ms)) + MINUTE_MS,
  };
  const found = await store.query(
    `SELECT auction_id, fd, ${OWN_CALLS} AS own_calls, ${OWN_BIDS} AS own_bids FROM money
     WHERE ${WITHIN} AND kind = 'auction' AND auction_id IN {ids:Array(String)}
     ${SETTINGS}`,
    { ...parametersOf(owner, window), ids: [...new Set(rows.map(({ auction_id: id }) => id))] },
  );
  const read: unknown = found.map((row) => withParts(row));
  if (auctionsValidator.Check(read)) return read;
  throw new Error('Auctions have another form in the store than they were written in.');
}

/** What the trace of an auction adds: by the places of its calls and bids. */
export interface LogTrace {
  readonly calls: readonly { readonly imps: readonly number[] }[];
  readonly bids: readonly { readonly min_to_win_micros: number }[];
}

const tracesValidator = Compile(
  Type.Array(
    Type.Object({
      auction_id: Type.String(),
      trace: Type.Object({
        calls: Type.Array(Type.Object({ imps: Type.Array(Type.Integer()) })),
        bids: Type.Array(Type.Object({ min_to_win_micros: Type.Integer() })),
      }),
    }),
  ),
);

/** Read in the store: what is kept of messages, which is far more, is of no use here. */
const TRACE_TYPE =
  'Tuple(calls Array(Tuple(imps Array(UInt64))), bids Array(Tuple(min_to_win_micros Int64)))';

/** The traces that were kept of the auctions among these rows. */
export async function readLogTraces(
  store: AnalyticsStore,
  rows: readonly LogRow[],
  { from_ms, to_ms }: Window,
): Promise<ReadonlyMap<string, LogTrace>> {
  const ids = rows.filter(({ kind }) => kind === 'auction').map(({ auction_id: id }) => id);
  if (ids.length === 0) return new Map();
  const found = await store.query(
    `SELECT auction_id, JSONExtract(line, '${TRACE_TYPE}') AS trace FROM trace
     WHERE date BETWEEN {from_date:Date} AND {to_date:Date} AND kind = 'trace'
       AND auction_id IN {ids:Array(String)} ${SETTINGS}`,
    { from_date: dateOf(from_ms), to_date: dateOf(to_ms), ids },
  );
  if (!tracesValidator.Check(found)) throw new Error('A trace cannot be read.');
  return new Map(found.map(({ auction_id, trace }) => [auction_id, trace]));
}

function parametersOf({ id }: LogOwner, { from_ms, to_ms }: Window) {
  return {
    owner: id,
    from_ms,
    to_ms,
    from_date: dateOf(from_ms),
    to_date: dateOf(Math.max(from_ms, to_ms - 1)),
  };
}

/** The columns must not bear the names of the table's own, which they are made of. */
function withParts(row: Readonly<Record<string, unknown>>): object {
  const { own_calls, own_bids, all_imps, own_deliveries, ...rest } = row;
  return { ...rest, calls: own_calls, bids: own_bids, imps: all_imps, deliveries: own_deliveries };
}

function smallest(values: readonly number[]): number {
  return values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
}
