import { crc32 } from 'node:zlib';

import type { MoneyRecord } from '../events/money-record.ts';

/** Records are compared in so many buckets of each kind, so that a difference is found by looking at few. */
const BUCKETS = 256;

/**
 * What tells a record from all others of its kind: the auction's id, with the impression's index for
 * a beacon. Deliveries have no name of their own: their time and the first of them make one.
 */
export function recordKey(record: MoneyRecord): string {
  if (record.kind === 'auction') return record.auction_id;
  if (record.kind !== 'delivery') return `${record.auction_id} ${record.imp}`;
  const [first] = record.deliveries;
  const named = first === undefined ? '' : `${first.event} ${first.auction_id} ${first.imp}`;
  return `${record.at_ms} ${record.deliveries.length} ${named}`;
}

/** The same in SQL, on rows of `money`. */
export const KEY_SQL = `multiIf(
  kind = 'auction', auction_id,
  kind = 'delivery', concat(toString(at_ms), ' ', toString(length(deliveries)), ' ',
    if(empty(deliveries), '', concat(deliveries.event[1], ' ', deliveries.auction_id[1], ' ',
      toString(deliveries.imp[1])))),
  concat(auction_id, ' ', toString(imp)))`;

/** A checksum of 32 bits, whose last eight say which bucket the record is in. */
export function checksumOf(kind: string, key: string): { checksum: number; bucket: number } {
  const checksum = crc32(`${kind} ${key}`);
  return { checksum, bucket: checksum % BUCKETS };
}

/** The same in SQL; `key` has to be in scope. */
export const CHECKSUM_SQL = `CRC32(concat(toString(kind), ' ', key))`;
export const BUCKET_SQL = `${CHECKSUM_SQL} % ${BUCKETS}`;

/** What the winners of a record pay and get, in micro-dollars CPM. */
export function moneyOf(record: MoneyRecord): { clearingMicros: number; payoutMicros: number } {
  if (record.kind === 'delivery') return { clearingMicros: 0, payoutMicros: 0 };
  if (record.kind !== 'auction') {
    return { clearingMicros: record.clearing_micros, payoutMicros: record.payout_micros };
  }
  return {
    clearingMicros: record.bids.reduce((sum, bid) => sum + bid.clearing_micros, 0),
    payoutMicros: record.bids.reduce((sum, bid) => sum + bid.payout_micros, 0),
  };
}

/** The same in SQL. */
export const CLEARING_SQL = `if(kind = 'auction', arraySum(money.bids.clearing_micros), clearing_micros)`;
export const PAYOUT_SQL = `if(kind = 'auction', arraySum(money.bids.payout_micros), payout_micros)`;

/** How a notice is named: `win` or `billing`, the auction, the impression. */
export function noticeKey(event: string, auctionId: string, imp: number): string {
  return `${event} ${auctionId} ${imp}`;
}
