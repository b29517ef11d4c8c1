import { addDays } from '../../analytics/dates.ts';
import type { LossSum, LossSums } from '../../analytics/losses.ts';
import { RAW_DAYS } from '../../analytics/rebuild.ts';
import { describeLossReason } from '../../openrtb/loss-reason.ts';
import type { DaySpan } from '../day-span.ts';
import { lossAction } from './actions.ts';
import type { Losses } from './schema.ts';

/** @param today the current day: an auction can be opened as long as its record is kept. */
export function lossesOf({ reasons, wins }: LossSums, span: DaySpan, today: string): Losses {
  const lost = reasons.filter(({ lossReason }) => lossReason !== 0);
  const total = countOf(lost);
  return {
    start_date: span.startDate,
    end_date: span.endDate,
    losses: lost.map((sum) => ({
      loss_reason: sum.lossReason,
      meaning: describeLossReason(sum.lossReason),
      action: lossAction(sum.lossReason),
      count: sum.bids,
      share: sum.bids / total,
      bid_cpm_avg: sum.bidCpm,
      shortfall_cpm_avg: sum.shortfallCpm,
      top: sum.examples
        .filter(({ crid, adomain }) => crid !== '' || adomain !== '')
        .map(({ crid, adomain }) => ({ crid, adomain })),
      example_auction_id:
        sum.lastDate >= addDays(today, 1 - RAW_DAYS) ? sum.exampleAuctionId : null,
    })),
    bids: countOf(reasons),
    won: wins,
    // Confirmations of auctions of the day before can be more than what waits for one.
    not_confirmed: wins === null ? null : Math.max(0, countOf(reasons) - total - wins),
  };
}

function countOf(sums: readonly LossSum[]): number {
  return sums.reduce((total, { bids }) => total + bids, 0);
}
