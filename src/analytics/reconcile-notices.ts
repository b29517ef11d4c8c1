import type { AnalyticsStore, StoreRow } from '../ports/analytics-store.ts';
import { countOf, textOf } from './cells.ts';
import { addDays, startOf } from './dates.ts';
import { RECONCILE_SETTINGS } from './reconcile-records.ts';
import type { Notices, StoreQuestion } from './reconcile-wire.ts';

/** Keys that are named of what is open: enough to compare them with what waits to be called. */
const KEYS_MAX = 50_000;
const DAY_MS = 24 * 60 * 60 * 1000;

/** A clock that was set back across midnight records a delivery on a day before the one of its notice. */
const SET_BACK_DAYS = 2;

const EVENTS = ['win', 'billing'] as const;

/**
 * What the node's records of the day made due: the wins of auctions that are final, the wins that
 * beacons confirm, the impressions. Each once, however often it is there.
 */
const DUE = `
  SELECT event, auction_id, imp FROM (
    SELECT 'win' AS event, auction_id, notice.imp AS imp
    FROM money ARRAY JOIN money.notices AS notice
    WHERE date = {date:Date} AND node = {node:String} AND kind = 'auction' AND test = 0
      AND notice.event = 'win'
    UNION ALL
    SELECT if(kind = 'win', 'win', 'billing') AS event, auction_id, imp
    FROM money
    WHERE date = {date:Date} AND node = {node:String} AND kind IN ('win', 'impression') AND test = 0
      AND notice_url != '')
  GROUP BY event, auction_id, imp`;

/** What became of notices that were due on the day, also when it was told later, or seems to be earlier. */
const DONE = `
  SELECT delivery.event AS event, delivery.auction_id AS auction_id, delivery.imp AS imp,
    countIf(delivery.outcome = 'delivered') AS delivered,
    countIf(delivery.outcome = 'given_up') AS given_up
  FROM money ARRAY JOIN money.deliveries AS delivery
  WHERE date >= {done_from:Date} AND node = {node:String} AND kind = 'delivery'
    AND delivery.due_ms >= {start_ms:UInt64} AND delivery.due_ms < {end_ms:UInt64}
  GROUP BY event, auction_id, imp`;

/** Due and done side by side; what stands on one side only has zeros on the other. */
const BOTH = `
  SELECT event, auction_id, imp, sum(due) AS due, sum(delivered) AS delivered,
    sum(given_up) AS given_up
  FROM (
    SELECT event, auction_id, imp, 1 AS due, 0 AS delivered, 0 AS given_up FROM (${DUE})
    UNION ALL
    SELECT event, auction_id, imp, 0 AS due, delivered, given_up FROM (${DONE}))
  GROUP BY event, auction_id, imp`;

const OPEN = 'due > 0 AND delivered = 0 AND given_up = 0';
const STRAY = 'due = 0';

/** What became of the notices that were due on a node's day. */
export async function readNotices(
  store: AnalyticsStore,
  question: StoreQuestion,
): Promise<Notices[]> {
  const startMs = startOf(question.date);
  const parameters = {
    date: question.date,
    done_from: addDays(question.date, -SET_BACK_DAYS),
    node: question.node,
    start_ms: startMs,
    end_ms: startMs + DAY_MS,
  };
  const rows = await store.query(
    `SELECT event, countIf(due > 0) AS all_due,
       countIf(due > 0 AND delivered > 0) AS all_delivered,
       countIf(due > 0 AND delivered = 0 AND given_up > 0) AS all_given_up,
       countIf(due > 0 AND delivered > 1) AS repeated,
       countIf(${OPEN}) AS open, countIf(${STRAY}) AS stray
     FROM (${BOTH}) GROUP BY event ${RECONCILE_SETTINGS}`,
    parameters,
  );
  const counts = new Map(rows.map((row) => [textOf(row, 'event'), row]));
  const notices: Notices[] = [];
  for (const event of EVENTS) {
    const row = counts.get(event);
    const count = (name: string): number => (row === undefined ? 0 : countOf(row, name));
    const keys = async (condition: string): Promise<string[]> => {
      const found = await store.query(
        `SELECT auction_id, imp FROM (${BOTH}) WHERE event = {event:String} AND ${condition}
         ORDER BY auction_id, imp LIMIT ${KEYS_MAX} ${RECONCILE_SETTINGS}`,
        { ...parameters, event },
      );
      return found.map(impressionOf);
    };
    notices.push({
      event,
      due: count('all_due'),
      delivered: count('all_delivered'),
      given_up: count('all_given_up'),
      repeated: count('repeated'),
      open: count('open'),
      open_keys: count('open') > 0 ? await keys(OPEN) : [],
      stray: count('stray'),
      stray_keys: count('stray') > 0 ? await keys(STRAY) : [],
    });
  }
  return notices;
}

/** The auction's id and the impression's index: with the event, the notice's key. */
function impressionOf(row: StoreRow): string {
  return `${textOf(row, 'auction_id')} ${textOf(row, 'imp')}`;
}
