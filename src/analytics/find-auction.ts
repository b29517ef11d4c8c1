import Type, { type Static, type TObject, type TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';

import { timeOfAuctionId } from '../events/auction-id.ts';
import { AuctionRecordSchema, type AuctionRecord } from '../events/auction-record.ts';
import { BeaconRecordSchema, type BeaconRecord } from '../events/beacon-record.ts';
import { DeliverySchema } from '../events/delivery-record.ts';
import { AuctionTraceSchema, type AuctionTrace } from '../events/trace-record.ts';
import type { AnalyticsStore, StoreRow } from '../ports/analytics-store.ts';

/** All that the store knows of one auction. */
export interface FoundAuction {
  readonly auction: AuctionRecord;
  /** Null where it was not kept, has expired, or has not arrived. */
  readonly trace: AuctionTrace | null;
  /** In the order of their times. */
  readonly beacons: readonly BeaconRecord[];
  /** What became of its notices; one that was called again stands here twice. */
  readonly deliveries: readonly FoundDelivery[];
}

const FoundDeliverySchema = Type.Object({
  ...DeliverySchema.properties,
  /** Unix time in milliseconds of the record that says so. */
  at_ms: Type.Integer(),
});
export type FoundDelivery = Static<typeof FoundDeliverySchema>;

/** An id as the exchange makes them; a partner's second bid request has a number behind it. */
const REQUEST_ID = /^([0-9a-f]{32})\d{0,3}$/;

/** `sql/0001-money.sql` keeps raw records for so many days, whole partitions a little longer. */
const RAW_DAYS = 14;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** An id is made when its auction is: by the same clock, at most so much earlier or later. */
const ID_TOLERANCE_MS = 5 * MINUTE_MS;
/** Beacons are good for four hours at most, counted from the auction. */
const BEACONS_WITHIN_MS = 5 * HOUR_MS;
/** Of one auction: four kinds for each of a few impressions. */
const BEACONS_MAX = 1_000;
const DELIVERIES_MAX = 1_000;

/**
 * A look-up that takes longer is a fault. Integers are written as numbers, which all of a record's
 * are exactly.
 */
const SETTINGS =
  'SETTINGS max_execution_time = 20, output_format_json_quote_64bit_integers = 0, output_format_json_named_tuples_as_objects = 1';

const auctionValidator = Compile(AuctionRecordSchema);
const beaconValidator = Compile(BeaconRecordSchema);
const deliveryValidator = Compile(FoundDeliverySchema);
const traceValidator = Compile(AuctionTraceSchema);

/**
 * Looks one auction up among the records that are kept, two weeks of them.
 *
 * @param requestId the auction's, or that of one of its bid requests.
 * @param nowMs Unix time in milliseconds.
 * @returns null where there is none of this id.
 */
export async function findAuction(
  store: AnalyticsStore,
  requestId: string,
  nowMs: number,
): Promise<FoundAuction | null> {
  const auctionId = REQUEST_ID.exec(requestId)?.[1];
  if (auctionId === undefined) return null;
  const auction = await readAuction(store, auctionId, nowMs);
  if (auction === null) return null;
  const [trace, beacons, deliveries] = await Promise.all([
    readTrace(store, auction),
    readBeacons(store, auction),
    readDeliveries(store, auction),
  ]);
  return { auction, trace, beacons, deliveries };
}

/** Ids begin with their time, which says where to look: a whole table is searched for nobody. */
async function readAuction(
  store: AnalyticsStore,
  auctionId: string,
  nowMs: number,
): Promise<AuctionRecord | null> {
  const first = nowMs - (RAW_DAYS + 1) * DAY_MS;
  const saidMs = timeOfAuctionId(auctionId);
  if (saidMs === null || saidMs < first || saidMs > nowMs + DAY_MS) return null;
  const [row] = await store.query(
    `SELECT ${columnsOf(AuctionRecordSchema)} FROM money
     WHERE date BETWEEN toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC'))
         AND toDate(fromUnixTimestamp64Milli({to_ms:Int64}, 'UTC'))
       AND at_ms BETWEEN {from_ms:Int64} AND {to_ms:Int64}
       AND kind = 'auction' AND auction_id = {id:String}
     LIMIT 1 ${SETTINGS}`,
    { id: auctionId, from_ms: saidMs - ID_TOLERANCE_MS, to_ms: saidMs + ID_TOLERANCE_MS },
  );
  return row === undefined ? null : decode(auctionValidator, row);
}

async function readTrace(
  store: AnalyticsStore,
  { auction_id, at_ms }: AuctionRecord,
): Promise<AuctionTrace | null> {
  const [row] = await store.query(
    `SELECT line FROM trace
     WHERE date = toDate(fromUnixTimestamp64Milli({at_ms:Int64}, 'UTC'))
       AND kind = 'trace' AND auction_id = {id:String}
     LIMIT 1 ${SETTINGS}`,
    { id: auction_id, at_ms },
  );
  if (row === undefined) return null;
  const line: unknown = JSON.parse(String(row['line']));
  // One of an older version says less than is read here, and is as good as none.
  return traceValidator.Check(line) ? line : null;
}

async function readBeacons(
  store: AnalyticsStore,
  { auction_id, publisher_id, at_ms }: AuctionRecord,
): Promise<BeaconRecord[]> {
  const rows = await store.query(
    `SELECT ${columnsOf(BeaconRecordSchema)} FROM money
     WHERE date BETWEEN toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC'))
         AND toDate(fromUnixTimestamp64Milli({to_ms:Int64}, 'UTC'))
       AND publisher_id = {publisher:UInt64} AND at_ms BETWEEN {from_ms:Int64} AND {to_ms:Int64}
       AND kind IN ('win', 'impression', 'view', 'click') AND auction_id = {id:String}
     ORDER BY at_ms, imp LIMIT ${BEACONS_MAX} ${SETTINGS}`,
    {
      id: auction_id,
      publisher: publisher_id,
      // Another machine's clock may be behind.
      from_ms: at_ms - MINUTE_MS,
      to_ms: at_ms + BEACONS_WITHIN_MS,
    },
  );
  return rows.map((row) => decode(beaconValidator, row));
}

/** Deliveries belong to no publisher, which is what they are sorted by. */
async function readDeliveries(
  store: AnalyticsStore,
  { auction_id, at_ms }: AuctionRecord,
): Promise<FoundDelivery[]> {
  const parts = Object.keys(DeliverySchema.properties);
  const columns = parts.map((part) => `delivery.${part} AS ${part}`);
  const rows = await store.query(
    `SELECT * FROM (
       SELECT money.at_ms AS at_ms, ${columns.join(', ')}
       FROM money ARRAY JOIN money.deliveries AS delivery
       WHERE date >= toDate(fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC'))
         AND money.publisher_id = 0 AND money.at_ms >= {from_ms:Int64} AND kind = 'delivery'
         AND has(money.deliveries.auction_id, {id:String}))
     WHERE auction_id = {id:String}
     ORDER BY at_ms LIMIT ${DELIVERIES_MAX} ${SETTINGS}`,
    { id: auction_id, from_ms: at_ms - MINUTE_MS },
  );
  return rows.map((row) => decode(deliveryValidator, row));
}

/** The names are those of a schema of ours, which `test/stores/loader-schema.test.ts` holds against `sql/`. */
function columnsOf(schema: TObject): string {
  return Object.keys(schema.properties).join(', ');
}

/** What the store gives of its own tables is what was loaded, and the schema was checked then. */
function decode<Shape extends TSchema>(
  validator: Validator<{}, Shape>,
  row: StoreRow,
): Static<Shape> {
  const record: unknown = row;
  if (validator.Check(record)) return record;
  throw new Error('A record of the store has another form than it was written in.');
}
