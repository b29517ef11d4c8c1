import type { AnalyticsStore } from '../ports/analytics-store.ts';
import { countOf, integerOf, textOf } from './cells.ts';
import { QUERY_LIMITS } from './report.ts';

/** The rollup that it is read from. */
export const BILLED = 'billed_by_expiry';

/** Line items that one statement asks about. */
const LINE_ITEMS_MAX = 5_000;
const MICROS_MAX = BigInt(Number.MAX_SAFE_INTEGER);

export interface BilledQuestion {
  /** YYYY-MM-DD, UTC: the day of the impressions' beacons. */
  readonly date: string;
  /**
   * By node: Unix time in milliseconds, a multiple of ten minutes; impressions count whose tokens
   * had expired by then.
   */
  readonly expiredByMs: ReadonlyMap<string, number>;
  readonly lineItemIds: readonly number[];
}

/** What a line item was billed. */
export interface Billed {
  readonly impressions: number;
  /** Micro-dollars CPM, summed over the impressions. */
  readonly micros: number;
}

/**
 * What line items were billed on a day for wins whose time is over, by node and line item; see
 * `sql/0006-billed.sql`. What nothing was billed of is left out, a node that was asked for never is.
 */
export async function readBilled(
  store: AnalyticsStore,
  { date, expiredByMs, lineItemIds }: BilledQuestion,
): Promise<ReadonlyMap<string, ReadonlyMap<number, Billed>>> {
  const billed = new Map<string, Map<number, Billed>>();
  for (const node of expiredByMs.keys()) billed.set(node, new Map());
  for (const [untilMs, nodes] of byTime(expiredByMs)) {
    for (let from = 0; from < lineItemIds.length; from += LINE_ITEMS_MAX) {
      const rows = await store.query(
        `SELECT node, lineitem_id, toString(sum(impressions)) AS impressions,
           toString(sum(gross_cpm_micros)) AS gross_cpm_micros
         FROM ${BILLED}
         WHERE date = {date:Date} AND node IN {nodes:Array(String)}
           AND lineitem_id IN {ids:Array(UInt64)}
           AND expires <= toDateTime({expired:UInt32}, 'UTC')
         GROUP BY node, lineitem_id ${QUERY_LIMITS}`,
        {
          date,
          nodes,
          ids: lineItemIds.slice(from, from + LINE_ITEMS_MAX),
          expired: Math.floor(untilMs / 1000),
        },
      );
      for (const row of rows) {
        const micros = integerOf(row, 'gross_cpm_micros');
        billed.get(textOf(row, 'node'))?.set(countOf(row, 'lineitem_id'), {
          impressions: countOf(row, 'impressions'),
          micros: Number(micros < MICROS_MAX ? micros : MICROS_MAX),
        });
      }
    }
  }
  return billed;
}

/** The nodes that counted impressions on a day. */
export async function readBillingNodes(store: AnalyticsStore, date: string): Promise<string[]> {
  const rows = await store.query(
    `SELECT DISTINCT node FROM ${BILLED} WHERE date = {date:Date} ${QUERY_LIMITS}`,
    { date },
  );
  return rows.map((row) => textOf(row, 'node'));
}

/** Most nodes have come equally far, and are asked for together. */
function byTime(expiredByMs: ReadonlyMap<string, number>): Map<number, string[]> {
  const nodesAt = new Map<number, string[]>();
  for (const [node, untilMs] of expiredByMs) {
    const nodes = nodesAt.get(untilMs) ?? [];
    nodesAt.set(untilMs, nodes);
    nodes.push(node);
  }
  return nodesAt;
}
