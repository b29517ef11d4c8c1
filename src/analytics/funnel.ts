import type { CallOutcome } from '../events/auction-record.ts';
import type { AnalyticsStore } from '../ports/analytics-store.ts';
import { countOf, textOf } from './cells.ts';
import { QUERY_LIMITS } from './report.ts';

export interface FunnelQuestion {
  readonly demandPartnerId: number;
  /** Null for all of the partner's together. */
  readonly lineItemId: number | null;
  /** Both included, YYYY-MM-DD. */
  readonly startDate: string;
  readonly endDate: string;
}

/** What the bid requests and bids of some days came to. */
export interface FunnelSums {
  readonly calls: readonly CallSum[];
  readonly bids: readonly BidSum[];
  /** As KPIs count them: where the publisher decides, when a beacon has confirmed the win. */
  readonly wins: number;
  readonly impressions: number;
}

export interface CallSum {
  readonly outcome: CallOutcome;
  readonly reason: string;
  readonly calls: number;
}

export interface BidSum {
  /** 0 won. */
  readonly lossReason: number;
  readonly bids: number;
  readonly inAuction: number;
}

const OUTCOMES: readonly CallOutcome[] = ['bid', 'no_bid', 'timeout', 'error', 'throttled'];

/**
 * The sums that a funnel is made of. Of all line items together a bid request counts once, of one
 * line item each that it matched.
 */
export async function readFunnel(
  store: AnalyticsStore,
  question: FunnelQuestion,
): Promise<FunnelSums> {
  const parameters = {
    partner: question.demandPartnerId,
    item: question.lineItemId ?? 0,
    start: question.startDate,
    end: question.endDate,
  };
  const days = 'demand_partner_id = {partner:UInt64} AND date BETWEEN {start:Date} AND {end:Date}';
  const ofItem = question.lineItemId === null ? '' : 'AND lineitem_id = {item:UInt64}';
  const [calls, bids, [counted]] = await Promise.all([
    // Line item 0 is all together there.
    store.query(
      `SELECT outcome, reason, toString(sum(calls)) AS counted FROM call_reasons_daily
       WHERE ${days} AND lineitem_id = {item:UInt64}
       GROUP BY outcome, reason ORDER BY outcome, reason ${QUERY_LIMITS}`,
      parameters,
    ),
    store.query(
      `SELECT toString(loss_reason) AS code, toString(sum(bids)) AS counted,
         toString(sum(bids_in_auction)) AS competed
       FROM bid_reasons_daily WHERE ${days} ${ofItem}
       GROUP BY loss_reason ORDER BY loss_reason ${QUERY_LIMITS}`,
      parameters,
    ),
    store.query(
      `SELECT toString(sum(wins)) AS won, toString(sum(impressions)) AS billed
       FROM lineitem_daily WHERE ${days} ${ofItem} ${QUERY_LIMITS}`,
      parameters,
    ),
  ]);
  return {
    calls: calls.map((row) => ({
      outcome: outcomeOf(textOf(row, 'outcome')),
      reason: textOf(row, 'reason'),
      calls: countOf(row, 'counted'),
    })),
    bids: bids.map((row) => ({
      lossReason: countOf(row, 'code'),
      bids: countOf(row, 'counted'),
      inAuction: countOf(row, 'competed'),
    })),
    wins: counted === undefined ? 0 : countOf(counted, 'won'),
    impressions: counted === undefined ? 0 : countOf(counted, 'billed'),
  };
}

function outcomeOf(text: string): CallOutcome {
  const outcome = OUTCOMES.find((each) => each === text);
  if (outcome === undefined) throw new TypeError(`"${text}" is no outcome of a bid request.`);
  return outcome;
}
