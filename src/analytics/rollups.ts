import type { BatchStream } from '../ports/batch.ts';

/** A table that is filled from a raw table, by the views that are named `<rollup>_from_<what>`. */
export interface Rollup {
  readonly table: string;
  /** The raw table. */
  readonly source: BatchStream;
  /** What makes one block of a step, in one order each time: ORDER BY these. */
  readonly order: string;
  /**
   * A report shows an auction within five seconds: it is filled with every step. Where there is much, what
   * is asked less often is filled with every fourth.
   */
  readonly isSoon: boolean;
  /** How it can be made anew, by days; null where it can not. */
  readonly days: RollupDays | null;
}

/** The column that is the day, and the length of the partitions. */
export interface RollupDays {
  readonly day: string;
  readonly partition: 'toYYYYMM' | 'toDate';
}

const ALL = 'ALL';
const BY_MONTH = { day: 'date', partition: 'toYYYYMM' } as const;

/** All of them; `sql/` says what each is for. */
export const ROLLUPS: readonly Rollup[] = [
  { table: 'demand_daily', source: 'money', order: ALL, isSoon: true, days: BY_MONTH },
  { table: 'supply_daily', source: 'money', order: ALL, isSoon: true, days: BY_MONTH },
  { table: 'lineitem_daily', source: 'money', order: ALL, isSoon: true, days: BY_MONTH },
  {
    table: 'inventory_hourly',
    source: 'money',
    order: ALL,
    isSoon: false,
    days: { day: 'toDate(hour)', partition: 'toDate' },
  },
  {
    table: 'billed_by_expiry',
    source: 'money',
    order: ALL,
    isSoon: false,
    days: { day: 'date', partition: 'toDate' },
  },
  { table: 'call_reasons_daily', source: 'money', order: ALL, isSoon: false, days: BY_MONTH },
  { table: 'bid_reasons_daily', source: 'money', order: ALL, isSoon: false, days: BY_MONTH },
  {
    table: 'traffic_10s',
    source: 'money',
    order: ALL,
    isSoon: true,
    days: { day: 'toDate(step)', partition: 'toDate' },
  },
  {
    table: 'creatives',
    source: 'trace',
    isSoon: false,
    // States of aggregates have no order.
    order: 'demand_partner_id, crid, publisher_id',
    days: null,
  },
];
