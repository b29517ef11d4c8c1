import type { AuctionRecord, BidRecord } from '../../src/events/auction-record.ts';
import type { BeaconRecord } from '../../src/events/beacon-record.ts';
import type { MoneyRecord } from '../../src/events/money-record.ts';
import type { AnalyticsStore } from '../../src/ports/analytics-store.ts';

/** Rows of a table by their dimensions, joined by tabs, to their sums, joined by spaces. */
type Sums = Record<string, string>;

/** A row of a rollup: dimensions and amounts in the order of `COLUMNS`. */
export interface RollupRow {
  readonly dimensions: readonly (string | number)[];
  readonly amounts: readonly number[];
}

export type Tables = Record<Table, Sums>;
export type Table = (typeof TABLES)[number];

export const TABLES = [
  'money',
  'demand_daily',
  'supply_daily',
  'lineitem_daily',
  'inventory_hourly',
  'billed_by_expiry',
  'call_reasons_daily',
  'bid_reasons_daily',
  'traffic_10s',
] as const;

/** Dimensions and sums of each table, in the order in which both sides write them. */
const COLUMNS = {
  money: ['date, kind', 'count()'],
  demand_daily: [
    'date, demand_partner_id, ad_format, app_bundle, app_site_domain, country_code, interstitial, platform, rewarded',
    'dsp_requests, bids, wins, impressions, clicks, gross_cpm_micros',
  ],
  supply_daily: [
    'date, publisher_id, ad_format, app_bundle, app_site_domain, country_code, interstitial, platform, rewarded, os, zone_id',
    'requests, filled_requests, supply_wins, impressions, clicks, payout_cpm_micros',
  ],
  lineitem_daily: [
    'date, demand_partner_id, lineitem_id',
    'dsp_requests, responses, no_bids, timeouts, errors, throttled, bids, bids_in_auction, wins, impressions, clicks, gross_cpm_micros',
  ],
  inventory_hourly: [
    `hour, publisher_id, zone_id, app_bundle, app_site_domain, categories, ad_format, sizes, interstitial, rewarded, country_code, has_location, platform, os, language, connectiontype, secure`,
    'ad_requests',
  ],
  billed_by_expiry: ['date, node, lineitem_id, expires', 'impressions, gross_cpm_micros'],
  call_reasons_daily: ['date, demand_partner_id, lineitem_id, outcome, reason', 'calls'],
  bid_reasons_daily: [
    'date, demand_partner_id, lineitem_id, publisher_id, seat, loss_reason',
    'bids, bids_in_auction, wins_to_confirm, priced_bids, bid_cpm_micros, short_bids, short_cpm_micros',
  ],
  traffic_10s: ['step, side, account_id, metric', 'amount'],
} as const satisfies Record<Table, readonly [string, string]>;

const TRAFFIC_SUMS = [
  'ad_requests',
  'filled_requests',
  'bid_requests',
  'responses',
  'no_bids',
  'timeouts',
  'errors',
  'throttled',
  'bids',
  'wins',
  'impressions',
  'clicks',
  'gross_cpm_micros',
  'payout_cpm_micros',
] as const;

/** Inventory has its hours in a map of each day; what is left over of the sum would be in none. */
const INVENTORY_HOURS = `
  SELECT * REPLACE (toStartOfDay(hour) + toIntervalHour(entry.1) AS hour, entry.2 AS ad_requests)
  FROM inventory_hourly
  ARRAY JOIN arrayPushBack(
    arrayZip(hoursMap.hour, arrayMap(n -> toInt64(n), hoursMap.ad_requests)),
    (toUInt8(99), toInt64(ad_requests) - toInt64(arraySum(hoursMap.ad_requests)))) AS entry
  WHERE entry.2 != 0`;

/** Each metric of live figures is a row, and so is each step of latencies and each reason. */
const TRAFFIC_METRICS = `
  SELECT step, side, account_id, entry.1 AS metric, entry.2 AS amount
  FROM traffic_10s
  ARRAY JOIN arrayConcat(
    [${TRAFFIC_SUMS.map((name) => `('${name}', ${name})`).join(', ')}],
    arrayMap((n, calls) -> (concat('latency ', toString(n)), calls), latenciesMap.step, latenciesMap.calls),
    arrayZip(reasonsMap.reason, reasonsMap.calls)) AS entry
  WHERE entry.2 != 0`;

/** What a table is read as, where its own rows do not say it plainly. */
const READ_AS: Partial<Record<Table, string>> = {
  inventory_hourly: `(${INVENTORY_HOURS})`,
  traffic_10s: `(${TRAFFIC_METRICS})`,
};

/** What the store says, all of it. */
export async function readTables(store: AnalyticsStore): Promise<Tables> {
  const read = async (table: Table): Promise<Sums> => {
    const [dimensions, sums] = COLUMNS[table];
    const names = sums.split(', ');
    const total = names.map((name) => `toString(${name === 'count()' ? name : `sum(${name})`})`);
    const rows = await store.query(
      `SELECT arrayStringConcat([${asText(dimensions)}], '\\t') AS place,
         arrayStringConcat([${total.join(', ')}], ' ') AS total
       FROM ${READ_AS[table] ?? table}
       GROUP BY ${dimensions}`,
    );
    return Object.fromEntries(rows.map(({ place, total: sum }) => [String(place), String(sum)]));
  };
  return {
    money: await read('money'),
    demand_daily: await read('demand_daily'),
    supply_daily: await read('supply_daily'),
    lineitem_daily: await read('lineitem_daily'),
    inventory_hourly: await read('inventory_hourly'),
    billed_by_expiry: await read('billed_by_expiry'),
    call_reasons_daily: await read('call_reasons_daily'),
    bid_reasons_daily: await read('bid_reasons_daily'),
    traffic_10s: await read('traffic_10s'),
  };
}

function asText(dimensions: string): string {
  return dimensions
    .split(/, (?![^(]*\))/)
    .map((dimension) => `toString(${dimension})`)
    .join(', ');
}

/** The rows of the reports' two rollups, worked out without any SQL. */
export function expectReportRows(
  records: readonly MoneyRecord[],
): Record<'demand' | 'supply', readonly RollupRow[]> {
  const { demand_daily, supply_daily } = tallyOf(records);
  return { demand: demand_daily.rows, supply: supply_daily.rows };
}

/** What the store should say of these records. */
export function expectTables(records: readonly MoneyRecord[]): Tables {
  const tallies = tallyOf(records);
  return {
    money: tallies.money.sums,
    demand_daily: tallies.demand_daily.sums,
    supply_daily: tallies.supply_daily.sums,
    lineitem_daily: tallies.lineitem_daily.sums,
    inventory_hourly: tallies.inventory_hourly.sums,
    billed_by_expiry: tallies.billed_by_expiry.sums,
    call_reasons_daily: tallies.call_reasons_daily.sums,
    bid_reasons_daily: tallies.bid_reasons_daily.sums,
    traffic_10s: tallies.traffic_10s.sums,
  };
}

function tallyOf(records: readonly MoneyRecord[]): Record<Table, Tally> {
  const money = new Tally(1);
  const demand = new Tally(6);
  const supply = new Tally(6);
  const lineItems = new Tally(12);
  const inventory = new Tally(1);
  const billed = new Tally(2);
  const callReasons = new Tally(1);
  const bidReasons = new Tally(7);
  const traffic = new Tally(1);
  for (const record of records) {
    money.add([dateOf(record), record.kind], [1]);
    if (record.kind === 'delivery' || record.test === 1) continue;
    addTraffic(traffic, record);
    if (record.kind === 'auction') {
      addDemand(demand, record);
      addSupply(supply, record);
      addLineItems(lineItems, record);
      addInventory(inventory, record);
      addCallReasons(callReasons, record);
      addBidReasons(bidReasons, record);
    } else {
      addBeacon({ demand, supply, lineItems }, record);
      if (record.kind === 'impression') addBilled(billed, record);
    }
  }
  return {
    money,
    demand_daily: demand,
    supply_daily: supply,
    lineitem_daily: lineItems,
    inventory_hourly: inventory,
    billed_by_expiry: billed,
    call_reasons_daily: callReasons,
    bid_reasons_daily: bidReasons,
    traffic_10s: traffic,
  };
}

class Tally {
  readonly #rows = new Map<string, { dimensions: RollupRow['dimensions']; amounts: number[] }>();
  readonly #width: number;

  constructor(width: number) {
    this.#width = width;
  }

  add(dimensions: readonly (string | number)[], amounts: readonly number[]): void {
    const place = dimensions.join('\t');
    const row = this.#rows.get(place) ?? {
      dimensions,
      amounts: Array.from({ length: this.#width }, () => 0),
    };
    this.#rows.set(place, row);
    for (const [index, amount] of amounts.entries()) {
      row.amounts[index] = (row.amounts[index] ?? 0) + amount;
    }
  }

  /** Rows of nothing but zeros do not exist in a table that sums. */
  get rows(): readonly RollupRow[] {
    return [...this.#rows.values()].filter(({ amounts }) => amounts.some((each) => each !== 0));
  }

  get sums(): Sums {
    return Object.fromEntries(
      this.rows.map(({ dimensions, amounts }) => [dimensions.join('\t'), amounts.join(' ')]),
    );
  }
}

function dateOf({ at_ms }: MoneyRecord): string {
  return new Date(at_ms).toISOString().slice(0, 10);
}

function addDemand(tally: Tally, record: AuctionRecord): void {
  const add = (partner: number, index: number, format: string, amounts: number[]): void => {
    const imp = record.imps[Math.max(0, index)];
    if (imp === undefined) throw new Error('a call or bid names an impression that is not there');
    const { app_bundle, app_site_domain, country_code, platform_demand } = record;
    const place = [app_bundle, app_site_domain, country_code, imp.interstitial, platform_demand];
    const dimensions = [dateOf(record), partner, format === '' ? imp.ad_format : format];
    tally.add([...dimensions, ...place, imp.rewarded], amounts);
  };
  for (const { demand_partner_id, imp, outcome } of record.calls) {
    add(demand_partner_id, imp, '', [outcome === 'throttled' ? 0 : 1, 0, 0]);
  }
  for (const { demand_partner_id, imp, ad_format, loss_reason } of record.bids) {
    add(demand_partner_id, imp, ad_format, [0, 1, isCountedWin(record, loss_reason)]);
  }
}

/** Where the publisher decides, a win counts when a beacon confirms it. */
function isCountedWin({ fd }: AuctionRecord, lossReason: number): number {
  return lossReason === 0 && fd === 0 ? 1 : 0;
}

/** A beacon counts on its own day, with the dimensions that it carries. */
function addBeacon(
  { demand, supply, lineItems }: Record<'demand' | 'supply' | 'lineItems', Tally>,
  beacon: BeaconRecord,
): void {
  const date = dateOf(beacon);
  const { kind, demand_partner_id, lineitem_id, publisher_id, zone_id, os } = beacon;
  const { ad_format, app_bundle, app_site_domain, country_code, interstitial, rewarded } = beacon;
  const { platform_demand, platform_supply, clearing_micros, payout_micros } = beacon;
  const win = kind === 'win' && beacon.fd === 1 ? 1 : 0;
  const impression = kind === 'impression' ? 1 : 0;
  const click = kind === 'click' ? 1 : 0;
  const gross = [impression, click, impression * clearing_micros];
  const place = [ad_format, app_bundle, app_site_domain, country_code, interstitial];
  demand.add([date, demand_partner_id, ...place, platform_demand, rewarded], [0, 0, win, ...gross]);
  supply.add(
    [date, publisher_id, ...place, platform_supply, rewarded, os, zone_id],
    [0, 0, win, impression, click, impression * payout_micros],
  );
  lineItems.add(
    [date, demand_partner_id, lineitem_id],
    [...Array.from({ length: 8 }, () => 0), win, ...gross],
  );
}

/** By the tenth minute at whose begin the token has expired. */
function addBilled(tally: Tally, beacon: BeaconRecord): void {
  const expires = new Date(Math.ceil(beacon.expires_ms / 600_000) * 600_000).toISOString();
  const time = `${expires.slice(0, 16).replace('T', ' ')}:00`;
  const place = [dateOf(beacon), beacon.node, beacon.lineitem_id, time];
  tally.add(place, [1, beacon.clearing_micros]);
}

/** Live figures: an auction counts for its publisher, and what it asked of each partner for that. */
function addTraffic(tally: Tally, record: AuctionRecord | BeaconRecord): void {
  const at = new Date(Math.floor(record.at_ms / 10_000) * 10_000).toISOString();
  const step = at.slice(0, 19).replace('T', ' ');
  const add = (side: string, id: number, metric: string, amount: number): void =>
    tally.add([step, side, id, metric], [amount]);
  if (record.kind !== 'auction') {
    addTrafficOfBeacon(record, add);
    return;
  }
  const { publisher_id, imps, calls, bids } = record;
  add('publisher', publisher_id, 'ad_requests', imps.length);
  add('publisher', publisher_id, 'filled_requests', imps.filter(({ filled }) => filled).length);
  for (const { demand_partner_id, outcome, reason, latency_us } of calls) {
    const metrics: string[] = [CALL_METRICS[outcome]];
    if (outcome !== 'throttled') metrics.push('bid_requests');
    if (outcome === 'bid' || outcome === 'no_bid') {
      metrics.push(`latency ${Math.floor(16 * Math.log2(1 + latency_us / 1000))}`);
    }
    for (const metric of metrics) {
      add('publisher', publisher_id, metric, 1);
      add('demand_partner', demand_partner_id, metric, 1);
    }
    if (reason !== '') {
      add('demand_partner', demand_partner_id, `${outcome} ${reason}`, 1);
    }
  }
  for (const { demand_partner_id, loss_reason } of bids) {
    const won = isCountedWin(record, loss_reason);
    for (const [side, id] of [
      ['publisher', publisher_id],
      ['demand_partner', demand_partner_id],
    ] as const) {
      add(side, id, 'bids', 1);
      add(side, id, 'wins', won);
    }
  }
}

const CALL_METRICS = {
  bid: 'responses',
  no_bid: 'no_bids',
  timeout: 'timeouts',
  error: 'errors',
  throttled: 'throttled',
} as const;

function addTrafficOfBeacon(
  beacon: BeaconRecord,
  add: (side: string, id: number, metric: string, amount: number) => void,
): void {
  const { kind, fd, publisher_id, demand_partner_id, clearing_micros, payout_micros } = beacon;
  for (const [side, id] of [
    ['publisher', publisher_id],
    ['demand_partner', demand_partner_id],
  ] as const) {
    add(side, id, 'wins', kind === 'win' && fd === 1 ? 1 : 0);
    add(side, id, 'clicks', kind === 'click' ? 1 : 0);
    if (kind !== 'impression') continue;
    add(side, id, 'impressions', 1);
    add(side, id, 'gross_cpm_micros', clearing_micros);
    add(side, id, 'payout_cpm_micros', payout_micros);
  }
}

function addSupply(tally: Tally, record: AuctionRecord): void {
  const { publisher_id, app_bundle, app_site_domain, country_code, platform_supply, os } = record;
  for (const { ad_format, interstitial, rewarded, zone_id, filled } of record.imps) {
    const place = [dateOf(record), publisher_id, ad_format, app_bundle, app_site_domain];
    tally.add(
      [...place, country_code, interstitial, platform_supply, rewarded, os, zone_id],
      [1, filled, record.fd === 0 ? filled : 0],
    );
  }
}

function addLineItems(tally: Tally, record: AuctionRecord): void {
  const date = dateOf(record);
  const outcomes = ['bid', 'no_bid', 'timeout', 'error', 'throttled'];
  for (const { demand_partner_id, lineitem_ids, outcome } of record.calls) {
    const counts = outcomes.map((each) => (each === outcome ? 1 : 0));
    for (const id of lineitem_ids) {
      tally.add([date, demand_partner_id, id], [outcome === 'throttled' ? 0 : 1, ...counts]);
    }
  }
  for (const { demand_partner_id, lineitem_id, in_auction, loss_reason } of record.bids) {
    const won = isCountedWin(record, loss_reason);
    tally.add([date, demand_partner_id, lineitem_id], [0, 0, 0, 0, 0, 0, 1, in_auction, won]);
  }
}

function addInventory(tally: Tally, record: AuctionRecord): void {
  const hour = `${new Date(record.at_ms).toISOString().slice(0, 13).replace('T', ' ')}:00:00`;
  const { publisher_id, app_bundle, app_site_domain, categories, country_code } = record;
  const { has_location, platform_demand, os, language, connectiontype } = record;
  for (const imp of record.imps) {
    const { zone_id, ad_format, sizes, interstitial, rewarded, secure } = imp;
    const place = [publisher_id, zone_id, app_bundle, app_site_domain, categories.join(' ')];
    const slot = [ad_format, sizes.join(' '), interstitial, rewarded, country_code, has_location];
    const person = [platform_demand, os, language, connectiontype, secure];
    tally.add([hour, ...place, ...slot, ...person], [1]);
  }
}

/** Line item 0 stands for all together. */
function addCallReasons(tally: Tally, record: AuctionRecord): void {
  for (const { demand_partner_id, lineitem_ids, outcome, reason } of record.calls) {
    for (const id of [0, ...lineitem_ids]) {
      tally.add([dateOf(record), demand_partner_id, id, outcome, reason], [1]);
    }
  }
}

function addBidReasons(tally: Tally, record: AuctionRecord): void {
  for (const bid of record.bids) {
    const { demand_partner_id, lineitem_id, seat, loss_reason, in_auction, price_micros } = bid;
    const place = [dateOf(record), demand_partner_id, lineitem_id, record.publisher_id, seat];
    const toConfirm = loss_reason === 0 && record.fd === 1 ? 1 : 0;
    const short = shortMicros(record, bid);
    tally.add(
      [...place, loss_reason],
      [1, in_auction, toConfirm, price_micros > 0 ? 1 : 0, price_micros, short > 0 ? 1 : 0, short],
    );
  }
}

/** By how much more a bid would have won, as far as the record tells; 0 where it does not. */
function shortMicros({ imps, bids }: AuctionRecord, bid: BidRecord): number {
  if (bid.loss_reason !== 100 && bid.loss_reason !== 102) return 0;
  const floor = imps[bid.imp]?.floor_micros;
  if (floor === undefined) return 0;
  const winner = bids.find((each) => each.imp === bid.imp && each.loss_reason === 0);
  if (winner === undefined) return Math.max(0, floor - bid.price_micros);
  if (winner.dealid !== '' && bid.dealid === '') return 0;
  return Math.max(0, Math.max(floor, winner.price_micros + 10_000) - bid.price_micros);
}
