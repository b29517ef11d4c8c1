import type { Kysely } from 'kysely';
import { dollarsOf } from '../../analytics/revenue.ts';
import { TRAFFIC_STEP_S, type BidderSteps, type TrafficQuestion } from '../../analytics/traffic.ts';
import { RecentAnswers } from '../../base/recent-answers.ts';
import type { Database } from '../../configuration/schema.ts';
import {
  findBidderState,
  listBidders,
  type BidderState,
} from '../../configuration/stopped-bidders.ts';
import { showInstant } from '../shown.ts';
import { latenciesOf } from '../traffic/figures.ts';
import { judge, sumOf, type Steps } from './judge.ts';
import type { BidderHealth } from './schema.ts';
import { reasonsOf, wordsOf } from './words.ts';

/** What the health of bidders is read with. */
export interface BidderHealthParts {
  readonly db: Kysely<Database>;
  /** @throws RialtoError as long as the analytics store is not open. */
  readonly readBidderSums: (time: Pick<TrafficQuestion, 'fromS' | 'toS'>) => Promise<BidderSteps>;
  /** Unix time in milliseconds. */
  readonly now: () => number;
}

/** How the bidders of all demand partners do, or that of one of them. */
export interface HealthReader {
  /** In the order of ids, without archived partners. */
  all(): Promise<BidderHealth[]>;
  /** Null where there is no such partner. */
  one(demandPartnerId: number): Promise<BidderHealth | null>;
}

const WINDOW_S = 300;
const GOOD_FOR_MS = 1_500;
const NO_STEPS: Steps = new Map();

export function createHealthReader({ db, readBidderSums, now }: BidderHealthParts): HealthReader {
  const recent = new RecentAnswers<BidderSteps>(GOOD_FOR_MS, now);
  const read = async (): Promise<(bidder: BidderState) => BidderHealth> => {
    const toS = (Math.floor(now() / 1_000 / TRAFFIC_STEP_S) + 1) * TRAFFIC_STEP_S;
    const time = { fromS: toS - WINDOW_S, toS };
    const found = await recent.get('all', () => readBidderSums(time));
    return (bidder) => healthOf(bidder, found.get(bidder.demandPartnerId) ?? NO_STEPS, time);
  };
  return {
    all: async () => (await listBidders(db)).map(await read()),
    one: async (demandPartnerId) => {
      const bidder = await findBidderState(db, demandPartnerId);
      return bidder === null ? null : (await read())(bidder);
    },
  };
}

function healthOf(
  bidder: BidderState,
  steps: Steps,
  time: Pick<TrafficQuestion, 'fromS' | 'toS'>,
): BidderHealth {
  const { stop } = bidder;
  const judgement = judge(bidder, steps, time);
  const sums = sumOf(steps.values());
  const { bid_requests: calls, responses, bids, no_bids, timeouts, errors, wins } = sums;
  const qps = calls / WINDOW_S;
  const shareOf = (part: number): number | null => (calls === 0 ? null : part / calls);
  return {
    demand_partner_id: bidder.demandPartnerId,
    name: bidder.name,
    state: judgement.state,
    since: judgement.sinceMs === null ? null : showInstant(judgement.sinceMs),
    ...wordsOf({ bidder, judgement, sums, qps }),
    window_seconds: WINDOW_S,
    bid_requests: calls,
    qps,
    responses,
    bids,
    no_bids,
    timeouts,
    errors: reasonsOf(sums, 'error'),
    no_bid_reasons: reasonsOf(sums, 'no_bid'),
    throttled: reasonsOf(sums, 'throttled'),
    timeout_share: shareOf(timeouts),
    error_share: shareOf(errors),
    ...latenciesOf(sums),
    wins,
    spend: dollarsOf(sums.grossCpmMicros),
    stop: stop === null ? null : { reason: stop.reason, at: showInstant(stop.atMs) },
  };
}
