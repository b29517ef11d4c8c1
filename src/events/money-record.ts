import type { AuctionRecord } from './auction-record.ts';
import type { BeaconRecord } from './beacon-record.ts';
import type { DeliveryRecord } from './delivery-record.ts';

/**
 * The version of the records in the *money* stream: what reports and bills are made of. Raised with
 * every change of a shape; each segment of the journal says which one it holds.
 */
export const MONEY_SCHEMA = 3;

/** One line of the money stream, told apart by its `kind`. */
export type MoneyRecord = AuctionRecord | BeaconRecord | DeliveryRecord;
